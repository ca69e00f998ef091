// Walks on sparse graphs: the same answers as LAPACK gives for the dense matrix.
#include <gtest/gtest.h>

#include <cmath>

#include "disc/differential.hpp"
#include "spectral/thin_product.hpp"
#include "support/graphs.hpp"

namespace disc {
namespace {

using namespace testing_support;

// `blocks` groups of random sparse weights, about a fifth of the pairs inside, and a few weak edges across.
Matrix sparse_weights(Index p, Index blocks, Index across, std::uint64_t seed) {
  std::mt19937_64 random = random_stream(seed, "test/sparse");
  std::uniform_real_distribution<double> uniform;
  Matrix w = Matrix::Zero(p, p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < j; ++i) {
      if (i % blocks == j % blocks && (j - i == blocks || uniform(random) < 0.2))
        w(i, j) = w(j, i) = 0.1 + uniform(random);
    }
  }
  std::uniform_int_distribution<Index> any(0, p - 1);
  for (Index k = 0; k < across; ++k) {
    const Index i = any(random);
    const Index j = any(random);
    if (i != j) w(i, j) = w(j, i) = 0.3;
  }
  return w;
}

RandomWalk sparse_walk(const Matrix& weights, double uniform = 0.0) {
  FeatureGraph graph;
  graph.weights = SymmetricMatrix(SparseMatrix(weights.sparseView()));
  graph.uniform_weight = uniform;
  return make_walk(std::move(graph), Context());
}

RandomWalk dense_walk(const Matrix& weights, double uniform = 0.0) {
  FeatureGraph graph;
  graph.weights = SymmetricMatrix(weights);
  graph.uniform_weight = uniform;
  return make_walk(std::move(graph), Context());
}

// Vectors agree where the subspace up to a clear gap agrees.
double subspace_difference(const Matrix& a, const Matrix& b) { return (a - b * (b.transpose() * a)).norm(); }

TEST(SparseWalk, HasTheEntriesOfTheDenseOne) {
  const Matrix weights = sparse_weights(70, 3, 10, 1);
  for (const double uniform : {0.0, 0.02}) {
    const RandomWalk sparse = sparse_walk(weights, uniform);
    const RandomWalk dense = dense_walk(weights, uniform);
    EXPECT_LT((sparse.degrees - dense.degrees).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((dense_conjugate(sparse) - dense_conjugate(dense)).cwiseAbs().maxCoeff(), 1e-14);
  }
}

// The solvers ask for blocks of 8; densifying and singular vectors ask for others.
TEST(SparseWalk, ProductsOfAnyBlockWidthAreProducts) {
  for (const Index p : {1, 5, 67, 130}) {
    const Matrix weights = sparse_weights(p, p < 3 ? 1 : 3, p, 2);
    for (const Index columns : {1, 2, 7, 8, 9, 16, 64}) {
      const Block x = normal_values(p, columns, 3);
      Block y;
      thin_product(SymmetricMatrix(SparseMatrix(weights.sparseView())), x, y, threads(2));
      EXPECT_LT((y - weights * x).cwiseAbs().maxCoeff(), 1e-12) << p << " features, " << columns << " columns";
    }
  }
}

TEST(SparseWalk, LeadingEigenpairsAreThoseOfLapackOnTheDenseOne) {
  const Matrix weights = sparse_weights(500, 5, 400, 4);
  for (const double uniform : {0.0, 0.01}) {
    const RandomWalk sparse = sparse_walk(weights, uniform);
    const Eigenpairs expected = leading_eigenpairs(dense_walk(weights, uniform), 12, solver(Solver::lapack), Context());
    for (const Solver which : {Solver::lanczos, Solver::lapack, Solver::automatic}) {
      const Eigenpairs found = leading_eigenpairs(sparse, 12, solver(which), Context());
      EXPECT_LT((found.values - expected.values).cwiseAbs().maxCoeff(), 1e-8);
      EXPECT_EQ(found.components, expected.components);
      const Matrix s = dense_conjugate(sparse);
      EXPECT_LT((s * found.vectors - found.vectors * found.values.asDiagonal()).colwise().norm().maxCoeff(), 1e-8);
      ASSERT_GT(expected.values[4] - expected.values[5], 0.05);  // five blocks
      EXPECT_LT(subspace_difference(found.vectors.leftCols(5), expected.vectors.leftCols(5)), 1e-8);
    }
  }
}

TEST(SparseWalk, SmallOnesGoThroughLapackToo) {
  const Matrix weights = sparse_weights(20, 2, 5, 5);
  const Eigenpairs expected = leading_eigenpairs(dense_walk(weights, 0.01), 6, solver(Solver::lapack), Context());
  const Eigenpairs found = leading_eigenpairs(sparse_walk(weights, 0.01), 6, solver(Solver::automatic), Context());
  EXPECT_LT((found.values - expected.values).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(SparseWalk, ComponentsAreThoseOfTheDenseOne) {
  for (const Index blocks : {1, 4, 66}) {
    const Matrix weights = sparse_weights(700, blocks, 0, 6);
    const Components sparse = find_components(sparse_walk(weights));
    const Components dense = find_components(dense_walk(weights));
    EXPECT_EQ(sparse.count, blocks);
    EXPECT_EQ(sparse.count, dense.count);
    EXPECT_EQ(sparse.labels, dense.labels);
  }
  EXPECT_EQ(find_components(sparse_walk(sparse_weights(700, 66, 0, 6), 0.001)).count,
            1);  // the uniform weight joins all
}

TEST(SparseWalk, ComponentsAreNotJoinedByAStoredZero) {
  SparseMatrix weights(4, 4);
  for (Index j = 0; j < 4; ++j) weights.insert(j, j) = 1.0;
  weights.insert(0, 3) = weights.insert(3, 0) = 0.0;
  weights.insert(1, 2) = weights.insert(2, 1) = 0.5;
  weights.makeCompressed();
  FeatureGraph graph;
  graph.weights = SymmetricMatrix(weights);
  const Components components = find_components(make_walk(std::move(graph), Context()));
  EXPECT_EQ(components.count, 3);
  EXPECT_EQ(components.labels, (std::vector<Index>{1, 0, 0, 2}));
}

TEST(SparseWalk, SixtySixComponentsGiveSixtySixEigenvaluesOfOne) {
  const Matrix weights = sparse_weights(700, 66, 0, 7);
  const Eigenpairs expected = leading_eigenpairs(dense_walk(weights), 80, solver(Solver::lapack), Context());
  for (const Solver which : {Solver::lanczos, Solver::lapack}) {
    const Eigenpairs found = leading_eigenpairs(sparse_walk(weights), 80, solver(which), Context());
    EXPECT_EQ(found.components, 66);
    EXPECT_NEAR(found.values[65], 1.0, 1e-14);
    EXPECT_LT(found.values[66], 1.0 - 1e-4);
    EXPECT_LT((found.values - expected.values).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT(subspace_difference(found.vectors.leftCols(66), expected.vectors.leftCols(66)), 1e-8);
  }
}

TEST(SparseWalk, SingularVectorsAreThoseOfLapackOnTheDenseOne) {
  const Matrix here = sparse_weights(300, 6, 250, 8);
  const Matrix there = sparse_weights(300, 3, 250, 9);
  const RandomWalk other = dense_walk(there, 0.01);
  const Matrix explained = walk_eigenvectors(other, leading_eigenpairs(other, 3, solver(Solver::lapack), Context()));
  const std::vector<Matrix> eigenvectors = {Matrix::Zero(300, 0), explained};
  const Basis basis = basis_of_others(eigenvectors, 0);
  const DifferentialVectors expected =
      singular_vectors(dense_walk(here, 0.01), basis, 8, solver(Solver::lapack), Context());
  for (const Solver which : {Solver::lanczos, Solver::lapack}) {
    const DifferentialVectors found = singular_vectors(sparse_walk(here, 0.01), basis, 8, solver(which), Context());
    EXPECT_LT((found.sigma - expected.sigma).cwiseAbs().maxCoeff(), 1e-8);
    ASSERT_GT(expected.sigma[2] - expected.sigma[3], 0.05);  // six blocks, three of them explained
    EXPECT_LT(subspace_difference(found.vectors.leftCols(3), expected.vectors.leftCols(3)), 1e-8);
  }
}

TEST(SparseWalk, SameBitsForAnyNumberOfThreads) {
  const RandomWalk walk = sparse_walk(sparse_weights(900, 7, 600, 10), 0.005);
  const Eigenpairs one = leading_eigenpairs(walk, 15, solver(Solver::lanczos), threads(1));
  for (const int count : {2, 4}) {
    const Eigenpairs other = leading_eigenpairs(walk, 15, solver(Solver::lanczos), threads(count));
    EXPECT_EQ(one.values, other.values);
    EXPECT_EQ(one.vectors, other.vectors);
  }
}

}  // namespace
}  // namespace disc
