// Sparse values and weights. Eigen 3.4 copies a sparse matrix where it should move it; those of a million features are large.
#pragma once

#include <Eigen/SparseCore>
#include <utility>

namespace disc {

using EigenSparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, Eigen::Index>;

/// Row by row: samples x features, or the weights of a graph.
class SparseMatrix : public EigenSparseMatrix {
 public:
  using EigenSparseMatrix::EigenSparseMatrix;
  using EigenSparseMatrix::operator=;
  SparseMatrix() = default;
  SparseMatrix(const SparseMatrix&) = default;
  SparseMatrix& operator=(const SparseMatrix&) = default;
  /// Not noexcept: Eigen's empty matrix holds an array too, and memory may be refused.
  SparseMatrix(SparseMatrix&& other) : EigenSparseMatrix() { swap(other); }
  SparseMatrix& operator=(SparseMatrix&& other) noexcept {
    swap(other);
    return *this;
  }
  ~SparseMatrix() = default;
};

}  // namespace disc
