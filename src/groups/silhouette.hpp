// How well separated the clusters of a partition are (Rousseeuw 1987).
#pragma once

#include <span>

#include "disc/matrix.hpp"

namespace disc {

/// The silhouette averaged within each cluster and then over clusters, so that a large background does not outvote
/// small groups; in [-1, 1]. A cluster of one point has silhouette 0, a single cluster too. `labels` are 0 ..
/// clusters - 1. Of more than 2000 points about 2000 are sampled, equally many from every cluster that has so many.
double mean_silhouette(const Matrix& points, std::span<const Index> labels, Index clusters, const Context& context);

}  // namespace disc
