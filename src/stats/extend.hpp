// The parts of extend_groups.
#pragma once

#include "disc/stats.hpp"
#include "graph/prepared_columns.hpp"

namespace disc {

/// The groups of one condition as directions: a feature's product with one is its score.
struct GroupDirections {
  MatrixF vectors;  ///< samples x groups
  Vector threshold;
};
/// Member i of a group is feature places[i] of `prepared`; `features` is how many there are in all.
GroupDirections directions_of(const PreparedColumns& prepared, std::span<const FeatureGroup> groups,
                              std::span<const Index> places, Index features);

/// Features that join a group, and their scores; per group.
struct Joined {
  std::vector<std::vector<Index>> features;
  std::vector<std::vector<double>> scores;
};
/// Every feature that was not drawn joins the group that it scores best with, or none.
Joined join_groups(const PreparedColumns& prepared, const std::vector<bool>& is_drawn,
                   const GroupDirections& directions, const Context& context);

/// From groups of the features drawn to groups of all.
/// Candidates and pairs get the numbers of all features.
void renumber_rest(TestedCondition& condition, std::span<const Index> drawn);

void take_joined(std::vector<FeatureGroup>& groups, std::span<const Index> drawn, Joined joined);

/// Features that are tested where there are too many, ascending: drawn at random, whatever their values; empty: all are tested.
std::vector<Index> features_to_test(Index features, const GraphOptions& graph, const Context& context);

}  // namespace disc
