// Leading eigenpairs of a symmetric operator by block Lanczos with thick restart.
#pragma once

#include <limits>

#include "disc/spectral.hpp"

namespace disc {

/// Where the random start blocks come from, and what must not be found again.
struct LanczosProblem {
  const LinearOperator& op;
  const Matrix& known;  ///< orthonormal columns to stay orthogonal to
  Index count;          ///< pairs wanted
  double tolerance;     ///< absolute bound for the residual
  Index max_restarts;
  double floor = -std::numeric_limits<double>::infinity();  ///< pairs below need not be accurate
};

/// Finds the leading pairs, then searches the complement of what it found with fresh random blocks until nothing above the
/// last value is left: a single Krylov space misses copies of repeated eigenvalues.
Eigenpairs block_lanczos(const LanczosProblem& problem, const Context& context);

}  // namespace disc
