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

// The points of this process for squared distances by direct differences. In double where the nearest are exact; an approximate
// search gives no reason for more digits than its own points have.
class DistancePoints {
 public:
  DistancePoints(const PreparedColumns& columns, const MatrixF& single, bool full, const Partition& partition,
                 const Context& context)
      : single_(single), sign_free_(columns.sign_free()), partition_(partition), context_(context) {
    if (!full) return;
    double_.resize(single.rows(), single.cols());
    columns.fill_points(double_, 0, context);
  }
  // squared[k] of own feature j and others[k] for all k from begin(j) to begin(j + 1), as the points of every process come by.
  // `order`: near features side by side, or empty.
  template <class Name, class Begin>
  void fill(const Name* others, double* squared, Begin&& begin, std::span<const Index> order) const {
    double_.size() > 0 ? fill_from(double_, others, squared, begin, order)
                       : fill_from(single_, others, squared, begin, order);
  }
  // Median distance between some features that stand for all.
  double median() const { return double_.size() > 0 ? median_of(double_) : median_of(single_); }

 private:
  template <class Column>
  double of(const Column& x, const Column& y) const {
    const auto apart = static_cast<double>((x - y).squaredNorm());
    return sign_free_ ? std::min(apart, static_cast<double>((x + y).squaredNorm())) : apart;
  }
  template <class Points, class Name, class Begin>
  void fill_from(const Points& points, const Name* others, double* squared, Begin& begin,
                 std::span<const Index> order) const {
    context_.team().ring(points, [&](int from, const Points& visiting) {
      const Index first = partition_.begin[at(from)];
      for_each_feature(partition_.count, context_, [&](Index place) {
        const Index j = order.empty() ? place : order[at(place)];
        for (Index k = begin(j); k < begin(j + 1); ++k) {
          const Index other = others[k] - first;
          if (other >= 0 && other < visiting.cols()) squared[k] = of(visiting.col(other), points.col(j));
        }
      });
    });
  }
  template <class Points>
  double median_of(const Points& points) const {
    const Index features = partition_.total();
    const Index count = std::min(features, features_for_the_median);
    std::vector<Index> own;
    for (Index a = 0; a < count; ++a) {
      const Index feature = a * features / count;
      if (partition_.is_own(feature)) own.push_back(feature - partition_.first);
    }
    const Points picked = points(Eigen::all, own);
    const auto values = context_.team().gather_all<typename Points::Scalar>({picked.data(), at(picked.size())});
    const Eigen::Map<const Points> sample(values.data(), points.rows(), count);
    Matrix squared = Matrix::Zero(count, count);
    for (Index b = 0; b < count; ++b) {
      for (Index a = b + 1; a < count; ++a) squared(a, b) = of(sample.col(a), sample.col(b));
    }
    const double median = median_below_diagonal(squared);
    return median > 0 ? std::sqrt(median) : 1.0;
  }

  const MatrixF& single_;
  Matrix double_;
  bool sign_free_;
  const Partition& partition_;
  const Context& context_;
};

// The `count` nearest of those found.
void keep_nearest(NearestFeatures& nearest, Index count, const DistancePoints& points, const Context& context) {
  std::vector<double> squared(nearest.of.size());
  points.fill(nearest.of.data(), squared.data(), [&](Index j) { return j * nearest.count; }, {});
  std::vector<std::int32_t> kept(at(nearest.features * count));
  for_each_feature(nearest.features, context, [&](Index j) {
    std::vector<std::pair<double, std::int32_t>> found;
    for (Index k = j * nearest.count; k < (j + 1) * nearest.count; ++k) {
      found.emplace_back(squared[at(k)], nearest.of[at(k)]);
    }
    std::ranges::sort(found);
    for (Index k = 0; k < count; ++k) kept[at(j * count + k)] = found[at(k)].second;
  });
  nearest.of = std::move(kept);
  nearest.count = count;
}

// Rows of own features with the pairs and, where it has weight, the feature itself; the values are still open.
SparseMatrix rows_of(const PairLists& pairs, bool with_own, const Partition& partition, const Context& context) {
  SparseMatrix rows(partition.count, partition.total());
  for (Index j = 0; j <= partition.count; ++j) rows.outerIndexPtr()[j] = pairs.begin[at(j)] + (with_own ? j : 0);
  rows.resizeNonZeros(rows.outerIndexPtr()[partition.count]);
  for_each_feature(partition.count, context, [&](Index j) {
    const std::span<const std::int32_t> others = pairs.row(j);
    const auto larger = std::ranges::upper_bound(others, static_cast<std::int32_t>(partition.first + j));
    Index* next = std::copy(others.begin(), larger, rows.innerIndexPtr() + rows.outerIndexPtr()[j]);
    if (with_own) *next++ = partition.first + j;
    std::copy(larger, others.end(), next);
  });
  return rows;
}

// Distance to the k-th nearest, of all features in every process; features whose k nearest are duplicates get the smallest positive
// one.
void find_bandwidths(const NearestFeatures& nearest, const SparseMatrix& squared, Index k, KernelInputs& inputs,
                     const Context& context) {
  Vector own(nearest.features);
  for_each_feature(nearest.features, context, [&](Index j) {
    const Index* const begin = squared.innerIndexPtr() + squared.outerIndexPtr()[j];
    const Index* const end = squared.innerIndexPtr() + squared.outerIndexPtr()[j + 1];
    std::vector<double> found;
    for (const Index other : nearest.row(j)) {
      found.push_back(squared.valuePtr()[std::lower_bound(begin, end, other) - squared.innerIndexPtr()]);
    }
    std::ranges::nth_element(found, found.begin() + k - 1);
    own[j] = std::sqrt(found[at(k - 1)]);
  });
  inputs.bandwidths = without_zeros(context.team().rows_to_all(own), inputs.duplicates);
}

// From squared distances to weights, in place.
void weigh(SparseMatrix& rows, const KernelColumn& kernel, double own, Index first, const Context& context) {
  for_each_feature(rows.rows(), context, [&](Index j) {
    for (SparseMatrix::InnerIterator entry(rows, j); entry; ++entry) {
      double& weight = entry.valueRef();
      if (entry.col() == first + j) {
        weight = own;
      } else {
        kernel(&weight, entry.col(), 1, first + j, &weight);
      }
    }
  });
}

struct Edge {
  std::int32_t feature, other;
};

// Pairs that other processes found for own features.
std::vector<Edge> found_by_others(const NearestFeatures& nearest, const Partition& partition, const Team& team) {
  std::vector<std::vector<Edge>> edges(at(team.size()));
  for (Index j = 0; j < nearest.features; ++j) {
    for (const std::int32_t other : nearest.row(j)) {
      if (partition.is_own(other)) continue;
      edges[at(partition.owner(other))].push_back({other, static_cast<std::int32_t>(partition.first + j)});
    }
  }
  return team.exchange(edges);
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
  const Team& team = context.team();
  const Partition partition = team.partition_of(points.values.cols());
  const bool exact = is_search_exact(options, partition.total(), points.values.rows());
  const auto name = [&] {
    return Fingerprint("nearest")
        .add(digest_of_columns(points.values, partition.first, team))
        .add(points.sign_free)
        .add(count)
        .add(exact)
        .add(options.recall)
        .add(context.seed())
        .name();
  };
  return load_or_compute(context, partition, name, [&] {
    return exact ? nearest_by_comparison(points, count, context)
                 : nearest_by_cells(points, count, options.recall, context);
  });
}

PairLists both_ways(const NearestFeatures& nearest, const Context& context) {
  const Partition partition = context.team().partition_of(nearest.features);
  const std::vector<Edge> arrived = found_by_others(nearest, partition, context.team());
  PairLists all;
  std::vector<Index> size(at(nearest.features), nearest.count);
  for (const std::int32_t other : nearest.of) {
    if (partition.is_own(other)) ++size[at(other - partition.first)];
  }
  for (const Edge& edge : arrived) ++size[at(edge.feature - partition.first)];
  std::vector<Index> begin(at(nearest.features) + 1, 0);
  for (Index j = 0; j < nearest.features; ++j) begin[at(j) + 1] = begin[at(j)] + size[at(j)];
  std::vector<std::int32_t> entries(at(begin.back()));
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  const auto add = [&](Index feature, Index other) {
    entries[at(next[at(feature - partition.first)]++)] = static_cast<std::int32_t>(other);
  };
  for (Index j = 0; j < nearest.features; ++j) {
    for (const std::int32_t other : nearest.row(j)) {
      add(partition.first + j, other);
      if (partition.is_own(other)) add(other, partition.first + j);
    }
  }
  for (const Edge& edge : arrived) add(edge.feature, edge.other);
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
  const Partition partition = context.team().partition_of(columns.features());
  const Index p = partition.total();
  resolve_nearest(used, p);
  FeaturePoints points{{}, columns.sign_free()};
  resize_in_large_pages(points.values, columns.samples(), partition.count);
  columns.fill_points(points.values, 0, context);
  const bool all_compared = is_search_exact(used, p, columns.samples());
  NearestFeatures nearest = find_nearest(points, all_compared ? with_spare(*used.knn, p) : *used.knn, used, context);
  used.knn_search = nearest.exact ? NeighborSearch::exact : NeighborSearch::approximate;
  const DistancePoints distances(columns, points.values, nearest.exact, partition, context);
  if (nearest.exact) keep_nearest(nearest, *used.knn, distances, context);
  const bool with_own = *used.self_weight > 0;
  SparseMatrix rows = rows_of(both_ways(nearest, context), with_own, partition, context);
  // Near features one after the other: what they are compared with is still at hand.
  distances.fill(
      rows.innerIndexPtr(), rows.valuePtr(), [&](Index j) { return rows.outerIndexPtr()[j]; }, nearest.locality_order);
  KernelInputs inputs;
  if (used.kernel == Kernel::self_tuning || used.kernel == Kernel::adaptive) {
    find_bandwidths(nearest, rows, *used.bandwidth_neighbors, inputs, context);
  } else if (used.kernel == Kernel::rbf && !used.bandwidth) {
    used.bandwidth = distances.median();
  } else if (used.kernel == Kernel::association) {
    inputs.cut = noise_cut(columns.samples(), used);
  }
  weigh(rows, KernelColumn(inputs, used), *used.self_weight, partition.first, context);
  graph.weights = SymmetricMatrix(std::move(rows));
  graph.bandwidths = inputs.bandwidths;
  graph.duplicates = inputs.duplicates;
  graph.recall = nearest.recall;
  graph.locality_order = std::move(nearest.locality_order);
}

}  // namespace disc
