#include "spectral/thin_product.hpp"

#include <algorithm>
#include <cstring>

#include "matrix/simd.hpp"

namespace disc {
namespace {

// Columns are processed in groups of eight, interleaved: one element of S meets eight columns in vector registers. BLAS
// libraries do not specialise this shape and were two to four times slower (docs/decisions/001-numerics.md).
constexpr Index width = 8;
constexpr Index rows_per_item = 64;
constexpr Index rows_at_once = 4;  // rows of S that share each load of x
constexpr Index run = 2048;        // columns of S at once: their part of x stays in the cache. Single precision
                                   // is summed in double after a run

typedef double Double4 __attribute__((vector_size(32)));
typedef float Float8 __attribute__((vector_size(32)));

inline Double4 load(const double* from) {
  Double4 value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
inline Float8 load(const float* from) {
  Float8 value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline void add(double* to, Double4 low, Double4 high) {
  for (Index c = 0; c < 4; ++c) {
    to[c] += low[c];
    to[c + 4] += high[c];
  }
}
inline void add(double* to, Float8 value) {
  for (Index c = 0; c < width; ++c) to[c] += static_cast<double>(value[c]);
}

// y[r][0..8) += sum over j of s[r][j] x[j][0..8) for four rows of S. The sums have names so that they stay in registers.
DISC_SIMD void four_rows(const double* s, Index stride, Index count, const double* x, double* y) {
  const double* s0 = s;
  const double* s1 = s + stride;
  const double* s2 = s + 2 * stride;
  const double* s3 = s + 3 * stride;
  Double4 a0{}, a1{}, a2{}, a3{}, b0{}, b1{}, b2{}, b3{};
  for (Index j = 0; j < count; ++j) {
    const Double4 a = load(x + j * width);
    const Double4 b = load(x + j * width + 4);
    a0 += s0[j] * a;
    b0 += s0[j] * b;
    a1 += s1[j] * a;
    b1 += s1[j] * b;
    a2 += s2[j] * a;
    b2 += s2[j] * b;
    a3 += s3[j] * a;
    b3 += s3[j] * b;
  }
  add(y, a0, b0);
  add(y + width, a1, b1);
  add(y + 2 * width, a2, b2);
  add(y + 3 * width, a3, b3);
}

DISC_SIMD void four_rows(const float* s, Index stride, Index count, const float* x, double* y) {
  const float* s0 = s;
  const float* s1 = s + stride;
  const float* s2 = s + 2 * stride;
  const float* s3 = s + 3 * stride;
  Float8 a0{}, a1{}, a2{}, a3{};
  for (Index j = 0; j < count; ++j) {
    const Float8 a = load(x + j * width);
    a0 += s0[j] * a;
    a1 += s1[j] * a;
    a2 += s2[j] * a;
    a3 += s3[j] * a;
  }
  add(y, a0);
  add(y + width, a1);
  add(y + 2 * width, a2);
  add(y + 3 * width, a3);
}

// Eight columns of x, padded with zeros, in the number type of S.
template <class T>
std::vector<T> interleave(const Block& x, Index first) {
  const Index count = std::min(width, x.cols() - first);
  std::vector<T> packed(static_cast<std::size_t>(x.rows() * width), T{0});
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index c = 0; c < count; ++c) packed[static_cast<std::size_t>(i * width + c)] = static_cast<T>(x(i, first + c));
  }
  return packed;
}

// Rows first .. last - 1 of y. By symmetry a row of S is a column, contiguous in memory.
template <class T>
void some_rows(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& s, const T* x, Index first, Index last,
               double* y) {
  const Index p = s.rows();
  std::fill_n(y, (last - first) * width, 0.0);
  for (Index j = 0; j < p; j += run) {
    const Index count = std::min(run, p - j);
    Index i = first;
    for (; i + rows_at_once <= last; i += rows_at_once) {
      four_rows(s.data() + i * p + j, p, count, x + j * width, y + (i - first) * width);
    }
    for (; i < last; ++i) {  // the last few rows one by one: with stride 0 all four rows are the same
      double same[rows_at_once * width] = {};
      four_rows(s.data() + i * p + j, 0, count, x + j * width, same);
      for (Index c = 0; c < width; ++c) y[(i - first) * width + c] += same[c];
    }
  }
}

template <class T>
void product(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& s, const Block& x, Block& y,
             const Context& context) {
  const Index p = s.rows();
  for (Index group = 0; group < x.cols(); group += width) {
    const std::vector<T> packed = interleave<T>(x, group);
    const Index columns = std::min(width, x.cols() - group);
    context.parallel_for((p + rows_per_item - 1) / rows_per_item, [&](Index item) {
      double rows[rows_per_item * width];
      const Index first = item * rows_per_item;
      const Index last = std::min(p, first + rows_per_item);
      some_rows(s, packed.data(), first, last, rows);
      for (Index i = first; i < last; ++i) {
        for (Index c = 0; c < columns; ++c) y(i, group + c) = rows[(i - first) * width + c];
      }
    });
  }
}

}  // namespace

void thin_product(const SymmetricMatrix& s, const Block& x, Block& y, const Context& context) {
  y.resize(x.rows(), x.cols());
  s.visit([&](const auto& values) { product(values, x, y, context); });
}

}  // namespace disc
