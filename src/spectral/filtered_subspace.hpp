// Leading eigenpairs of a sparse walk with very many features, by filtering a block of vectors with Chebyshev polynomials.
#pragma once

#include "spectral/local_walk.hpp"

namespace disc {

struct FilterProblem {
  const RandomWalk& walk;  ///< sparse
  WalkProduct product;
  const Matrix& known;  ///< orthonormal columns to stay orthogonal to
  Index count;          ///< pairs wanted
  double tolerance;     ///< absolute bound for the residual
  Index max_rounds;
};

/// All columns of the block move together, more of them than are wanted, so that copies of an eigenvalue are found together.
/// Once the wanted ones stand still the others are drawn anew: a pair that was missed would show. Most of the work is in single
/// precision, the end in double.
Eigenpairs filtered_pairs(const FilterProblem& problem, const Context& context);

/// Whether this is the method to use: if it was asked for, or by itself where the graph is large. Dense graphs have none.
bool use_filter(const RandomWalk& walk, const SolverOptions& options);
/// Whether a space of `room` dimensions has enough of them for `count` pairs and those beyond that the filter needs.
bool has_room_for_filter(Index room, Index count);

}  // namespace disc
