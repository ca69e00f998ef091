// The data: samples x features, dense or sparse, with names; and how features of several conditions are matched.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "disc/base.hpp"
#include "disc/sparse_matrix.hpp"

namespace disc {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // column-major
using MatrixF = Eigen::MatrixXf;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Values where a file (which may be larger than the memory) or a caller keeps them, in the type they have there.
using ValuesInPlace =
    std::variant<const double*, const float*, const std::int16_t*, const std::uint16_t*, const std::uint8_t*>;

/// Samples (rows) x features (columns), immutable; copies share the values.
/// Stages never see how it is stored: they ask for dense blocks of samples.
class SampleMatrix {
 public:
  SampleMatrix() = default;
  explicit SampleMatrix(RowMatrix values);
  explicit SampleMatrix(SparseMatrix values);
  /// Values that live elsewhere, in any strided layout, read block by block without copying; `owner` keeps them alive.
  SampleMatrix(ValuesInPlace values, Index rows, Index cols, Index row_stride, Index col_stride,
               std::shared_ptr<const void> owner);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool is_sparse() const { return sparse_ != nullptr; }
  /// The sparse values; nullptr when dense.
  const SparseMatrix* sparse() const { return sparse_.get(); }
  /// Stored values: rows * cols when dense.
  Index stored() const;
  /// One value; slow for sparse data, for messages and tests.
  double at(Index row, Index col) const;

  /// The values columns[0], columns[1], ... of a row where they lie side by side in memory, as doubles; else nullptr.
  const double* contiguous_row(Index row, std::span<const Index> columns) const;
  /// Values from one row to the next where rows are contiguous.
  Index row_stride() const { return row_stride_; }
  /// out(i, j) = value(first + i, columns[j]) for i < count. `out` is resized.
  void copy_rows(Index first, Index count, std::span<const Index> columns, RowMatrix& out) const;

 private:
  Index rows_ = 0, cols_ = 0;
  ValuesInPlace values_;
  Index row_stride_ = 0, col_stride_ = 0;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const SparseMatrix> sparse_;
};

/// What a file says about its samples beside their values: a donor, a class, a time.
struct LabelColumn {
  std::string name;
  std::vector<std::string> values;  ///< one per sample
};

/// One condition: its values, and names for features and samples.
struct Dataset {
  std::string name;                   ///< of the condition
  std::string source;                 ///< the file it came from, for messages; may be empty
  SampleMatrix values;                ///< samples x features
  std::vector<std::string> features;  ///< values.cols() names, unique
  std::vector<std::string> samples;   ///< values.rows() names
  std::vector<LabelColumn> labels{};  ///< of the samples; may be empty
  std::vector<Index> shape{};         ///< of the features where they form a picture, rows x columns; else empty
  std::vector<Index> places{};        ///< columns of the features before some were excluded; empty: none were
  Index features_before = 0;          ///< how many there were then; 0: none were excluded
  bool is_image = false;              ///< the values are those of images: whole numbers are no counts
  bool features_named = true;         ///< false: names were made up ("f1", "f2", ...) and only their position counts
};

/// Some of the samples, in the order given, with their names and labels.
Dataset select_samples(const Dataset& dataset, std::span<const Index> rows);

/// Default names: prefix + "1", prefix + "2", ...
std::vector<std::string> numbered_names(std::string_view prefix, Index count);

/// A feature that takes no part in the analysis, and why.
struct Excluded {
  std::string feature;
  std::string reason;
};

/// The features that take part, and where each condition keeps them.
struct FeatureMatch {
  std::vector<std::string> features;        ///< used, in the order of the first condition
  std::vector<std::vector<Index>> columns;  ///< per condition: columns[m][j] is the column of features[j]
  std::vector<Excluded> excluded;           ///< not common to all, constant, or non-finite
  Index total() const { return static_cast<Index>(features.size() + excluded.size()); }
};

enum class Missing {
  error,          ///< a value that is not finite ends the run, naming sample and feature
  drop_features,  ///< features with such a value are excluded in all conditions
  drop_samples,   ///< samples with such a value are excluded
  mean            ///< such a value becomes the mean of its feature in its condition
};

struct MatchOptions {
  Missing missing = Missing::error;  ///< all but drop_features: what is still missing is an error
  bool keep_constant = false;        ///< constant features stay: for values that are weights, not measurements
};

/// Matches features by name in any order; leaves out what is not common, constant in a condition, or (on request) not
/// finite. Throws InputError when nothing is common, when names repeat, or when a condition has fewer than two samples.
/// method section 2.
FeatureMatch match_features(std::span<const Dataset> conditions, const MatchOptions& options, const Context& context);

/// A p x p symmetric matrix, both triangles stored: dense in double or in single precision, or sparse.
// NOLINTNEXTLINE(bugprone-exception-escape): Eigen 3.4 copies a sparse matrix that is moved
class SymmetricMatrix {
 public:
  SymmetricMatrix() = default;
  explicit SymmetricMatrix(Matrix values) : values_(std::move(values)) {}
  explicit SymmetricMatrix(MatrixF values) : values_(std::move(values)) {}
  explicit SymmetricMatrix(SparseMatrix values) : values_(std::move(values)) {}

  Index size() const;
  /// Rows of a sparse matrix, columns of a dense one that are here: less than size() where processes divide them.
  Index own_size() const;
  bool is_single() const { return std::holds_alternative<MatrixF>(values_); }
  bool is_sparse() const { return std::holds_alternative<SparseMatrix>(values_); }
  double operator()(Index i, Index j) const;
  /// Calls f with the Matrix, MatrixF or SparseMatrix inside.
  template <class F>
  decltype(auto) visit(F&& f) {
    return std::visit(std::forward<F>(f), values_);
  }
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), values_);
  }

 private:
  std::variant<Matrix, MatrixF, SparseMatrix> values_;
};

}  // namespace disc
