// Squared distances between all pairs of features.
#pragma once

#include "graph/prepared_columns.hpp"

namespace disc {

struct SquaredDistances {
  Matrix values;  ///< p x p, both triangles, zero diagonal
  Index recomputed_pairs = 0;
};

/// |x|^2 + |y|^2 - 2 x'y by level-3 BLAS, then direct differences for the pairs where that loses digits.
SquaredDistances squared_distances(const PreparedColumns& columns, Precision precision, const Context& context);

/// Squared distances of all features (rows) to the features first .. first + count - 1 (columns), in double.
Matrix squared_distances_to(const PreparedColumns& columns, Index first, Index count, const Context& context);

}  // namespace disc
