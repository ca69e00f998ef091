// Groups that were found among some of the features, extended to all of them. method (18)
#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/prepared_columns.hpp"
#include "groups/membership.hpp"
#include "matrix/blas.hpp"
#include "matrix/normal_quantile.hpp"
#include "stats/extend.hpp"
#include "stats/significance.hpp"

namespace disc {
namespace {

constexpr Index features_at_once = 4096;
constexpr double share_of_mean_score = 1.0 / 3.0;  // as for the features that were tested

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

MatrixF values_of(const PreparedColumns& prepared, std::span<const Index> features) {
  RowMatrix rows;
  prepared.fill(0, prepared.samples(), features, rows);
  return rows.cast<float>();
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

GroupDirections directions_of(const PreparedColumns& prepared, std::span<const FeatureGroup> groups,
                              std::span<const Index> places, Index features) {
  GroupDirections result;
  result.vectors.resize(prepared.samples(), static_cast<Index>(groups.size()));
  result.threshold.resize(static_cast<Index>(groups.size()));
  const double by_chance = normal_upper_quantile(1.0 / static_cast<double>(features));
  const double root = std::sqrt(static_cast<double>(prepared.samples()));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Eigen::VectorXf sum = Eigen::VectorXf::Zero(prepared.samples());
    const std::vector<Index>& members = groups[g].features;
    for (std::size_t first = 0; first < members.size(); first += at(features_at_once)) {
      std::vector<Index> some;
      for (std::size_t i = first; i < std::min(members.size(), first + at(features_at_once)); ++i) {
        some.push_back(places[at(members[i])]);
      }
      sum += values_of(prepared, some).rowwise().sum();
    }
    // Columns are of length 1: the product with the sum, over its length, is the correlation with the sum.
    result.vectors.col(static_cast<Index>(g)) = sum * static_cast<float>(root / std::max(1e-9F, sum.norm()));
    result.threshold[static_cast<Index>(g)] = std::max(by_chance, share_of_mean_score * mean_of(groups[g].weight));
  }
  return result;
}

Joined join_groups(const PreparedColumns& prepared, const std::vector<bool>& is_drawn,
                   const GroupDirections& directions, const Context& context) {
  const Index all = prepared.features();
  std::vector<std::pair<Index, float>> best(at(all), {-1, 0.0F});
  context.parallel_for((all + features_at_once - 1) / features_at_once, [&](Index piece) {
    std::vector<Index> which;
    for (Index j = piece * features_at_once; j < std::min(all, (piece + 1) * features_at_once); ++j) {
      if (!is_drawn[at(j)]) which.push_back(j);
    }
    if (which.empty()) return;
    const MatrixF products = directions.vectors.transpose() * values_of(prepared, which);
    for (std::size_t i = 0; i < which.size(); ++i) {
      auto& [group, largest] = best[at(which[i])];
      for (Index g = 0; g < products.rows(); ++g) {
        const float score = products(g, static_cast<Index>(i));
        if (static_cast<double>(score) <= directions.threshold[g] || score <= largest) continue;
        largest = score;
        group = g;
      }
    }
  });
  const auto groups = at(directions.vectors.cols());
  Joined joined{std::vector<std::vector<Index>>(groups), std::vector<std::vector<double>>(groups)};
  for (Index j = 0; j < all; ++j) {
    const auto& [group, score] = best[at(j)];
    if (group < 0) continue;
    joined.features[at(group)].push_back(j);
    joined.scores[at(group)].push_back(static_cast<double>(score));
  }
  return joined;
}

namespace {

void renumber(std::vector<Index>& features, std::span<const Index> drawn) {
  for (Index& j : features) j = drawn[at(j)];
}

// All members, ascending, with their scores.
void take_members(FeatureGroup& group, std::vector<Index> joined, const std::vector<double>& scores) {
  std::vector<std::pair<Index, double>> members;
  for (std::size_t i = 0; i < group.features.size(); ++i) {
    members.emplace_back(group.features[i], group.weight[i]);
  }
  for (std::size_t i = 0; i < joined.size(); ++i) members.emplace_back(joined[i], scores[i]);
  std::ranges::sort(members);
  group.weight.resize(members.size());
  group.features.clear();
  for (std::size_t i = 0; i < members.size(); ++i) {
    group.features.push_back(members[i].first);
    group.weight[i] = members[i].second;
  }
}

}  // namespace

void take_joined(std::vector<FeatureGroup>& groups, std::span<const Index> drawn, Joined joined) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    GroupEvidence& evidence = groups[g].evidence;
    groups[g].sign.clear();  // known of the features that were tested only
    renumber(groups[g].features, drawn);
    renumber(evidence.hubs, drawn);
    evidence.core.clear();  // known of the features that were tested only
    for (GainedEdge& edge : evidence.edges) edge = {drawn[at(edge.a)], drawn[at(edge.b)], edge.here, edge.elsewhere};
    take_members(groups[g], std::move(joined.features[g]), joined.scores[g]);
  }
}

void renumber_rest(TestedCondition& condition, std::span<const Index> drawn) {
  for (FeatureGroup& candidate : condition.candidates) renumber(candidate.features, drawn);
  if (!condition.pairs) return;
  for (ChangedPair& pair : condition.pairs->pairs) {
    pair.a = drawn[at(pair.a)];
    pair.b = drawn[at(pair.b)];
  }
}

void extend_groups(std::span<const Dataset> conditions, const FeatureMatch& match, std::span<const Index> drawn,
                   const TestOptions& options, TestResult& result, const Context& context) {
  prepare_blas();
  std::vector<bool> is_drawn(match.features.size(), false);
  for (const Index j : drawn) is_drawn[at(j)] = true;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    renumber_rest(result.conditions[m], drawn);
    std::vector<FeatureGroup>& groups = result.conditions[m].groups;
    if (groups.empty()) continue;
    const PreparedColumns prepared(conditions[m], match.columns[m], *options.graph.distance, context);
    const GroupDirections directions = directions_of(prepared, groups, drawn, prepared.features());
    take_joined(groups, drawn, join_groups(prepared, is_drawn, directions, context));
  }
}

}  // namespace disc
