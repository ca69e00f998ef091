#include "groups/strongest_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace disc {
namespace {

constexpr Index bins = 4096;
constexpr float share_taken_off = 0.5F;  // of the threshold: a pair just above it still counts

struct Pair {
  std::int32_t row, col;
  float value;
};

// The pairs whose correlation exceeds `least`, column by column of the lower triangle.
std::vector<Pair> pairs_above(const MatrixF& r, float least) {
  std::vector<Pair> pairs(static_cast<std::size_t>(r.rows()));
  std::size_t count = 0;
  for (Index j = 0; j < r.cols(); ++j) {
    const float* const column = r.data() + j * r.rows();
    pairs.resize(count + static_cast<std::size_t>(r.rows()));
    Pair* const into = pairs.data();
    for (Index i = j + 1; i < r.rows();
         ++i) {  // every pair is written, and kept if it counts: there is nothing to predict
      into[count] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), column[i]};
      count += column[i] > least ? 1 : 0;
    }
  }
  pairs.resize(count);
  return pairs;
}

// The value that about `wanted` pairs exceed, but at least `least`.
float threshold_of(std::span<const Pair> pairs, float least, Index wanted) {
  std::array<Index, bins> count{};
  const float scale = static_cast<float>(bins) / (1.0F - std::min(least, 0.999F));
  for (const Pair& pair : pairs) {
    const auto bin = static_cast<Index>((pair.value - least) * scale);
    ++count[static_cast<std::size_t>(std::min(bin, bins - 1))];
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
  const auto least = static_cast<float>(std::min(z / std::sqrt(static_cast<double>(correlations.samples)), 0.999));
  std::vector<Pair> pairs = pairs_above(r, least);
  const float threshold = threshold_of(pairs, least, p * degree / 2);
  std::erase_if(pairs, [&](const Pair& pair) { return pair.value <= threshold; });
  const float taken_off = share_taken_off * threshold;
  SparseMatrix weights(p, p);
  Index* const begin = weights.outerIndexPtr();
  for (const Pair& pair : pairs) {
    ++begin[pair.row + 1];
    ++begin[pair.col + 1];
  }
  std::partial_sum(begin, begin + p + 1, begin);
  weights.resizeNonZeros(begin[p]);
  std::vector<Index> next(begin, begin + p);
  const auto add = [&](std::int32_t row, std::int32_t col, float value) {
    const Index place = next[static_cast<std::size_t>(row)]++;
    weights.innerIndexPtr()[place] = col;
    weights.valuePtr()[place] = static_cast<double>(value - taken_off);
  };
  // Every row gets its entries in ascending order: what lies left of the diagonal comes from the columns before.
  for (const Pair& pair : pairs) {
    add(pair.row, pair.col, pair.value);
    add(pair.col, pair.row, pair.value);
  }
  return weights;
}

}  // namespace disc
