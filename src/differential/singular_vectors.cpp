// The differential vectors of the paper. method (7), (8)
#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "differential/finish.hpp"
#include "matrix/blas.hpp"
#include "spectral/symmetric_dense.hpp"
#include "spectral/tall_skinny.hpp"
#include "spectral/walk_eigenpairs.hpp"

namespace disc {
namespace {

// The reference: P Q written out, all singular values by LAPACK.
DifferentialVectors by_lapack(const DifferentialOperator& op, Index count, const Context& context) {
  Matrix dense = densify(op, context);
  const auto p = static_cast<lapack_int>(dense.rows());
  Vector sigma(p);
  Matrix left(p, p);
  Matrix right(p, p);
  const lapack_int info =
      LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', p, p, dense.data(), p, sigma.data(), left.data(), p, right.data(), p);
  if (info != 0) throw Error("LAPACK dgesdd failed with code " + std::to_string(info));
  DifferentialVectors result;
  result.vectors = right.topRows(count).transpose();
  result.sigma = sigma.head(count);
  result.convergence.iterations = 1;
  return result;
}

DifferentialVectors by_blocks(const RandomWalk& walk, const Basis& basis, Index count, const SolverOptions& options,
                              const Context& context) {
  // On the complement of Z the eigenvalues of P' P are the squares of the singular values of P Q; the solver stays in that
  // complement, so Q need not be applied. Accuracy: sigma is good to about 1e-16 / sigma, and sigma below 1e-6 says nothing
  // about features.
  const Eigenpairs pairs = walk_eigenpairs(walk, WalkProduct::normal, count, basis.vectors, options, context);
  DifferentialVectors result;
  result.vectors = pairs.vectors;
  result.sigma = pairs.values.cwiseMax(0.0).cwiseSqrt();
  result.convergence = pairs.convergence;
  return result;
}

}  // namespace

DifferentialOperator::DifferentialOperator(const RandomWalk& walk, const Matrix& basis)
    : walk_(walk), basis_(basis), root_degrees_(walk.degrees.cwiseSqrt()) {}

// P Q x = D^-1/2 S D^1/2 (x - Z Z' x)
void DifferentialOperator::apply(const Block& x, Block& y, const Context& context) const {
  Block projected = x;
  subtract(basis_, basis_.cols(), project(basis_, basis_.cols(), x, context), projected, context);
  scale_rows(root_degrees_, projected);
  ConjugateOperator(walk_).apply(projected, y, context);
  scale_rows(root_degrees_.cwiseInverse(), y);
}

// Q P' x = (I - Z Z') D^1/2 S D^-1/2 x
void DifferentialOperator::apply_transpose(const Block& x, Block& y, const Context& context) const {
  Block scaled = x;
  scale_rows(root_degrees_.cwiseInverse(), scaled);
  ConjugateOperator(walk_).apply(scaled, y, context);
  scale_rows(root_degrees_, y);
  subtract(basis_, basis_.cols(), project(basis_, basis_.cols(), y, context), y, context);
}

void check_room(Index count, Index p, Index taken) {
  if (count <= p - taken) return;
  throw OptionError("vectors", std::to_string(count),
                    "only " + std::to_string(p - taken) + " directions are left of " + std::to_string(p) +
                        " features after the other conditions' " + std::to_string(taken) +
                        " eigenvectors; ask for fewer vectors or eigenvectors");
}

DifferentialVectors singular_vectors(const RandomWalk& walk, const Basis& basis, Index count,
                                     const SolverOptions& options, const Context& context) {
  prepare_blas();
  check_room(count, walk.size(), basis.vectors.cols());
  SolverOptions adjusted = options;
  // The values here are squares of sigma, and small where sigma is: stricter than for the walk itself.
  if (walk.conjugate.is_single()) adjusted.tolerance = std::max(adjusted.tolerance, 1e-7);
  DifferentialVectors result = options.solver == Solver::lapack && !options.divided
                                   ? by_lapack(DifferentialOperator(walk, basis.vectors), count, context)
                                   : by_blocks(walk, basis, count, adjusted, context);
  result.basis_rank = basis.vectors.cols();
  mark_degenerate_subspaces(result, walk.conjugate.is_single() ? std::max(options.tolerance, 1e-6) : options.tolerance);
  return result;
}

}  // namespace disc
