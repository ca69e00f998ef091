// Leading eigenpairs by SLEPc, without missing copies of repeated eigenvalues. method (5), (8)
#pragma once

#include "disc/differential.hpp"
#include "disc/spectral.hpp"
#include "distributed/checkpoint_slot.hpp"
#include "distributed/walk.hpp"

namespace disc::distributed {

/// As disc::leading_eigenpairs; vectors have the rows of this process.
Eigenpairs leading_eigenpairs(const Walk& walk, Index count, const SolverOptions& options, const Kept& kept,
                              const MpiTeam& team, const Context& context);

/// Orthonormal basis of what the other conditions explain, own rows in, own rows out. method (6)
Basis basis_of_others(std::span<const Matrix> eigenvectors, Index condition, const MpiTeam& team);

/// As disc::singular_vectors; vectors have the rows of this process.
DifferentialVectors singular_vectors(const Walk& walk, const Basis& basis, Index count, const SolverOptions& options,
                                     const Kept& kept, const MpiTeam& team, const Context& context);

/// Features joined by a chain of positive weights; of the features of this process.
Components find_components(const Walk& walk, const MpiTeam& team);

}  // namespace disc::distributed
