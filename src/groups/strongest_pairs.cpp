#include "groups/strongest_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace disc {
namespace {

constexpr Index bins = 4096;
constexpr float share_taken_off = 0.5F;  // of the threshold: a pair just above it still counts

// The value that about `wanted` pairs exceed, but at least `least`.
float threshold_of(const MatrixF& r, float least, Index wanted) {
  std::array<Index, bins> count{};
  const float scale = static_cast<float>(bins) / (1.0F - std::min(least, 0.999F));
  for (Index j = 0; j < r.cols(); ++j) {
    const float* const column = r.data() + j * r.rows();
    for (Index i = j + 1; i < r.rows(); ++i) {
      if (column[i] <= least) continue;
      const auto bin = static_cast<Index>((column[i] - least) * scale);
      ++count[static_cast<std::size_t>(std::min(bin, bins - 1))];
    }
  }
  Index above = 0;
  for (Index bin = bins - 1; bin >= 0; --bin) {
    above += count[static_cast<std::size_t>(bin)];
    if (above >= wanted) return least + static_cast<float>(bin) / scale;
  }
  return least;
}

}  // namespace

SparseMatrix strongest_pairs(const Correlations& correlations, double z, Index degree) {
  const MatrixF& r = correlations.values;
  const Index p = r.rows();
  const double least = z / std::sqrt(static_cast<double>(correlations.samples));
  const float threshold = threshold_of(r, static_cast<float>(std::min(least, 0.999)), p * degree / 2);
  const float taken_off = share_taken_off * threshold;
  SparseMatrix weights(p, p);
  std::vector<Index> columns;
  std::vector<double> values;
  for (Index j = 0; j < p; ++j) {
    const float* const column = r.data() + j * p;
    for (Index i = 0; i < p; ++i) {
      if (column[i] <= threshold || i == j) continue;
      columns.push_back(i);
      values.push_back(static_cast<double>(column[i] - taken_off));
    }
    weights.outerIndexPtr()[j + 1] = static_cast<Index>(columns.size());
  }
  weights.resizeNonZeros(static_cast<Index>(columns.size()));
  std::ranges::copy(columns, weights.innerIndexPtr());
  std::ranges::copy(values, weights.valuePtr());
  return weights;
}

}  // namespace disc
