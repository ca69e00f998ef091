#include "graph/nearest_features.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "graph/best_matches.hpp"
#include "graph/leaves.hpp"
#include "matrix/blas.hpp"
#include "matrix/simd.hpp"

namespace disc {
namespace {

constexpr Index queries_at_once = 256;
constexpr Index others_at_once = 1024;
constexpr Index leaf_size = 256;
constexpr Index fewest_leaves_compared = 8;
constexpr Index features_looked_at = 400;  // to measure the recall
constexpr double recall_margin = 0.004;    // above what is asked for: the sample has its own chance

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

DISC_SIMD void keys_of_products(const float* half_squares, bool sign_free, Index count, float* products) {
  if (sign_free) {
    for (Index i = 0; i < count; ++i) products[i] = -(products[i] < 0 ? -products[i] : products[i]);
  } else {
    for (Index i = 0; i < count; ++i) products[i] = half_squares[i] - products[i];
  }
}

// Compares runs of points with each other; the smaller the key, the nearer.
class Comparison {
 public:
  explicit Comparison(const FeaturePoints& points) : points_(points) {
    half_squares_ = 0.5F * points.values.colwise().squaredNorm().transpose();
  }

  // Offers points begin .. end - 1 to every query; query q is point queries.col(q), called names[q] itself.
  void offer(const MatrixF& queries, std::span<const std::int32_t> names, Index begin, Index end, MatrixF& products,
             std::vector<BestMatches>& best) const {
    const MatrixF& x = points_.values;
    for (Index first = begin; first < end; first += others_at_once) {
      const Index here = std::min(others_at_once, end - first);
      products.resize(here, queries.cols());
      multiply(Op::transposed, Op::plain, 1.0F, {x.data() + first * x.rows(), x.rows(), here, x.rows()},
               tile_of(queries), 0.0F, tile_of(products));
      for (Index q = 0; q < queries.cols(); ++q) {
        float* const keys = products.data() + q * here;
        keys_of_products(half_squares_.data() + first, points_.sign_free, here, keys);
        best[at(q)].offer(keys, here, static_cast<std::int32_t>(first), names[at(q)]);
      }
    }
  }

 private:
  const FeaturePoints& points_;
  Eigen::VectorXf half_squares_;
};

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
    for (Index begin = 0; begin < all; begin += 16 * others_at_once) {
      context.check_stop();
      comparison.offer(picked, names, begin, std::min(all, begin + 16 * others_at_once), products, best);
    }
    for (Index q = 0; q < here; ++q) best[at(q)].finish(result.data() + (first + q) * count);
  });
  return result;
}

// For every leaf the others from near to far; itself first.
class LeafMap {
 public:
  LeafMap(const MatrixF& ordered, const Leaves& leaves, const Context& context)
      : centres_(ordered.rows(), leaves.count()) {
    context.parallel_for(leaves.count(), [&](Index leaf) {
      centres_.col(leaf) = ordered.middleCols(leaves.begin[at(leaf)], leaves.size(leaf)).rowwise().mean();
    });
    half_squares_ = 0.5F * centres_.colwise().squaredNorm().transpose();
  }

  // Sign-free points are as near to the mirror image of a centre as to the centre.
  std::vector<Index> from_near_to_far(Index leaf, Index most, bool sign_free) const {
    Eigen::VectorXf keys = centres_.transpose() * centres_.col(leaf);
    keys = sign_free ? (half_squares_ - keys.cwiseAbs()).eval() : (half_squares_ - keys).eval();
    keys[leaf] = -std::numeric_limits<float>::infinity();
    std::vector<Index> order(at(centres_.cols()));
    std::iota(order.begin(), order.end(), Index{0});
    const auto middle = order.begin() + std::min<std::ptrdiff_t>(most, static_cast<std::ptrdiff_t>(order.size()));
    std::partial_sort(order.begin(), middle, order.end(),
                      [&](Index a, Index b) { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); });
    order.erase(middle, order.end());
    return order;
  }
  Index count() const { return centres_.cols(); }

 private:
  MatrixF centres_;
  Eigen::VectorXf half_squares_;
};

// How many leaves must be compared, and which share of the nearest they hold: for some features the true nearest are found,
// and counted by the place of their leaf.
struct Reach {
  Index leaves = 0;
  double recall = 1.0;
};

Reach find_reach(const FeaturePoints& ordered, const Leaves& leaves, const LeafMap& map, Index count, double recall,
                 const Context& context) {
  const Index features = ordered.values.cols();
  std::vector<Index> all(at(features));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Index> sample;
  std::mt19937_64 random = random_stream(context.seed(), "graph/recall");
  std::ranges::sample(all, std::back_inserter(sample), features_looked_at, random);
  const std::vector<std::int32_t> truth = nearest_of(ordered, sample, count, context);
  const auto leaf_of = [&](Index place) {
    return std::upper_bound(leaves.begin.begin(), leaves.begin.end(), place) - leaves.begin.begin() - 1;
  };
  std::vector<std::vector<Index>> found(sample.size(), std::vector<Index>(at(leaves.count()), 0));
  context.parallel_for(static_cast<Index>(sample.size()), [&](Index i) {
    const std::vector<Index> near = map.from_near_to_far(leaf_of(sample[at(i)]), leaves.count(), ordered.sign_free);
    std::vector<Index> place(near.size());
    for (std::size_t k = 0; k < near.size(); ++k) place[at(near[k])] = static_cast<Index>(k);
    for (Index k = 0; k < count; ++k) ++found[at(i)][at(place[at(leaf_of(truth[at(i * count + k)]))])];
  });
  const double total = static_cast<double>(sample.size()) * static_cast<double>(count);
  Reach reach;
  double so_far = 0;
  while (reach.leaves < leaves.count() &&
         (reach.leaves < fewest_leaves_compared || so_far / total < std::min(1.0, recall + recall_margin))) {
    for (const auto& places : found) so_far += static_cast<double>(places[at(reach.leaves)]);
    ++reach.leaves;
  }
  reach.recall = so_far / total;
  return reach;
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
  const LeafMap map(ordered.values, leaves, context);
  const Reach reach = find_reach(ordered, leaves, map, count, recall, context);
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
