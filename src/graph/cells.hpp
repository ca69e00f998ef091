// Features cut into cells of near ones.
#pragma once

#include <algorithm>

#include "graph/nearest_features.hpp"

namespace disc {

struct Cells {
  std::vector<Index> order;  ///< features, cell by cell
  std::vector<Index> begin;  ///< of every cell within order, and the end
  Index count() const { return static_cast<Index>(begin.size()) - 1; }
  Index size(Index cell) const {
    return begin[static_cast<std::size_t>(cell) + 1] - begin[static_cast<std::size_t>(cell)];
  }
  /// The cell of a place in the order.
  Index cell_of(Index place) const { return std::upper_bound(begin.begin(), begin.end(), place) - begin.begin() - 1; }
};

/// k-means within k-means until a cell has at most about `cell_size` features.
Cells make_cells(const MatrixF& points, Index cell_size, const Context& context);

/// Centers of `count` clusters of a sample, by k-means: dimensions x count.
MatrixF find_centers(const MatrixF& points, std::span<const Index> sample, Index count);
/// The nearest center of some points.
void assign_to_centers(const MatrixF& points, std::span<const Index> which, const MatrixF& centers,
                       std::span<Index> label);
/// Centers that points are divided by at once, and how many points of a sample each is found from.
inline constexpr Index max_centers = 64;
inline constexpr Index points_per_center = 32;

}  // namespace disc
