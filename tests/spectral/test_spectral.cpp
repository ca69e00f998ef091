#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "disc/spectral.hpp"
#include "spectral/thin_product.hpp"
#include "support/graphs.hpp"

namespace disc {
namespace {

using namespace testing_support;

// Definitions: A v = lambda v, orthonormal, in falling order, first pair trivial.
void expect_eigenpairs(const RandomWalk& walk, const Eigenpairs& pairs, double tolerance) {
  const Matrix s = dense_conjugate(walk);
  const Index k = pairs.values.size();
  EXPECT_LT((s * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).colwise().norm().maxCoeff(), tolerance);
  EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(k, k)).cwiseAbs().maxCoeff(), 1e-9);
  for (Index i = 1; i < k; ++i) EXPECT_GE(pairs.values[i - 1], pairs.values[i] - 1e-12);
  const Vector trivial = walk.degrees.cwiseSqrt().normalized();
  EXPECT_LT((pairs.vectors.col(0) - trivial).norm(), 1e-12);
}

TEST(ThinProduct, IsTheProduct) {
  for (const Index p : {1, 3, 8, 67, 128, 130, 391, 513}) {
    for (const Index columns : {1, 8, 11}) {
      Matrix s = normal_values(p, p, 1);
      s = (s + s.transpose()).eval();
      const Block x = normal_values(p, columns, 2);
      Block y;
      thin_product(SymmetricMatrix(s), x, y, threads(2));
      EXPECT_LT((y - s * x).cwiseAbs().maxCoeff(), 1e-12 * static_cast<double>(p));
      thin_product(SymmetricMatrix(MatrixF(s.cast<float>())), x, y, threads(2));
      EXPECT_LT((y - s * x).cwiseAbs().maxCoeff(), 2e-6 * static_cast<double>(p));
    }
  }
}

TEST(ThinProduct, HasTheSameBitsForAnyNumberOfThreads) {
  Matrix s = normal_values(391, 391, 1);
  s = (s + s.transpose()).eval();
  const Block x = normal_values(391, 8, 2);
  for (const SymmetricMatrix& matrix : {SymmetricMatrix(s), SymmetricMatrix(MatrixF(s.cast<float>()))}) {
    Block one, several;
    thin_product(matrix, x, one, threads(1));
    for (const int count : {2, 4}) {
      thin_product(matrix, x, several, threads(count));
      EXPECT_EQ(one, several);
    }
  }
}

class BothSolvers : public testing::TestWithParam<Solver> {};

TEST_P(BothSolvers, FindLeadingPairs) {
  const RandomWalk walk = walk_from(block_weights(500, 5, 0.02, 3));
  const Eigenpairs pairs = leading_eigenpairs(walk, 21, solver(GetParam()), Context());
  expect_eigenpairs(walk, pairs, 1e-9);
  const Eigen::SelfAdjointEigenSolver<Matrix> all(dense_conjugate(walk));
  EXPECT_LT((pairs.values - all.eigenvalues().reverse().head(21)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_EQ(pairs.components, 1);
  EXPECT_TRUE(pairs.convergence.converged);
  EXPECT_NEAR(pairs.gap, all.eigenvalues()[500 - 21] - all.eigenvalues()[500 - 22], 1e-4);
}

// Acceptance: 30 disconnected blocks (p = 2,000), and the same with coupling 1e-9. Every copy of the eigenvalue 1.
TEST(BlockSolver, MissesNoCopyOfARepeatedEigenvalue) {
  for (const double coupling : {0.0, 1e-9}) {
    const RandomWalk walk = walk_from(block_weights(2000, 30, coupling, 4));
    const Eigenpairs reference = leading_eigenpairs(walk, 31, solver(Solver::lapack), Context());
    for (const Index d : {20, 30}) {
      const Eigenpairs pairs = leading_eigenpairs(walk, d + 1, solver(Solver::lanczos), Context());
      expect_eigenpairs(walk, pairs, 1e-9);
      EXPECT_LT((pairs.values - reference.values.head(d + 1)).cwiseAbs().maxCoeff(), 1e-8) << "coupling " << coupling;
      EXPECT_NEAR(pairs.values[std::min<Index>(d, 29)], 1.0, 1e-6);
      EXPECT_EQ(pairs.components, coupling > 0 ? 1 : 30);
    }
  }
}

TEST_P(BothSolvers, SixtySixComponentsGiveLambda20EqualTo1) {
  const RandomWalk walk = walk_from(block_weights(700, 66, 0.0, 5));
  const Eigenpairs pairs = leading_eigenpairs(walk, 21, solver(GetParam()), Context());
  EXPECT_EQ(pairs.components, 66);
  EXPECT_NEAR(pairs.values[19], 1.0, 1e-14);
  expect_eigenpairs(walk, pairs, 1e-12);
  const Eigenpairs more = leading_eigenpairs(walk, 80, solver(GetParam()), Context());
  EXPECT_NEAR(more.values[65], 1.0, 1e-14);
  EXPECT_LT(more.values[66], 0.99);
  expect_eigenpairs(walk, more, 1e-9);
}

// A product graph of two equal cycles has eigenvalues of multiplicity 4 and 8.
TEST_P(BothSolvers, FindTheRepeatedEigenvaluesOfATorus) {
  const Index side = 24;
  Matrix w = Matrix::Identity(side * side, side * side);
  for (Index a = 0; a < side; ++a) {
    for (Index b = 0; b < side; ++b) {
      const Index here = a * side + b;
      for (const Index there : {a * side + (b + 1) % side, ((a + 1) % side) * side + b})
        w(here, there) = w(there, here) = 1.0;
    }
  }
  const RandomWalk walk = walk_from(w);
  const Eigenpairs pairs = leading_eigenpairs(walk, 45, solver(GetParam()), Context());
  const Eigen::SelfAdjointEigenSolver<Matrix> all(dense_conjugate(walk));
  EXPECT_LT((pairs.values - all.eigenvalues().reverse().head(45)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_P(BothSolvers, DegreeRegularizationJoinsComponents) {
  FeatureGraph graph;
  graph.weights = SymmetricMatrix(block_weights(450, 3, 0.0, 6));
  graph.uniform_weight = 0.05;
  const RandomWalk walk = make_walk(std::move(graph), Context());
  const Eigenpairs pairs = leading_eigenpairs(walk, 8, solver(GetParam()), Context());
  EXPECT_EQ(pairs.components, 1);
  expect_eigenpairs(walk, pairs, 1e-9);
  EXPECT_LT(pairs.values[1], 0.999);
}

INSTANTIATE_TEST_SUITE_P(All, BothSolvers, testing::Values(Solver::lapack, Solver::lanczos),
                         [](const auto& tested) { return tested.param == Solver::lapack ? "lapack" : "lanczos"; });

TEST(BlockSolver, SinglePrecisionIsCloseToDouble) {
  const Matrix w = block_weights(800, 6, 0.02, 7);
  const Eigenpairs full = leading_eigenpairs(walk_from(w), 12, solver(Solver::lanczos), Context());
  const Eigenpairs single = leading_eigenpairs(walk_from(w, Precision::single), 12, solver(Solver::lanczos), Context());
  EXPECT_LT((full.values - single.values).cwiseAbs().maxCoeff(), 2e-6);
}

TEST(BlockSolver, SameBitsForAnyNumberOfThreads) {
  const RandomWalk walk = walk_from(block_weights(1500, 7, 0.01, 8));
  const Eigenpairs one = leading_eigenpairs(walk, 15, solver(Solver::lanczos), threads(1));
  for (const int count : {2, 4}) {
    const Eigenpairs other = leading_eigenpairs(walk, 15, solver(Solver::lanczos), threads(count));
    EXPECT_EQ(one.values, other.values);
    EXPECT_EQ(one.vectors, other.vectors);
  }
}

TEST(BlockSolver, SaysWhenItDidNotConverge) {
  SolverOptions options = solver(Solver::lanczos);
  options.max_restarts = 1;
  options.tolerance = 1e-14;
  RowMatrix x = normal_values(200, 900, 9);
  GraphOptions graph;
  const RandomWalk walk = make_walk(build_graph(make_dataset("A", x), all_of(900), graph, Context()), Context());
  const Eigenpairs pairs = leading_eigenpairs(walk, 40, options, Context());
  EXPECT_FALSE(pairs.convergence.converged);
  EXPECT_GT(pairs.convergence.residual, 0.0);
  EXPECT_EQ(pairs.values.size(), 40);
}

TEST(Components, AreNumberedBySize) {
  Matrix w = Matrix::Identity(6, 6);
  w(4, 5) = w(5, 4) = w(3, 5) = w(5, 3) = 0.1;
  w(0, 2) = w(2, 0) = 1.0;
  const Components components = find_components(walk_from(w));
  EXPECT_EQ(components.count, 3);
  EXPECT_EQ(components.labels, (std::vector<Index>{1, 2, 1, 0, 0, 0}));
}

TEST(WalkEigenvectors, AreRightEigenvectorsOfTheWalk) {
  const RandomWalk walk = walk_from(block_weights(120, 3, 0.1, 10));
  const Eigenpairs pairs = leading_eigenpairs(walk, 5, {}, Context());
  const Matrix u = walk_eigenvectors(walk, pairs);
  const Vector root = walk.degrees.cwiseSqrt();
  const Matrix p = root.cwiseInverse().asDiagonal() * dense_conjugate(walk) * root.asDiagonal();
  EXPECT_LT((p * u - u * pairs.values.asDiagonal()).norm(), 1e-10);
  EXPECT_LT((u.col(0).array() - u(0, 0)).abs().maxCoeff(), 1e-14);  // the constant vector
}

}  // namespace
}  // namespace disc
