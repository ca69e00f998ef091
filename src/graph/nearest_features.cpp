#include "graph/nearest_features.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "graph/comparison.hpp"
#include "graph/leaf_map.hpp"
#include "matrix/blas.hpp"

namespace disc {
namespace {

constexpr Index queries_at_once = 256;
constexpr Index points_between_stops = 16 * 1024;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Nearest of some features among all, by comparison with all.
std::vector<std::int32_t> nearest_of(const FeaturePoints& points, std::span<const Index> which, Index count,
                                     const Context& context) {
  const Comparison comparison(points);
  const auto queries = static_cast<Index>(which.size());
  std::vector<std::int32_t> result(at(queries * count));
  context.parallel_for((queries + queries_at_once - 1) / queries_at_once, [&](Index piece) {
    const Index first = piece * queries_at_once;
    const Index here = std::min(queries_at_once, queries - first);
    MatrixF picked(points.values.rows(), here);
    std::vector<std::int32_t> names(at(here));
    std::vector<BestMatches> best(at(here));
    for (Index q = 0; q < here; ++q) {
      picked.col(q) = points.values.col(which[at(first + q)]);
      names[at(q)] = static_cast<std::int32_t>(which[at(first + q)]);
      best[at(q)].reset(count);
    }
    MatrixF products;
    const Index all = points.values.cols();
    for (Index begin = 0; begin < all; begin += points_between_stops) {
      context.check_stop();
      comparison.offer(picked, names, begin, std::min(all, begin + points_between_stops), products, best);
    }
    for (Index q = 0; q < here; ++q) best[at(q)].finish(result.data() + (first + q) * count);
  });
  return result;
}

// One leaf against those next to it. Names are places in the order of the leaves; far from everything there may be fewer
// matches than asked for only if there are fewer features, which the caller excludes.
void search_leaf(const Comparison& comparison, const FeaturePoints& ordered, const Leaves& leaves,
                 std::span<const Index> near, Index leaf, NearestFeatures& result) {
  const Index begin = leaves.begin[at(leaf)];
  const Index size = leaves.size(leaf);
  const MatrixF queries = ordered.values.middleCols(begin, size);
  std::vector<std::int32_t> names(at(size));
  std::iota(names.begin(), names.end(), static_cast<std::int32_t>(begin));
  std::vector<BestMatches> best(at(size));
  for (BestMatches& matches : best) matches.reset(result.count);
  MatrixF products;
  for (const Index other : near) {
    comparison.offer(queries, names, leaves.begin[at(other)], leaves.begin[at(other) + 1], products, best);
  }
  std::vector<std::int32_t> places(at(result.count));
  for (Index q = 0; q < size; ++q) {
    best[at(q)].finish(places.data());
    std::int32_t* const out = result.of.data() + leaves.order[at(begin + q)] * result.count;
    for (Index k = 0; k < result.count; ++k) out[k] = static_cast<std::int32_t>(leaves.order[at(places[at(k)])]);
  }
}

}  // namespace

NearestFeatures nearest_by_comparison(const FeaturePoints& points, Index count, const Context& context) {
  use_serial_blas();
  NearestFeatures result;
  result.features = points.values.cols();
  result.count = std::min(count, result.features - 1);
  std::vector<Index> all(at(result.features));
  std::iota(all.begin(), all.end(), Index{0});
  result.of = nearest_of(points, all, result.count, context);
  return result;
}

NearestFeatures nearest_by_leaves(const FeaturePoints& points, Index count, double recall, const Context& context) {
  use_serial_blas();
  const Leaves leaves = make_leaves(points.values, leaf_size, context);
  // With so few leaves, or so many neighbours, there is nothing to save.
  if (leaves.count() <= 2 * fewest_leaves_compared || count >= leaf_size * fewest_leaves_compared) {
    return nearest_by_comparison(points, count, context);
  }
  FeaturePoints ordered{MatrixF(points.values.rows(), points.values.cols()), points.sign_free};
  context.parallel_for(leaves.count(), [&](Index leaf) {
    for (Index i = leaves.begin[at(leaf)]; i < leaves.begin[at(leaf) + 1]; ++i) {
      ordered.values.col(i) = points.values.col(leaves.order[at(i)]);
    }
  });
  const LeafMap map(leaf_centres(ordered.values, leaves, context));
  const std::vector<Index> sample = sample_for_recall(points.values.cols(), context);
  const std::vector<std::int32_t> truth = nearest_of(ordered, sample, count, context);
  const Reach reach = find_reach(sample, truth, leaves, map, recall, points.sign_free, context);
  NearestFeatures result;
  result.features = points.values.cols();
  result.count = count;
  result.of.resize(at(result.features * count));
  result.exact = reach.leaves == leaves.count();
  result.recall = reach.recall;
  const Comparison comparison(ordered);
  std::atomic<Index> done{0};
  context.parallel_for(leaves.count(), [&](Index leaf) {
    search_leaf(comparison, ordered, leaves, map.from_near_to_far(leaf, reach.leaves, points.sign_free), leaf, result);
    const Index now = ++done;
    if (now % 64 == 0) context.progress("neighbors", static_cast<double>(now) / static_cast<double>(leaves.count()));
  });
  result.locality_order = leaves.order;
  return result;
}

}  // namespace disc
