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
constexpr Index rows_at_once = 4;    // rows of S that share each load of x
constexpr Index single_run = 512;    // single precision is summed in double after so many terms

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

// y[r][0..8) = sum over j of s[r][j] x[j][0..8) for four rows of S.
DISC_SIMD void four_rows(const double* s, Index stride, Index count, const double* x, double* y) {
  const double* row[rows_at_once] = {s, s + stride, s + 2 * stride, s + 3 * stride};
  Double4 low[rows_at_once] = {};
  Double4 high[rows_at_once] = {};
  for (Index j = 0; j < count; ++j) {
    const Double4 x_low = load(x + j * width);
    const Double4 x_high = load(x + j * width + 4);
    for (Index r = 0; r < rows_at_once; ++r) {
      low[r] += row[r][j] * x_low;
      high[r] += row[r][j] * x_high;
    }
  }
  for (Index r = 0; r < rows_at_once; ++r) {
    std::memcpy(y + r * width, &low[r], sizeof low[r]);
    std::memcpy(y + r * width + 4, &high[r], sizeof high[r]);
  }
}

DISC_SIMD void four_rows(const float* s, Index stride, Index count, const float* x, double* y) {
  double total[rows_at_once * width] = {};
  for (Index first = 0; first < count; first += single_run) {
    const Index end = std::min(count, first + single_run);
    const float* row[rows_at_once] = {s, s + stride, s + 2 * stride, s + 3 * stride};
    Float8 sum[rows_at_once] = {};
    for (Index j = first; j < end; ++j) {
      const Float8 x_j = load(x + j * width);
      for (Index r = 0; r < rows_at_once; ++r) sum[r] += row[r][j] * x_j;
    }
    for (Index r = 0; r < rows_at_once; ++r) {
      for (Index c = 0; c < width; ++c) total[r * width + c] += static_cast<double>(sum[r][c]);
    }
  }
  std::memcpy(y, total, sizeof total);
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
  for (Index i = first; i < last; i += rows_at_once) {
    if (i + rows_at_once <= last) {
      four_rows(s.data() + i * p, p, p, x, y + (i - first) * width);
      continue;
    }
    double spare[rows_at_once * width];
    for (Index r = i; r < last; ++r) {  // the last few rows, one by one: stride 0 repeats the row
      four_rows(s.data() + r * p, 0, p, x, spare);
      std::memcpy(y + (r - first) * width, spare, width * sizeof(double));
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
