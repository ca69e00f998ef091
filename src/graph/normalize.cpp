#include "graph/normalize.hpp"

#include <algorithm>

#include "disc/team.hpp"
#include "matrix/simd.hpp"

namespace disc {
namespace {

constexpr Index columns_at_once = 32;

template <class T>
double sum_column(const T* values, Index count) {
  double lanes[8] = {};
  Index i = 0;
  for (; i + 8 <= count; i += 8) {
    for (Index lane = 0; lane < 8; ++lane) lanes[lane] += static_cast<double>(values[i + lane]);
  }
  for (; i < count; ++i) lanes[0] += static_cast<double>(values[i]);
  double sum = 0.0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

template <class T>
void scale_column(T* values, const double* scale, double own, Index count) {
  for (Index i = 0; i < count; ++i) values[i] = static_cast<T>(static_cast<double>(values[i]) * (scale[i] * own));
}

DISC_SIMD double column_sum(const double* values, Index count) { return sum_column(values, count); }
DISC_SIMD double column_sum(const float* values, Index count) { return sum_column(values, count); }
DISC_SIMD void column_scale(double* values, const double* scale, double own, Index count) {
  scale_column(values, scale, own, count);
}
DISC_SIMD void column_scale(float* values, const double* scale, double own, Index count) {
  scale_column(values, scale, own, count);
}

template <class F>
void for_each_column(Index count, const Context& context, F&& work) {
  context.parallel_for((count + columns_at_once - 1) / columns_at_once, [&](Index block) {
    const Index end = std::min(count, (block + 1) * columns_at_once);
    for (Index j = block * columns_at_once; j < end; ++j) work(j);
  });
}

template <class Dense>
double sum_of(const Dense& values, Index j) {
  return column_sum(values.data() + j * values.rows(), values.rows());
}
double sum_of(const SparseMatrix& values, Index j) { return values.row(j).sum(); }

template <class Dense>
void scale_one(Dense& values, const Vector& scale, double own, Index j) {
  column_scale(values.data() + j * values.rows(), scale.data(), own, values.rows());
}
void scale_one(SparseMatrix& values, const Vector& scale, double own, Index j) {
  for (SparseMatrix::InnerIterator entry(values, j); entry; ++entry) entry.valueRef() *= scale[entry.col()] * own;
}

}  // namespace

Vector row_sums(const SymmetricMatrix& weights, const Context& context) {
  Vector sums(weights.own_size());
  weights.visit([&](const auto& values) {
    for_each_column(sums.size(), context, [&](Index j) { sums[j] = sum_of(values, j); });
  });
  return sums;
}

void scale_both_sides(SymmetricMatrix& weights, const Vector& scale, const Context& context) {
  const Team& team = context.team();
  const Vector gathered = team.size() > 1 ? team.rows_to_all(scale) : Vector();
  const Vector& all = team.size() > 1 ? gathered : scale;
  weights.visit([&](auto& values) {
    for_each_column(scale.size(), context, [&](Index j) { scale_one(values, all, scale[j], j); });
  });
}

}  // namespace disc
