// The graph of each feature with its nearest, without any p x p matrix.
#pragma once

#include <algorithm>

#include "graph/kernels.hpp"
#include "graph/nearest_features.hpp"
#include "graph/prepared_columns.hpp"

namespace disc {

inline constexpr Index usual_nearest = 20;  ///< features that each is connected with, if nobody says otherwise

/// Weights of the pairs of which one is among the nearest of the other; fills in what `graph.used` cells open. Before
/// normalization. With nearest = p - 1 the same as the dense form.
void build_neighbor_graph(const PreparedColumns& columns, FeatureGraph& graph, const Context& context);

/// Fills in how many neighbors there are. Throws OptionError where that does not fit the other options.
void resolve_nearest(GraphOptions& used, Index features);
inline constexpr Index features_for_the_median = 2000;  ///< of the distances of rbf: their pairs stand for all
/// A search in single precision cannot rank near ties: it is asked for a few more than needed, among which double precision decides.
inline Index with_spare(Index nearest, Index features) {
  return std::min(features - 1, nearest + std::max(Index{8}, nearest / 4));
}
/// Whether all pairs are compared.
bool is_search_exact(const GraphOptions& options, Index features, Index dimensions);

/// Exact or approximate, as the options say.
NearestFeatures find_nearest(const FeaturePoints& points, Index count, const GraphOptions& options,
                             const Context& context);

/// Pairs of which one is among the nearest of the other.
PairLists both_ways(const NearestFeatures& nearest, const Context& context);

}  // namespace disc
