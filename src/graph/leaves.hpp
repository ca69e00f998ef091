// Features cut into leaves of near ones.
#pragma once

#include <algorithm>

#include "graph/nearest_features.hpp"

namespace disc {

struct Leaves {
  std::vector<Index> order;  ///< features, leaf by leaf
  std::vector<Index> begin;  ///< of every leaf within order, and the end
  Index count() const { return static_cast<Index>(begin.size()) - 1; }
  Index size(Index leaf) const {
    return begin[static_cast<std::size_t>(leaf) + 1] - begin[static_cast<std::size_t>(leaf)];
  }
  /// The leaf of a place in the order.
  Index leaf_of(Index place) const { return std::upper_bound(begin.begin(), begin.end(), place) - begin.begin() - 1; }
};

/// k-means within k-means until a leaf has at most about `leaf_size` features.
Leaves make_leaves(const MatrixF& points, Index leaf_size, const Context& context);

/// Centres of `count` clusters of a sample, by k-means: dimensions x count.
MatrixF find_centres(const MatrixF& points, std::span<const Index> sample, Index count);
/// The nearest centre of some points.
void assign_to_centres(const MatrixF& points, std::span<const Index> which, const MatrixF& centres,
                       std::span<Index> label);
/// Centres that points are divided by at once, and how many points of a sample each is found from.
inline constexpr Index most_centres = 64;
inline constexpr Index points_per_centre = 32;

}  // namespace disc
