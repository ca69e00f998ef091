// As many leading eigenpairs of a walk as lie above the noise.
#pragma once

#include <functional>

#include "disc/spectral.hpp"

namespace disc {

/// The `count` leading eigenpairs of a walk, wherever it is.
using PairSolver = std::function<Eigenpairs(Index count, const SolverOptions& solver)>;
/// Leading eigenpairs, the trivial one first, until one is not above the threshold: at least 16 beside the trivial one, at most
/// `most`.
Eigenpairs eigenpairs_beyond(const PairSolver& solve, double threshold, Index most, const SolverOptions& solver);
/// How many eigenvalues beside the trivial one are above the threshold.
Index count_above(const Vector& eigenvalues, double threshold);
/// Most eigenvectors of one condition that may count as structure: all conditions together a quarter of all directions.
Index max_dimensions(Index features, Index conditions);

}  // namespace disc
