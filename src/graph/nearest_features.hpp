// The nearest other features of every feature, without any p x p matrix.
#pragma once

#include <cstdint>
#include <vector>

#include "disc/graph.hpp"
#include "disc/team.hpp"

namespace disc {

/// Features as points: one column each, so that euclidean distance between columns is the distance of method (1).
struct FeaturePoints {
  MatrixF values;          ///< dimensions x features
  bool sign_free = false;  ///< the distance is the smaller of |x - y| and |x + y|
};

/// Of the features of this process, among those of all: names are numbers of features over all processes.
struct NearestFeatures {
  Index features = 0;                 ///< of this process
  Index count = 0;                    ///< neighbors of each feature
  std::vector<std::int32_t> of;       ///< features x count, the nearest first
  std::vector<Index> locality_order;  ///< near features side by side, for products with the graph; empty: as they are
  bool exact = true;
  double recall = 1.0;  ///< share of the true nearest that were found; measured on a sample if approximate
  std::span<const std::int32_t> row(Index feature) const {
    return {of.data() + feature * count, static_cast<std::size_t>(count)};
  }
};

template <class F>
void visit_facts(NearestFeatures& nearest, F& part) {
  part(nearest.count);
  part(nearest.locality_order);
  part(nearest.exact);
  part(nearest.recall);
}
std::string rows_of(const NearestFeatures& nearest);
void set_rows(NearestFeatures& nearest, std::string_view rows, Index features);

// Both take the points of this process and find the nearest among those of all processes of context.team().

/// All pairs are compared, in blocks: the points of every process come by once.
NearestFeatures nearest_by_comparison(const FeaturePoints& points, Index count, const Context& context);

/// Features are put into cells of some 256 near ones, and a feature is compared with the cells next to it only: with as many
/// as a sample of features, compared with all others, needs to find the share `recall` of its nearest. Several processes first
/// exchange points, so that near ones are in one of them; then the cells of every process come by once.
NearestFeatures nearest_by_cells(const FeaturePoints& points, Index count, double recall, const Context& context);

}  // namespace disc
