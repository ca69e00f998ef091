// Each feature and its nearest, rows divided over the processes.
#include "graph/neighbor_graph.hpp"

#include <algorithm>
#include <cmath>

#include "distributed/graphs.hpp"
#include "distributed/nearest.hpp"
#include "graph/normalise.hpp"
#include "graph/selection.hpp"

namespace disc::distributed {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// |x|^2 + |y|^2 - 2 x'y loses digits where all features share an offset: what they share at each sample is subtracted if that makes
// them much shorter. It changes no distance.
void subtract_common_part(MatrixF& points, Index total, const MpiTeam& team) {
  constexpr double much_shorter = 0.25;
  Vector mean = points.rowwise().sum().cast<double>();
  team.sum(mean.data(), mean.size());
  mean /= static_cast<double>(total);
  const Eigen::VectorXf shift = mean.cast<float>();
  const double before = team.sum(static_cast<double>(points.squaredNorm()));
  const double after = team.sum(static_cast<double>((points.colwise() - shift).squaredNorm()));
  if (after < much_shorter * before) points.colwise() -= shift;
}

struct Edge {
  std::int32_t feature, other;
};

// Own features and the others they are joined with, in either direction; ascending.
PairLists both_ways(const OwnNearest& nearest, const Partition& partition, const MpiTeam& team) {
  std::vector<std::vector<Edge>> edges(at(team.size()));
  for (Index j = 0; j < partition.count; ++j) {
    for (Index k = 0; k < nearest.count; ++k) {
      const std::int32_t other = nearest.of[at(j * nearest.count + k)];
      edges[at(partition.owner(other))].push_back({other, static_cast<std::int32_t>(partition.first + j)});
    }
  }
  const std::vector<Edge> arrived = team.exchange(edges);
  edges.clear();
  std::vector<std::vector<std::int32_t>> rows(at(partition.count));
  for (Index j = 0; j < partition.count; ++j) {
    const auto first = nearest.of.begin() + j * nearest.count;
    rows[at(j)].assign(first, first + nearest.count);
  }
  for (const Edge& edge : arrived) rows[at(edge.feature - partition.first)].push_back(edge.other);
  PairLists lists;
  lists.begin.assign(1, 0);
  for (std::vector<std::int32_t>& row : rows) {
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    lists.others.insert(lists.others.end(), row.begin(), row.end());
    lists.begin.push_back(static_cast<Index>(lists.others.size()));
    row = {};
  }
  return lists;
}

// Squared distances of all listed pairs by direct differences, as the points of every process come by.
template <class Points>
std::vector<double> distances_of(const PairLists& lists, const Points& points, bool sign_free,
                                 const Partition& partition, const MpiTeam& team, const Context& context) {
  std::vector<double> squared(lists.others.size());
  team.ring(points, [&](int from, const Points& visiting) {
    const Index begin = partition.begin[at(from)];
    const Index end = partition.begin[at(from) + 1];
    constexpr Index rows_at_once = 256;
    context.parallel_for((partition.count + rows_at_once - 1) / rows_at_once, [&](Index piece) {
      for (Index j = piece * rows_at_once; j < std::min(partition.count, (piece + 1) * rows_at_once); ++j) {
        const std::span<const std::int32_t> row = lists.row(j);
        const auto first = std::lower_bound(row.begin(), row.end(), static_cast<std::int32_t>(begin));
        for (auto other = first; other != row.end() && *other < end; ++other) {
          const auto x = points.col(j);
          const auto y = visiting.col(*other - begin);
          double apart = static_cast<double>((x - y).squaredNorm());
          if (sign_free) apart = std::min(apart, static_cast<double>((x + y).squaredNorm()));
          squared[at(lists.begin[at(j)] + (other - row.begin()))] = apart;
        }
      }
    });
  });
  return squared;
}

// The others of each list that are the `count` nearest by these distances.
void keep_nearest(OwnNearest& nearest, Index count, const PairLists& lists, const std::vector<double>& squared) {
  nearest.of.clear();
  std::vector<std::pair<double, std::int32_t>> found;
  for (Index j = 0; j < lists.features(); ++j) {
    found.clear();
    for (Index k = lists.begin[at(j)]; k < lists.begin[at(j) + 1]; ++k) {
      found.emplace_back(squared[at(k)], lists.others[at(k)]);
    }
    std::ranges::sort(found);
    for (Index k = 0; k < count; ++k) nearest.of.push_back(found[at(k)].second);
  }
  nearest.count = count;
}

// Own features and the nearest found for them; ascending.
PairLists one_way(const OwnNearest& nearest, Index features) {
  PairLists lists;
  lists.begin.assign(1, 0);
  lists.others = nearest.of;
  for (Index j = 0; j < features; ++j) {
    const auto first = lists.others.begin() + j * nearest.count;
    std::sort(first, first + nearest.count);
    lists.begin.push_back((j + 1) * nearest.count);
  }
  return lists;
}

// Distance to the k-th nearest, of all features in every process.
Vector bandwidths_of(const PairLists& lists, const std::vector<double>& squared, const OwnNearest& nearest, Index k,
                     const MpiTeam& team) {
  Vector own(lists.features());
  std::vector<double> found;
  for (Index j = 0; j < own.size(); ++j) {
    found.clear();
    const std::span<const std::int32_t> row = lists.row(j);
    for (Index n = 0; n < nearest.count; ++n) {
      const auto place = std::ranges::lower_bound(row, nearest.of[at(j * nearest.count + n)]) - row.begin();
      found.push_back(squared[at(lists.begin[at(j)] + place)]);
    }
    std::ranges::nth_element(found, found.begin() + k - 1);
    own[j] = std::sqrt(found[at(k - 1)]);
  }
  return team.rows_to_all(own);
}

// Median distance between some features that stand for all.
double median_distance(const Matrix& points, bool sign_free, const Partition& partition, const MpiTeam& team) {
  const Index p = partition.total();
  const Index count = std::min(p, features_for_the_median);
  std::vector<Index> own;
  for (Index a = 0; a < count; ++a) {
    const Index feature = a * p / count - partition.first;
    if (feature >= 0 && feature < partition.count) own.push_back(feature);
  }
  const Matrix picked = points(Eigen::all, own);
  const std::vector<double> values = team.gather_all<double>({picked.data(), at(picked.size())});
  const Eigen::Map<const Matrix> sample(values.data(), points.rows(), count);
  Matrix squared = Matrix::Zero(count, count);
  for (Index b = 0; b < count; ++b) {
    for (Index a = b + 1; a < count; ++a) {
      squared(a, b) = (sample.col(a) - sample.col(b)).squaredNorm();
      if (sign_free) squared(a, b) = std::min(squared(a, b), (sample.col(a) + sample.col(b)).squaredNorm());
    }
  }
  const double median = median_below_diagonal(squared);
  return median > 0 ? std::sqrt(median) : 1.0;
}

SparseRows weigh(const PairLists& lists, const std::vector<double>& squared, const KernelInputs& inputs,
                 const GraphOptions& used, const Partition& partition) {
  const KernelColumn kernel(inputs, used);
  SparseRows rows;
  rows.begin.assign(1, 0);
  for (Index j = 0; j < partition.count; ++j) {
    const Index feature = partition.first + j;
    bool own_is_there = false;
    const auto add = [&](Index other, double weight) {
      rows.others.push_back(static_cast<PetscInt>(other));
      rows.weights.push_back(weight);
    };
    for (Index k = lists.begin[at(j)]; k < lists.begin[at(j) + 1]; ++k) {
      const Index other = lists.others[at(k)];
      if (!own_is_there && other > feature) {
        add(feature, *used.self_weight);
        own_is_there = true;
      }
      double weight = squared[at(k)];
      kernel(&weight, other, 1, feature, &weight);
      add(other, weight);
    }
    if (!own_is_there) add(feature, *used.self_weight);
    rows.begin.push_back(static_cast<PetscInt>(rows.others.size()));
  }
  return rows;
}

}  // namespace

Graph neighbor_graph(const Dataset& condition, std::span<const Index> own_columns, const GraphOptions& options,
                     const Kept& kept, const MpiTeam& team, const Context& context) {
  const Partition partition = team.partition_of(static_cast<Index>(own_columns.size()));
  const Index p = partition.total();
  check_graph_options(options, p);
  Graph graph;
  FeatureGraph& facts = graph.facts;
  facts.used = resolved_by_kernel(options);
  GraphOptions& used = facts.used;
  used.form = GraphForm::knn;
  resolve_nearest(used, p);
  const PreparedColumns prepared(condition, own_columns, *used.distance, context, false);
  const bool sign_free = prepared.sign_free();
  const bool exact = is_search_exact(used, p, prepared.samples());
  FeaturePoints points{MatrixF(prepared.samples(), partition.count), sign_free};
  prepared.fill_points(points.values, 0, context);
  if (*used.distance == Distance::euclidean) subtract_common_part(points.values, p, team);
  OwnNearest nearest = kept.load_or_compute(partition, [&] {
    return exact ? nearest_by_ring(points, with_spare(*used.knn, p), partition, team, context)
                 : nearest_by_cells(std::move(points), *used.knn, used.recall, partition, team, context);
  });
  used.knn_search = nearest.exact ? NeighborSearch::exact : NeighborSearch::approximate;
  facts.recall = nearest.recall;

  // In double where the nearest are exact; an approximate search gives no reason for more digits than its own points have.
  PairLists lists;
  std::vector<double> squared;
  KernelInputs inputs;
  const bool needs_median = used.kernel == Kernel::rbf && !used.bandwidth;
  if (nearest.exact || needs_median) {
    points.values.resize(0, 0);
    Matrix precise(prepared.samples(), partition.count);
    prepared.fill_points(precise, 0, context);
    if (needs_median) used.bandwidth = median_distance(precise, sign_free, partition, team);
    if (nearest.exact) {
      lists = one_way(nearest, partition.count);
      keep_nearest(nearest, *used.knn, lists, distances_of(lists, precise, sign_free, partition, team, context));
    }
    lists = both_ways(nearest, partition, team);
    squared = distances_of(lists, precise, sign_free, partition, team, context);
  } else {
    points.values.resize(prepared.samples(), partition.count);
    prepared.fill_points(points.values, 0, context);
    lists = both_ways(nearest, partition, team);
    squared = distances_of(lists, points.values, sign_free, partition, team, context);
  }
  if (used.kernel == Kernel::self_tuning || used.kernel == Kernel::adaptive) {
    inputs.bandwidths =
        without_zeros(bandwidths_of(lists, squared, nearest, *used.bandwidth_neighbors, team), inputs.duplicates);
  } else if (used.kernel == Kernel::association) {
    inputs.cut = noise_cut(prepared.samples(), used);
  }
  facts.duplicates = inputs.duplicates;
  graph.walk = std::make_unique<Walk>(sparse_rows(weigh(lists, squared, inputs, used, partition), partition, team),
                                      used, partition, team);
  return graph;
}

}  // namespace disc::distributed
