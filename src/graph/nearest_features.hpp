// The nearest other features of every feature, without any p x p matrix.
#pragma once

#include <cstdint>
#include <vector>

#include "disc/graph.hpp"

namespace disc {

/// Features as points: one column each, so that euclidean distance between columns is the distance of method (1).
struct FeaturePoints {
  MatrixF values;          ///< dimensions x features
  bool sign_free = false;  ///< the distance is the smaller of |x - y| and |x + y|
};

struct NearestFeatures {
  Index features = 0;
  Index count = 0;                    ///< neighbours of each feature
  std::vector<std::int32_t> of;       ///< features x count, the nearest first
  std::vector<Index> locality_order;  ///< near features side by side, for products with the graph; empty: as they are
  bool exact = true;
  double recall = 1.0;  ///< share of the true nearest that were found; measured on a sample if approximate
  std::span<const std::int32_t> row(Index feature) const {
    return {of.data() + feature * count, static_cast<std::size_t>(count)};
  }
};

template <class F>
void visit_parts(NearestFeatures& nearest, F& part) {
  part(nearest.features);
  part(nearest.count);
  part(nearest.of);
  part(nearest.locality_order);
  part(nearest.exact);
  part(nearest.recall);
}

/// All pairs are compared, in blocks.
NearestFeatures nearest_by_comparison(const FeaturePoints& points, Index count, const Context& context);

/// Features are put into cells of some 256 near ones, and a feature is compared with the cells next to it only: with as many
/// as a sample of features, compared with all others, needs to find the share `recall` of its nearest.
NearestFeatures nearest_by_cells(const FeaturePoints& points, Index count, double recall, const Context& context);

}  // namespace disc
