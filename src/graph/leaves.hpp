// Features cut into leaves of near ones.
#pragma once

#include "graph/nearest_features.hpp"

namespace disc {

struct Leaves {
  std::vector<Index> order;  ///< features, leaf by leaf
  std::vector<Index> begin;  ///< of every leaf within order, and the end
  Index count() const { return static_cast<Index>(begin.size()) - 1; }
  Index size(Index leaf) const {
    return begin[static_cast<std::size_t>(leaf) + 1] - begin[static_cast<std::size_t>(leaf)];
  }
};

/// k-means within k-means until a leaf has at most about `leaf_size` features.
Leaves make_leaves(const MatrixF& points, Index leaf_size, const Context& context);

}  // namespace disc
