// A sparse walk made for many products: near features side by side, 32-bit columns, single or double precision.
#pragma once

#include <cstdint>
#include <vector>

#include "spectral/walk_eigenpairs.hpp"

namespace disc {

/// p rows of a few numbers each, in the order of a LocalWalk.
template <class T>
using BlockOf = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
class LocalWalk {
 public:
  LocalWalk(const RandomWalk& walk, WalkProduct product, const Context& context);

  Index size() const { return static_cast<Index>(order_.size()); }
  /// No eigenvalue of the product is below.
  double lower_bound() const { return product_ == WalkProduct::conjugate ? -1.0 : 0.0; }
  /// Nor any above.
  double upper_bound() const { return upper_bound_; }
  /// y = the product times x. The number of columns must be a multiple of 8.
  void apply(const BlockOf<T>& x, BlockOf<T>& y, const Context& context) const;
  /// A step of Chebyshev's recurrence: before = factor (the product times x - center x) - before.
  void recur(const BlockOf<T>& x, T factor, T center, BlockOf<T>& before, const Context& context) const;

  /// Rows in the order of the walk, from rows in the order of the features, and back.
  BlockOf<T> to_local(const Matrix& vectors, const Context& context) const;
  Matrix to_features(const BlockOf<T>& block, Index columns, const Context& context) const;

 private:
  double largest_column_sum(const Context& context) const;
  template <class Take>
  void rows_of_product(const BlockOf<T>& x, const Context& context, Take&& take) const;
  template <class Take>
  void rows_of_conjugate(const BlockOf<T>& x, const Vector* row_scale, const Context& context, Take&& take) const;

  WalkProduct product_;
  std::vector<Index> order_;  // row i stands for feature order_[i]
  std::vector<Index> begin_;
  std::vector<std::int32_t> columns_;
  std::vector<T> values_;
  double uniform_weight_;
  double upper_bound_ = 1.0;
  Vector root_degrees_, inverse_root_, inverse_degrees_;  // in the order of the rows
  mutable BlockOf<T> scaled_, halfway_;  // kept, because the system clears what it gives; one product at a time
};

extern template class LocalWalk<float>;
extern template class LocalWalk<double>;

}  // namespace disc
