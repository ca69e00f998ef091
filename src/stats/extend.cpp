// Groups that were found among some of the features, extended to all of them. method (18)
#include <algorithm>
#include <cmath>
#include <limits>
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

// The groups of one condition as directions: a feature's product with one is its score.
struct GroupDirections {
  MatrixF vectors;  // samples x groups
  Vector threshold;
};

// Features that join a group, and their scores; per group.
struct Joined {
  std::vector<std::vector<Index>> features;
  std::vector<std::vector<double>> scores;
};

// Member i of a group is feature places[i] of `prepared`; `features` is how many there are in all.
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
    // Features join whole groups by what goes together here; parts and what differs in another way stay as they were found.
    const bool is_gained = groups[g].view.kind != ViewKind::separation && !groups[g].is_lost();
    const bool can_grow = is_gained && groups[g].sign.empty() && groups[g].parent < 0;
    result.threshold[static_cast<Index>(g)] = can_grow
                                                  ? std::max(by_chance, share_of_mean_score * mean_of(groups[g].weight))
                                                  : std::numeric_limits<double>::infinity();
  }
  return result;
}

// Every feature that was not drawn joins the group that it scores best with, or none.
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
  if (joined.empty()) return;  // signs stay in their order
  group.weight.resize(members.size());
  group.features.clear();
  for (std::size_t i = 0; i < members.size(); ++i) {
    group.features.push_back(members[i].first);
    group.weight[i] = members[i].second;
  }
}

void take_joined(std::vector<FeatureGroup>& groups, std::span<const Index> drawn, Joined joined) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    GroupEvidence& evidence = groups[g].evidence;
    renumber(groups[g].features, drawn);
    renumber(evidence.hubs, drawn);
    renumber(evidence.core, drawn);  // of the features that were tested
    for (GainedEdge& edge : evidence.edges) edge = {drawn[at(edge.a)], drawn[at(edge.b)], edge.here, edge.elsewhere};
    take_members(groups[g], std::move(joined.features[g]), joined.scores[g]);
  }
}

// Candidates and pairs get the numbers of all features.
void renumber_rest(TestedCondition& condition, std::span<const Index> drawn) {
  for (FeatureGroup& candidate : condition.candidates) renumber(candidate.features, drawn);
  if (!condition.pairs) return;
  for (ChangedPair& pair : condition.pairs->pairs) {
    pair.a = drawn[at(pair.a)];
    pair.b = drawn[at(pair.b)];
  }
}

// Scores with the groups as correlations: one column per feature.
MatrixF correlations_with(const GroupDirections& directions, const PreparedColumns& prepared,
                          const std::vector<Index>& features) {
  return directions.vectors.transpose() * values_of(prepared, features) /
         std::sqrt(static_cast<float>(prepared.samples()));
}

// Mean over features of their smallest gain against the other conditions.
Vector gains_of(std::span<const PreparedColumns> prepared, std::span<const GroupDirections> directions,
                std::size_t condition, Index group, const std::vector<Index>& features) {
  Vector gain = Vector::Constant(static_cast<Index>(features.size()), std::numeric_limits<double>::infinity());
  const MatrixF here = correlations_with(directions[condition], prepared[condition], features);
  for (std::size_t k = 0; k < prepared.size(); ++k) {
    if (k == condition) continue;
    const MatrixF there = correlations_with(directions[k], prepared[k], features);
    gain = gain.cwiseMin((here.row(group) - there.row(group)).transpose().cast<double>());
  }
  return gain;
}

// Keeps those of the joined that gained as members did: what goes with the group everywhere is nothing new.
void keep_gained(std::span<const PreparedColumns> prepared, std::span<const GroupDirections> directions,
                 std::size_t condition, std::span<const FeatureGroup> groups, std::span<const Index> drawn,
                 Joined& joined) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<Index>& features = joined.features[g];
    if (features.empty()) continue;
    std::vector<Index> members = groups[g].features;
    renumber(members, drawn);
    const auto group = static_cast<Index>(g);
    const double least = share_of_mean_score * gains_of(prepared, directions, condition, group, members).mean();
    const Vector gains = gains_of(prepared, directions, condition, group, features);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < features.size(); ++i) {
      if (gains[static_cast<Index>(i)] < least) continue;
      joined.scores[g][kept] = joined.scores[g][i];
      features[kept++] = features[i];
    }
    features.resize(kept);
    joined.scores[g].resize(kept);
  }
}

struct Member {
  Index group, feature;
  double score;
};

// What joined in all processes, in the first one. The features of the processes follow each other, so that they stay ascending.
Joined to_first(const Joined& own, const Partition& partition, const Team& team) {
  std::vector<std::vector<Member>> members(at(team.size()));
  for (std::size_t g = 0; g < own.features.size(); ++g) {
    for (std::size_t i = 0; i < own.features[g].size(); ++i) {
      members[0].push_back({static_cast<Index>(g), partition.first + own.features[g][i], own.scores[g][i]});
    }
  }
  Joined all{std::vector<std::vector<Index>>(own.features.size()),
             std::vector<std::vector<double>>(own.features.size())};
  for (const Member& member : team.exchange(members)) {
    all.features[at(member.group)].push_back(member.feature);
    all.scores[at(member.group)].push_back(member.score);
  }
  return all;
}

}  // namespace

std::vector<PreparedColumns> prepare_all(const OwnFeatures& features, Distance distance, const Context& context) {
  std::vector<PreparedColumns> prepared;
  for (std::size_t m = 0; m < features.conditions.size(); ++m) {
    prepared.emplace_back(features.conditions[m], features.columns[m], distance, context);
  }
  return prepared;
}

void extend_groups(const OwnFeatures& tested, const OwnFeatures& own, std::span<const Index> drawn,
                   const TestOptions& options, TestResult& result, const Context& context) {
  prepare_blas();
  const bool is_divided = own.partition.count < own.partition.total();
  const std::vector<PreparedColumns> prepared = prepare_all(own, *options.graph.distance, context);
  std::vector<PreparedColumns> of_tested;
  if (is_divided) of_tested = prepare_all(tested, *options.graph.distance, context.with(nullptr));
  // Where the features drawn are among those that groups get their directions from.
  std::vector<Index> places(drawn.begin(), drawn.end());
  if (is_divided) std::iota(places.begin(), places.end(), Index{0});
  std::vector<bool> is_drawn(at(own.partition.count), false);
  for (const Index j : drawn) {
    if (own.partition.is_own(j)) is_drawn[at(j - own.partition.first)] = true;
  }
  for (std::size_t m = 0; m < prepared.size(); ++m) {
    renumber_rest(result.conditions[m], drawn);
    std::vector<FeatureGroup>& groups = result.conditions[m].groups;
    if (groups.empty()) continue;
    std::vector<GroupDirections> directions;
    for (const PreparedColumns& of_condition : is_divided ? of_tested : prepared) {
      directions.push_back(directions_of(of_condition, groups, places, own.partition.total()));
    }
    Joined joined = join_groups(prepared[m], is_drawn, directions[m], context);
    // With many features the processes of a team each have some: what they agree on is who correlates here.
    if (options.graph.form != GraphForm::knn) keep_gained(prepared, directions, m, groups, drawn, joined);
    take_joined(groups, drawn, to_first(joined, own.partition, context.team()));
  }
}

}  // namespace disc
