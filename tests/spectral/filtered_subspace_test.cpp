// The filter for sparse graphs against LAPACK on the same matrix written out.
#include "spectral/filtered_subspace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "support/data.hpp"

namespace disc {
namespace {

constexpr double tolerance = 1e-9;  // of the residual; eigenvalues are better by the square

RandomWalk walk_of(SparseMatrix weights, double uniform = 0) {
  FeatureGraph graph;
  graph.weights = SymmetricMatrix(std::move(weights));
  graph.uniform_weight = uniform;
  return make_walk(std::move(graph), Context());
}

// A ring of features, each joined to the next two: all eigenvalues but the ends come in pairs.
SparseMatrix ring(Index size, Index copies) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index c = 0; c < copies; ++c) {
    for (Index i = 0; i < size; ++i) {
      for (const Index step : {1, 2}) {
        const Index a = c * size + i;
        const Index b = c * size + (i + step) % size;
        entries.emplace_back(a, b, 1.0 / static_cast<double>(step));
        entries.emplace_back(b, a, 1.0 / static_cast<double>(step));
      }
    }
  }
  SparseMatrix weights(size * copies, size * copies);
  weights.setFromTriplets(entries.begin(), entries.end());
  return weights;
}

// A square lattice without borders: eigenvalues in fours and eights.
SparseMatrix torus(Index side) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index r = 0; r < side; ++r) {
    for (Index c = 0; c < side; ++c) {
      for (const Index other : {r * side + (c + 1) % side, ((r + 1) % side) * side + c}) {
        entries.emplace_back(r * side + c, other, 1.0);
        entries.emplace_back(other, r * side + c, 1.0);
      }
    }
  }
  SparseMatrix weights(side * side, side * side);
  weights.setFromTriplets(entries.begin(), entries.end());
  return weights;
}

SolverOptions with(Solver solver) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  return options;
}

double residual(const RandomWalk& walk, const Eigenpairs& pairs) {
  Block image;
  ConjugateOperator(walk).apply(Block(pairs.vectors), image, Context());
  return (image - pairs.vectors * pairs.values.asDiagonal()).colwise().norm().maxCoeff();
}

TEST(FilteredSubspace, EveryCopyOnALattice) {
  const Index side = 30;
  const RandomWalk walk = walk_of(torus(side));
  const Eigenpairs pairs = leading_eigenpairs(walk, 21, with(Solver::chebyshev), Context());
  Vector exact(side * side);
  for (Index a = 0; a < side; ++a) {
    for (Index b = 0; b < side; ++b) {
      const double turn = 2 * std::numbers::pi / static_cast<double>(side);
      exact[a * side + b] = 0.5 * (std::cos(turn * static_cast<double>(a)) + std::cos(turn * static_cast<double>(b)));
    }
  }
  std::sort(exact.begin(), exact.end(), std::greater<>());
  EXPECT_TRUE(pairs.convergence.converged);
  EXPECT_LT((pairs.values - exact.head(21)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(residual(walk, pairs), 2 * tolerance);
  EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(21, 21)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(FilteredSubspace, SixtySixComponents) {
  const RandomWalk walk = walk_of(ring(40, 66));
  const Eigenpairs few = leading_eigenpairs(walk, 20, with(Solver::chebyshev), Context());
  EXPECT_EQ(few.components, 66);
  EXPECT_EQ(few.values[19], 1.0);
  // Beyond the components: each of the 66 rings has the next eigenvalue twice.
  const Eigenpairs many = leading_eigenpairs(walk, 100, with(Solver::chebyshev), Context());
  const double turn = 2 * std::numbers::pi / 40;
  const double next = (std::cos(turn) + 0.5 * std::cos(2 * turn)) / 1.5;
  for (Index i = 66; i < 100; ++i) EXPECT_NEAR(many.values[i], next, 1e-10) << i;
}

TEST(FilteredSubspace, UniformWeightAndLocalityOrderAsLapack) {
  RandomWalk walk = walk_of(ring(150, 3), 1e-4);
  walk.locality_order.resize(450);
  std::iota(walk.locality_order.rbegin(), walk.locality_order.rend(), Index{0});
  const Eigenpairs found = leading_eigenpairs(walk, 12, with(Solver::chebyshev), Context());
  const Eigenpairs exact = leading_eigenpairs(walk, 12, with(Solver::lapack), Context());
  EXPECT_LT((found.values - exact.values).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(residual(walk, found), 2 * tolerance);
}

TEST(FilteredSubspace, SquaresOfSingularValuesAsLapack) {
  const RandomWalk walk = walk_of(ring(150, 3), 1e-4);
  const Matrix known = leading_eigenpairs(walk, 5, with(Solver::lapack), Context()).vectors;
  const Eigenpairs found = walk_eigenpairs(walk, WalkProduct::normal, 8, known, with(Solver::chebyshev), Context());
  const Eigenpairs exact = walk_eigenpairs(walk, WalkProduct::normal, 8, known, with(Solver::lapack), Context());
  EXPECT_LT((found.values - exact.values).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((found.vectors.transpose() * known).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(FilteredSubspace, SameBitsForAnyNumberOfThreads) {
  const RandomWalk walk = walk_of(ring(2000, 3), 1e-4);
  const Eigenpairs one = leading_eigenpairs(walk, 8, with(Solver::chebyshev), testing_support::threads(1));
  const Eigenpairs three = leading_eigenpairs(walk, 8, with(Solver::chebyshev), testing_support::threads(3));
  EXPECT_EQ(one.values, three.values);
  EXPECT_EQ(one.vectors, three.vectors);
}

}  // namespace
}  // namespace disc
