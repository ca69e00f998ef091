// The steps of a preparation, each on all conditions, each noting what it did; and how they go over values.
#pragma once

#include <functional>
#include <optional>

#include "disc/prepare.hpp"

namespace disc {

void keep_listed_features(Preparation& work, const std::string& list);
void treat_missing(Preparation& work, Missing rule);
void remove_trends(Preparation& work, const Context& context);
void normalize(Preparation& work, Normalization rule, const Context& context);
void select_features(Preparation& work, const std::optional<FeatureSelection>& wanted);
void remove_global_signal(Preparation& work, const std::optional<bool>& wanted, const Context& context,
                          const Team* team);
void standardize_files(Preparation& work, const std::optional<bool>& wanted, const Context& context);

/// Keeps the features for which `wanted` gives true.
void keep_features(Dataset& condition, const std::function<bool(const std::string& feature)>& wanted);
/// Keeps the samples that are marked.
void keep_samples(Dataset& condition, const std::vector<char>& marked);

/// Columns 0, 1, 2, ...
std::vector<Index> all_columns(const SampleMatrix& values);
/// All values, samples x features.
RowMatrix dense_copy(const SampleMatrix& values);
/// Calls change(first, count) for blocks of columns, in parallel: what it does to one does not touch another.
void for_column_blocks(Index columns, const Context& context,
                       const std::function<void(Index first, Index count)>& change);

/// Calls use(sample, feature, value) for every stored value; those of sparse data that are not stored are zeros.
template <class F>
void for_each_stored(const SampleMatrix& values, F&& use) {
  if (const SparseMatrix* sparse = values.sparse()) {
    for (Index i = 0; i < sparse->rows(); ++i) {
      for (SparseMatrix::InnerIterator entry(*sparse, i); entry; ++entry) use(i, entry.col(), entry.value());
    }
    return;
  }
  const std::vector<Index> columns = all_columns(values);
  RowMatrix row;
  for (Index i = 0; i < values.rows(); ++i) {
    values.copy_rows(i, 1, columns, row);
    for (Index j = 0; j < row.cols(); ++j) use(i, j, row(0, j));
  }
}

/// Every stored value becomes change(sample, feature, value).
template <class F>
SampleMatrix changed(const SampleMatrix& values, F&& change) {
  if (values.is_sparse()) {
    SparseMatrix copy = *values.sparse();
    for (Index i = 0; i < copy.rows(); ++i) {
      for (SparseMatrix::InnerIterator entry(copy, i); entry; ++entry)
        entry.valueRef() = change(i, entry.col(), entry.value());
    }
    return SampleMatrix(std::move(copy));
  }
  RowMatrix copy = dense_copy(values);
  for (Index i = 0; i < copy.rows(); ++i) {
    for (Index j = 0; j < copy.cols(); ++j) copy(i, j) = change(i, j, copy(i, j));
  }
  return SampleMatrix(std::move(copy));
}

}  // namespace disc
