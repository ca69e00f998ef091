// Leading eigenpairs of products of the walk, by the method that its graph asks for.
#pragma once

#include "disc/spectral.hpp"

namespace disc {

enum class WalkProduct {
  conjugate,  ///< S, whose eigenvalues are the walk's
  normal      ///< P' P, whose eigenvalues are the squares of P's singular values
};

/// The `count` leading eigenpairs in the complement of the orthonormal columns of `known`.
Eigenpairs walk_eigenpairs(const RandomWalk& walk, WalkProduct product, Index count, const Matrix& known,
                           const SolverOptions& options, const Context& context);

}  // namespace disc
