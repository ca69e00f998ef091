// Leading eigenpairs of the walk. method (5)
#include <algorithm>
#include <cmath>
#include <limits>

#include "matrix/blas.hpp"
#include "spectral/block_lanczos.hpp"
#include "spectral/component_vectors.hpp"
#include "spectral/symmetric_dense.hpp"
#include "spectral/tall_skinny.hpp"
#include "spectral/thin_product.hpp"
#include "spectral/walk_eigenpairs.hpp"

namespace disc {
namespace {

// With few features, or many pairs wanted of them, LAPACK on the whole matrix is as fast as the block method, whose basis
// would not be much smaller.
constexpr Index block_method_pays_from = 200;
constexpr Index features_per_pair = 20;

bool use_lapack(Solver solver, Index features, Index count) {
  if (solver != Solver::automatic) return solver == Solver::lapack;
  return features < block_method_pays_from || features < features_per_pair * count;
}

}  // namespace

Vector component_volumes(const Vector& degrees, const Components& components) {
  Vector volume = Vector::Zero(components.count);
  for (Index i = 0; i < degrees.size(); ++i) {
    volume[components.labels[static_cast<std::size_t>(i)]] += degrees[i];
  }
  return volume;
}

Matrix component_vectors(const Vector& degrees, const Components& components, const Vector& volume, Index most) {
  const Index p = degrees.size();
  const Vector root = degrees.cwiseSqrt();
  const Index count = std::min(components.count, most);
  Matrix vectors = Matrix::Zero(p, count);
  vectors.col(0) = root / std::sqrt(volume.sum());
  double before = volume[0];
  for (Index k = 1; k < count; ++k) {
    const double here = volume[k];
    const double norm = std::sqrt(before * here * (before + here));
    for (Index i = 0; i < p; ++i) {
      const Index c = components.labels[static_cast<std::size_t>(i)];
      if (c == k) vectors(i, k) = root[i] * before / norm;
      if (c < k) vectors(i, k) = -root[i] * here / norm;
    }
    before += here;
  }
  return vectors;
}

namespace {

Eigenpairs dense_pairs(const LinearOperator& op, Index count, const Matrix& known, const Context& context) {
  Matrix dense = densify(op, context);
  dense = (0.5 * (dense + dense.transpose())).eval();
  if (known.cols() > 0) {
    // Out of the way: what is known gets a value below all others.
    const double shift = 2.0 * dense.cwiseAbs().colwise().sum().maxCoeff() + 1.0;
    const Matrix image = dense * known;
    const Matrix inside = known.transpose() * image;
    dense -= image * known.transpose() + known * image.transpose();
    dense += known * (inside - shift * Matrix::Identity(known.cols(), known.cols())) * known.transpose();
  }
  return largest_pairs(std::move(dense), count);
}

bool is_single(const RandomWalk& walk) { return walk.conjugate.is_single(); }

}  // namespace

void ConjugateOperator::apply(const Block& x, Block& y, const Context& context) const {
  thin_product(walk_.conjugate, x, y, context);
  if (walk_.uniform_weight > 0) {
    Matrix s = walk_.degrees.array().rsqrt().matrix();
    if (walk_.sizes.size() > 0) s.col(0).array() *= walk_.sizes.array().sqrt();
    subtract(s, 1, -walk_.uniform_weight * project(s, 1, x, context), y, context);
  }
}

Eigenpairs symmetric_eigenpairs(const LinearOperator& op, Index count, const Matrix& known, double scale,
                                const SolverOptions& options, const Context& context) {
  prepare_blas();
  const Index room = op.rows() - known.cols();
  count = std::min(count, room);
  // The block method needs room for its basis; where there is none LAPACK is always right.
  if (room < 64 || 2 * count > room || use_lapack(options.solver, op.rows(), count))
    return dense_pairs(op, count, known, context);
  const double tolerance = options.tolerance * (scale > 0 ? scale : 1.0);
  constexpr double none = -std::numeric_limits<double>::infinity();
  return block_lanczos({op, known, count, tolerance, options.max_restarts, options.floor.value_or(none)}, context);
}

Eigenpairs leading_eigenpairs(const RandomWalk& walk, Index count, const SolverOptions& options,
                              const Context& context) {
  const Components components = find_components(walk, context);
  // Of prototypes: the degrees of all features that they stand for.
  const Vector degrees = walk.sizes.size() > 0 ? walk.degrees.cwiseProduct(walk.sizes).eval() : walk.degrees;
  Vector volumes = component_volumes(degrees, components);
  context.team().sum(volumes.data(), volumes.size());
  const Matrix known = component_vectors(degrees, components, volumes, count);
  Eigenpairs pairs;
  pairs.values = Vector::Ones(known.cols());
  pairs.vectors = known;
  if (count > known.cols()) {
    SolverOptions adjusted = options;
    if (is_single(walk)) adjusted.tolerance = std::max(adjusted.tolerance, 1e-6);
    const Eigenpairs rest =
        walk_eigenpairs(walk, WalkProduct::conjugate, count - known.cols(), known, adjusted, context);
    pairs.values.conservativeResize(known.cols() + rest.values.size());
    pairs.values.tail(rest.values.size()) = rest.values;
    pairs.vectors.conservativeResize(Eigen::NoChange, pairs.values.size());
    pairs.vectors.rightCols(rest.values.size()) = rest.vectors;
    pairs.gap = rest.gap;
    pairs.convergence = rest.convergence;
  }
  pairs.components = components.count;
  return pairs;
}

Matrix walk_eigenvectors(const RandomWalk& walk, const Eigenpairs& pairs, const Context& context) {
  Matrix right = walk.degrees.array().rsqrt().matrix().asDiagonal() * pairs.vectors;
  Vector squares = right.colwise().squaredNorm();
  context.team().sum(squares.data(), squares.size());
  for (Index c = 0; c < right.cols(); ++c) right.col(c) /= std::sqrt(squares[c]);
  return right;
}

}  // namespace disc
