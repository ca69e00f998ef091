// One labelling of the units, true or permuted, through the whole method.
#pragma once

#include "disc/stats.hpp"

namespace disc {

/// The `count` leading eigenpairs of a walk, wherever it is.
using PairSolver = std::function<Eigenpairs(Index count, const SolverOptions& solver)>;
/// Leading eigenpairs, the trivial one first, until one is not above the edge: at least 16 beside the trivial one, at most
/// `most`. It is faster if the number `expected` is about right.
Eigenpairs eigenpairs_beyond(const PairSolver& solve, double edge, Index expected, Index most,
                             const SolverOptions& solver);
/// How many eigenvalues beside the trivial one are above the edge.
Index count_above(const Vector& eigenvalues, double edge);
/// Most eigenvectors of one condition that may count as structure: all conditions together a quarter of all directions.
Index max_dimensions(Index features, Index conditions);

/// The whole method on correlations: graphs, eigenpairs above the noise, differential vectors, communities, contrasts.
struct Labelling {
  std::vector<Vector> sigma;  ///< per condition
  std::vector<Communities> communities;
  std::vector<std::vector<GroupContrast>> contrasts;
};
/// `options.vectors` values of sigma; 0: communities only.
Labelling analyse_labelling(std::span<const Correlations> conditions, const TestOptions& options,
                            const Context& context);

}  // namespace disc
