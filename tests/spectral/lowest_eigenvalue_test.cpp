// The bound below the spectrum, against LAPACK.
#include "spectral/lowest_eigenvalue.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace disc {
namespace {

// Features joined to a few others at random, the nearer the more strongly; `kinds` = 2 joins even with odd ones only.
RandomWalk random_walk(Index size, Index kinds) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<Index> any(0, size - 1);
  std::uniform_real_distribution<double> weight(0.5, 1.5);
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < size; ++i) {
    for (int k = 0; k < 6; ++k) {
      const Index other = any(random);
      if (other == i || (kinds == 2 && (other - i) % 2 == 0)) continue;
      const double w = weight(random);
      entries.emplace_back(i, other, w);
      entries.emplace_back(other, i, w);
    }
    entries.emplace_back(i, (i + 1) % size, 1.0);
    entries.emplace_back((i + 1) % size, i, 1.0);
  }
  SparseMatrix weights(size, size);
  weights.setFromTriplets(entries.begin(), entries.end());
  FeatureGraph graph;
  graph.weights = SymmetricMatrix(std::move(weights));
  return make_walk(std::move(graph), Context());
}

double true_lowest(const RandomWalk& walk) {
  Block all;
  ConjugateOperator(walk).apply(Block(Matrix::Identity(walk.size(), walk.size())), all, Context());
  return Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(all), Eigen::EigenvaluesOnly).eigenvalues()[0];
}

TEST(LowestEigenvalue, IsBelowTheSpectrumAndNotFarBelow) {
  const RandomWalk walk = random_walk(400, 1);
  const double bound = bound_from_below(LocalWalk<float>(walk, WalkProduct::conjugate, Context()), Context());
  const double lowest = true_lowest(walk);
  EXPECT_LE(bound, lowest);
  EXPECT_GE(bound, lowest - 0.15);
  EXPECT_GT(lowest, -0.85) << "or the test above would say nothing";
}

TEST(LowestEigenvalue, OfFeaturesOfTwoKindsIsMinusOne) {
  const RandomWalk walk = random_walk(400, 2);
  EXPECT_NEAR(true_lowest(walk), -1, 1e-10);
  EXPECT_EQ(bound_from_below(LocalWalk<float>(walk, WalkProduct::conjugate, Context()), Context()), -1);
}

TEST(LowestEigenvalue, OfASquareIsZeroAtLeast) {
  const RandomWalk walk = random_walk(400, 1);
  EXPECT_GE(bound_from_below(LocalWalk<float>(walk, WalkProduct::normal, Context()), Context()), 0);
}

}  // namespace
}  // namespace disc
