// Scaling a symmetric matrix on both sides, and its row sums.
#pragma once

#include "disc/graph.hpp"

namespace disc {

/// Row sums of a symmetric matrix, summed in double.
Vector row_sums(const SymmetricMatrix& weights, const Context& context);

/// W_ij <- s_i W_ij s_j, in place.
void scale_both_sides(SymmetricMatrix& weights, const Vector& scale, const Context& context);

}  // namespace disc
