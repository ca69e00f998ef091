#include "spectral/sparse_product.hpp"

#include <algorithm>

#include "matrix/simd.hpp"

namespace disc {
namespace {

constexpr Index usual_width =
    8;  // what the block solver asks for: a fixed number lets the compiler keep it in registers

DISC_SIMD void usual_row(const double* values, const Index* columns, Index count, const double* x, double* out) {
  double sums[usual_width] = {};
  for (Index k = 0; k < count; ++k) {
    const double* const in = x + columns[k] * usual_width;
    for (Index c = 0; c < usual_width; ++c) sums[c] += values[k] * in[c];
  }
  for (Index c = 0; c < usual_width; ++c) out[c] = sums[c];
}

}  // namespace

void sparse_row_product(const double* values, const Index* columns, Index count, const double* x, Index width,
                        double* out) {
  if (width == usual_width) return usual_row(values, columns, count, x, out);
  std::fill_n(out, width, 0.0);
  for (Index k = 0; k < count; ++k) {
    const double* const in = x + columns[k] * width;
    for (Index c = 0; c < width; ++c) out[c] += values[k] * in[c];
  }
}

}  // namespace disc
