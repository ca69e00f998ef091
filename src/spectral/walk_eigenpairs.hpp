// Leading eigenpairs of products of the walk, by the method that its graph asks for.
#pragma once

#include "disc/spectral.hpp"

namespace disc {

enum class WalkProduct {
  conjugate,  ///< S, whose eigenvalues are the walk's
  normal      ///< P' P, whose eigenvalues are the squares of P's singular values
};

/// Who finds the eigenpairs of walks whose rows are divided over processes.
class WalkSolver {
 public:
  virtual ~WalkSolver() = default;
  virtual Eigenpairs solve(const RandomWalk& walk, WalkProduct product, Index count, const Matrix& known,
                           const SolverOptions& options, const Context& context) const = 0;
};

/// The `count` leading eigenpairs in the complement of the orthonormal columns of `known`. Of both the rows of this process.
Eigenpairs walk_eigenpairs(const RandomWalk& walk, WalkProduct product, Index count, const Matrix& known,
                           const SolverOptions& options, const Context& context);

}  // namespace disc
