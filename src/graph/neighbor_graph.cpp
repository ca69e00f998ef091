#include "graph/neighbor_graph.hpp"

#include <algorithm>
#include <cmath>

#include "graph/selection.hpp"
#include "matrix/checkpoint.hpp"
#include "matrix/large_pages.hpp"

namespace disc {
namespace {

constexpr double few_multiplications = 2e11;  // some seconds
constexpr Index features_at_once = 256;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class F>
void for_each_feature(Index features, const Context& context, F&& work) {
  context.parallel_for((features + features_at_once - 1) / features_at_once, [&](Index piece) {
    const Index end = std::min(features, (piece + 1) * features_at_once);
    for (Index j = piece * features_at_once; j < end; ++j) work(j);
  });
}

// Squared distances of single pairs by direct differences. In double where the nearest are exact; an approximate search
// gives no reason for more digits than its own points have.
class PairDistances {
 public:
  PairDistances(const PreparedColumns& columns, const MatrixF& single, bool full, const Context& context)
      : single_(single), sign_free_(columns.sign_free()) {
    if (!full) return;
    double_.resize(single.rows(), single.cols());
    columns.fill_points(double_, 0, context);
  }
  double operator()(Index i, Index j) const {
    return double_.size() > 0 ? of(double_.col(i), double_.col(j)) : of(single_.col(i), single_.col(j));
  }

 private:
  template <class Column>
  double of(const Column& x, const Column& y) const {
    const auto apart = static_cast<double>((x - y).squaredNorm());
    return sign_free_ ? std::min(apart, static_cast<double>((x + y).squaredNorm())) : apart;
  }
  const MatrixF& single_;
  Matrix double_;
  bool sign_free_;
};

// The `count` nearest of those found.
void keep_nearest(NearestFeatures& nearest, Index count, const PairDistances& distance, const Context& context) {
  std::vector<std::int32_t> kept(at(nearest.features * count));
  for_each_feature(nearest.features, context, [&](Index j) {
    std::vector<std::pair<double, std::int32_t>> found;
    for (const std::int32_t other : nearest.row(j)) found.emplace_back(distance(other, j), other);
    std::ranges::sort(found);
    for (Index k = 0; k < count; ++k) kept[at(j * count + k)] = found[at(k)].second;
  });
  nearest.of = std::move(kept);
  nearest.count = count;
}

// Distance to the k-th nearest; features whose k nearest are duplicates get the smallest positive one.
void find_bandwidths(const NearestFeatures& nearest, const PairDistances& distance, Index k, KernelInputs& inputs,
                     const Context& context) {
  inputs.bandwidths.resize(nearest.features);
  for_each_feature(nearest.features, context, [&](Index j) {
    std::vector<double> squared;
    for (const std::int32_t other : nearest.row(j)) squared.push_back(distance(other, j));
    std::ranges::nth_element(squared, squared.begin() + k - 1);
    inputs.bandwidths[j] = std::sqrt(squared[at(k - 1)]);
  });
  inputs.bandwidths = without_zeros(std::move(inputs.bandwidths), inputs.duplicates);
}

double median_distance(Index features, const PairDistances& distance) {
  const Index count = std::min(features, features_for_the_median);
  Matrix squared = Matrix::Zero(count, count);
  for (Index b = 0; b < count; ++b) {
    for (Index a = b + 1; a < count; ++a) squared(a, b) = distance(a * features / count, b * features / count);
  }
  const double median = median_below_diagonal(squared);
  return median > 0 ? std::sqrt(median) : 1.0;
}

}  // namespace

void resolve_nearest(GraphOptions& used, Index features) {
  const bool has_bandwidths = used.kernel == Kernel::self_tuning || used.kernel == Kernel::adaptive;
  if (has_bandwidths && !used.bandwidth_neighbors) used.bandwidth_neighbors = usual_neighbors(features);
  const Index needed = has_bandwidths ? *used.bandwidth_neighbors : 1;
  if (!used.knn) used.knn = std::min(features - 1, std::max(usual_nearest, needed));
  if (*used.knn > features - 1) {
    throw OptionError("knn", std::to_string(*used.knn),
                      "must be at most " + std::to_string(features - 1) + " (features used - 1)");
  }
  if (*used.knn < needed) {
    throw OptionError("knn", std::to_string(*used.knn),
                      "must be at least --bandwidth-neighbors, " + std::to_string(needed) + ": bandwidths need them");
  }
  if (used.kernel == Kernel::association && used.association_cut == AssociationCut::fdr) {
    throw OptionError("association-cut", "fdr", "needs all pairs: use --graph dense, or the soft or hard cut");
  }
}

bool is_search_exact(const GraphOptions& options, Index features, Index dimensions) {
  const auto p = static_cast<double>(features);
  const bool is_cheap = p * p * static_cast<double>(dimensions) < few_multiplications;
  return options.knn_search == NeighborSearch::exact || (options.knn_search == NeighborSearch::automatic && is_cheap);
}

NearestFeatures find_nearest(const FeaturePoints& points, Index count, const GraphOptions& options,
                             const Context& context) {
  const bool exact = is_search_exact(options, points.values.cols(), points.values.rows());
  const auto fingerprint = [&] {
    return Fingerprint("nearest")
        .add(points.values)
        .add(points.sign_free)
        .add(count)
        .add(exact)
        .add(options.recall)
        .add(context.seed());
  };
  return load_or_compute(context, fingerprint, [&] {
    return exact ? nearest_by_comparison(points, count, context)
                 : nearest_by_cells(points, count, options.recall, context);
  });
}

PairLists both_ways(const NearestFeatures& nearest, const Context& context) {
  PairLists all;
  std::vector<Index> size(at(nearest.features), nearest.count);
  for (const std::int32_t other : nearest.of) ++size[at(other)];
  std::vector<Index> begin(at(nearest.features) + 1, 0);
  for (Index j = 0; j < nearest.features; ++j) begin[at(j) + 1] = begin[at(j)] + size[at(j)];
  std::vector<std::int32_t> entries(at(begin.back()));
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for (Index j = 0; j < nearest.features; ++j) {
    for (const std::int32_t other : nearest.row(j)) {
      entries[at(next[at(j)]++)] = other;
      entries[at(next[at(other)]++)] = static_cast<std::int32_t>(j);
    }
  }
  for_each_feature(nearest.features, context, [&](Index j) {
    const auto first = entries.begin() + begin[at(j)];
    const auto last = entries.begin() + begin[at(j) + 1];
    std::sort(first, last);
    size[at(j)] = std::unique(first, last) - first;
  });
  all.begin.assign(at(nearest.features) + 1, 0);
  for (Index j = 0; j < nearest.features; ++j) all.begin[at(j) + 1] = all.begin[at(j)] + size[at(j)];
  all.others.resize(at(all.begin.back()));
  for_each_feature(nearest.features, context, [&](Index j) {
    std::copy_n(entries.begin() + begin[at(j)], size[at(j)], all.others.begin() + all.begin[at(j)]);
  });
  return all;
}

void build_neighbor_graph(const PreparedColumns& columns, FeatureGraph& graph, const Context& context) {
  GraphOptions& used = graph.used;
  const Index p = columns.features();
  resolve_nearest(used, p);
  FeaturePoints points{{}, columns.sign_free()};
  resize_in_large_pages(points.values, columns.samples(), p);
  columns.fill_points(points.values, 0, context);
  const bool all_compared = is_search_exact(used, p, columns.samples());
  NearestFeatures nearest = find_nearest(points, all_compared ? with_spare(*used.knn, p) : *used.knn, used, context);
  used.knn_search = nearest.exact ? NeighborSearch::exact : NeighborSearch::approximate;
  const PairDistances distance(columns, points.values, nearest.exact, context);
  if (nearest.exact) keep_nearest(nearest, *used.knn, distance, context);
  KernelInputs inputs;
  if (used.kernel == Kernel::self_tuning || used.kernel == Kernel::adaptive) {
    find_bandwidths(nearest, distance, *used.bandwidth_neighbors, inputs, context);
  } else if (used.kernel == Kernel::rbf && !used.bandwidth) {
    used.bandwidth = median_distance(p, distance);
  } else if (used.kernel == Kernel::association) {
    inputs.cut = noise_cut(columns.samples(), used);
  }
  const PairLists pairs = both_ways(nearest, context);
  const KernelColumn kernel(inputs, used);
  const double own = *used.self_weight;
  SparseMatrix weights(p, p);
  for (Index j = 0; j <= p; ++j) weights.outerIndexPtr()[j] = pairs.begin[at(j)] + (own > 0 ? j : 0);
  weights.resizeNonZeros(weights.outerIndexPtr()[p]);
  // Near features one after the other: what they are compared with is still at hand.
  for_each_feature(p, context, [&](Index place) {
    const Index j = nearest.locality_order.empty() ? place : nearest.locality_order[at(place)];
    Index next = weights.outerIndexPtr()[j];
    bool own_is_there = own <= 0;
    const auto add = [&](Index i, double weight) {
      weights.innerIndexPtr()[next] = i;
      weights.valuePtr()[next++] = weight;
    };
    for (const std::int32_t other : pairs.row(j)) {
      if (!own_is_there && other > j) {
        add(j, own);
        own_is_there = true;
      }
      double weight = distance(other, j);
      kernel(&weight, other, 1, j, &weight);
      add(other, weight);
    }
    if (!own_is_there) add(j, own);
  });
  graph.weights = SymmetricMatrix(std::move(weights));
  graph.bandwidths = inputs.bandwidths;
  graph.duplicates = inputs.duplicates;
  graph.recall = nearest.recall;
  graph.locality_order = std::move(nearest.locality_order);
}

}  // namespace disc
