#include "graph/selection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "matrix/simd.hpp"

namespace disc {
namespace {

// Appends the values below the bound without a branch: the compiler can run ahead. Returns the new length.
DISC_SIMD Index append_below(const double* values, Index count, double bound, double* out, Index length) {
  for (Index i = 0; i < count; ++i) {
    out[length] = values[i];
    length += static_cast<Index>(values[i] < bound);
  }
  return length;
}

}  // namespace

// Streams the values past a bound that tightens: most of them are looked at once and never moved.
double kth_smallest(const double* values, Index count, Index skip, Index k, std::vector<double>& scratch) {
  constexpr Index step = 512;
  const Index capacity = 4 * k + 2 * step;
  scratch.resize(static_cast<std::size_t>(capacity));
  double* kept = scratch.data();
  double bound = std::numeric_limits<double>::infinity();
  Index length = 0;
  const auto tighten = [&] {
    if (length < k) return;
    std::nth_element(kept, kept + (k - 1), kept + length);
    bound = kept[k - 1];
    length = k;  // the k smallest so far: later values must be below the largest of them
  };
  const auto stream = [&](Index first, Index last) {
    for (Index i = first; i < last; i += step) {
      if (length + step > capacity) tighten();
      length = append_below(values + i, std::min(step, last - i), bound, kept, length);
    }
  };
  stream(0, skip);
  stream(skip + 1, count);
  std::nth_element(kept, kept + (k - 1), kept + length);
  return kept[k - 1];
}

// Not-negative doubles order like their bits, so the median is found digit by digit, 16 bits at a time.
double median_of_pairs(const Matrix& columns, Index first, const Team* team) {
  const Index p = columns.rows();
  const Index place = (p * (p - 1) / 2 - 1) / 2;
  auto rank = static_cast<double>(place);
  std::uint64_t prefix = 0;
  for (int shift = 48; shift >= 0; shift -= 16) {
    std::vector<double> histogram(65536, 0);  // whole numbers: doubles can be added over processes
    const std::uint64_t high_mask = shift == 48 ? 0 : ~std::uint64_t{0} << (shift + 16);
    for (Index j = 0; j < columns.cols(); ++j) {
      for (Index i = first + j + 1; i < p; ++i) {
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(columns(i, j) + 0.0);
        if ((bits & high_mask) == prefix) ++histogram[(bits >> shift) & 0xFFFF];
      }
    }
    sum_over(team, histogram);
    std::uint64_t digit = 0;
    while (rank >= histogram[digit]) rank -= histogram[digit++];
    prefix |= digit << shift;
  }
  return std::bit_cast<double>(prefix);
}

double median_below_diagonal(const Matrix& values) { return median_of_pairs(values, 0, nullptr); }

}  // namespace disc
