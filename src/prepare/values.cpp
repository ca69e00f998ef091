// Parts of a dataset, and ways over its values.
#include <algorithm>
#include <numeric>

#include "prepare/steps.hpp"

namespace disc {
namespace {

template <class T>
std::vector<T> marked_items(const std::vector<T>& items, const std::vector<char>& marked) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (marked[i] != 0) kept.push_back(items[i]);
  }
  return kept;
}

SampleMatrix sparse_part(const SparseMatrix& values, const std::vector<char>& rows, const std::vector<char>& columns) {
  std::vector<Index> place(columns.size());
  std::exclusive_scan(columns.begin(), columns.end(), place.begin(), Index{0});
  SparseMatrix part(std::count(rows.begin(), rows.end(), 1), std::count(columns.begin(), columns.end(), 1));
  Index to = 0;
  for (Index i = 0; i < values.rows(); ++i) {
    if (rows[static_cast<std::size_t>(i)] == 0) continue;
    part.startVec(to);
    for (SparseMatrix::InnerIterator entry(values, i); entry; ++entry) {
      const auto j = static_cast<std::size_t>(entry.col());
      if (columns[j] != 0) part.insertBack(to, place[j]) = entry.value();
    }
    ++to;
  }
  part.finalize();
  return SampleMatrix(std::move(part));
}

SampleMatrix dense_part(const SampleMatrix& values, const std::vector<char>& rows, const std::vector<char>& columns) {
  const std::vector<Index> wanted = marked_items(all_columns(values), columns);
  RowMatrix part(std::count(rows.begin(), rows.end(), 1), static_cast<Index>(wanted.size()));
  RowMatrix row;
  Index to = 0;
  for (Index i = 0; i < values.rows(); ++i) {
    if (rows[static_cast<std::size_t>(i)] == 0) continue;
    values.copy_rows(i, 1, wanted, row);
    part.row(to++) = row;
  }
  return SampleMatrix(std::move(part));
}

SampleMatrix part_of(const SampleMatrix& values, const std::vector<char>& rows, const std::vector<char>& columns) {
  return values.is_sparse() ? sparse_part(*values.sparse(), rows, columns) : dense_part(values, rows, columns);
}

}  // namespace

void keep_features(Dataset& condition, const std::function<bool(const std::string& feature)>& wanted) {
  std::vector<char> marked(condition.features.size());
  std::ranges::transform(condition.features, marked.begin(),
                         [&](const std::string& feature) { return static_cast<char>(wanted(feature)); });
  if (std::ranges::count(marked, 0) == 0) return;
  const std::vector<char> all_rows(condition.samples.size(), 1);
  if (condition.places.empty()) {
    condition.places = all_columns(condition.values);
    condition.features_before = condition.values.cols();
  }
  condition.places = marked_items(condition.places, marked);
  condition.values = part_of(condition.values, all_rows, marked);
  condition.features = marked_items(condition.features, marked);
  condition.features_named = true;  // positions no longer tell which is which
}

void keep_samples(Dataset& condition, const std::vector<char>& marked) {
  const std::vector<char> all(condition.features.size(), 1);
  condition.values = part_of(condition.values, marked, all);
  condition.samples = marked_items(condition.samples, marked);
  for (LabelColumn& label : condition.labels) label.values = marked_items(label.values, marked);
}

std::vector<Index> all_columns(const SampleMatrix& values) {
  std::vector<Index> columns(static_cast<std::size_t>(values.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

RowMatrix dense_copy(const SampleMatrix& values) {
  RowMatrix copy;
  values.copy_rows(0, values.rows(), all_columns(values), copy);
  return copy;
}

void for_column_blocks(Index columns, const Context& context,
                       const std::function<void(Index first, Index count)>& change) {
  constexpr Index columns_at_once = 64;  // a cache line of eight at least, so that threads do not share one
  context.parallel_for((columns + columns_at_once - 1) / columns_at_once, [&](Index block) {
    const Index first = block * columns_at_once;
    change(first, std::min(columns_at_once, columns - first));
  });
}

}  // namespace disc
