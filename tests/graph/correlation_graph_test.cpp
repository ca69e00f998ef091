// The sparse graph of known correlations against the dense graph of the data.
#include <gtest/gtest.h>

#include <cmath>

#include "disc/spectral.hpp"
#include "spectral/thin_product.hpp"
#include "support/correlations.hpp"
#include "support/graphs.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr Index p = 90;

RowMatrix values(std::uint64_t seed = 1) { return grouped_values(200, p, {{0, 15}, {20, 10}}, seed, 0.6); }

// One edge of 0.8 and nothing else: all other features are alone.
Correlations one_edge(Index features) {
  Correlations result;
  result.values = MatrixF::Identity(features, features);
  result.values(0, 2) = result.values(2, 0) = 0.8F;
  result.samples = 100;
  return result;
}

GraphOptions hard_cut() {
  GraphOptions options;
  options.association_cut = AssociationCut::hard;
  return options;
}

bool is_sparse(const SymmetricMatrix& weights) {
  return weights.visit([](const auto& inside) { return std::is_same_v<std::decay_t<decltype(inside)>, SparseMatrix>; });
}

void expect_same_graph(const RowMatrix& x, GraphOptions options) {
  options.distance = Distance::correlation;
  const FeatureGraph dense = build_graph(make_dataset("A", x), all_of(p), options, Context());
  const FeatureGraph sparse = graph_from_correlations(correlations_of(x), options, Context());
  EXPECT_TRUE(is_sparse(sparse.weights));
  ASSERT_EQ(sparse.size(), p);
  EXPECT_NEAR(sparse.uniform_weight, dense.uniform_weight, 1e-5);
  double worst = 0;
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < p; ++i) worst = std::max(worst, std::abs(sparse.weights(i, j) - dense.weights(i, j)));
  }
  EXPECT_LT(worst, 1e-5);
  EXPECT_EQ(sparse.used.self_weight, dense.used.self_weight);
  EXPECT_EQ(sparse.used.degree_regularization, dense.used.degree_regularization);
}

void expect_same_walk(const RowMatrix& x, GraphOptions options) {
  options.distance = Distance::correlation;
  const RandomWalk dense = make_walk(build_graph(make_dataset("A", x), all_of(p), options, Context()), Context());
  const RandomWalk sparse = make_walk(graph_from_correlations(correlations_of(x), options, Context()), Context());
  EXPECT_TRUE(is_sparse(sparse.conjugate));
  EXPECT_LT((sparse.degrees - dense.degrees).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((dense_conjugate(sparse) - dense_conjugate(dense)).cwiseAbs().maxCoeff(), 1e-5);
}

// Products are what solvers see: they must be those of the entries.
void expect_products_of_entries(const RandomWalk& walk) {
  const Index size = walk.size();
  Matrix entries(size, size);
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < size; ++i) entries(i, j) = walk.conjugate(i, j);
  }
  for (const Index columns : {1, 8}) {
    const Block x = normal_values(size, columns, 3);
    Block y;
    thin_product(walk.conjugate, x, y, Context());
    EXPECT_LT((y - entries * x).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(CorrelationGraph, EqualsTheDenseGraphWithTheDefaults) {
  GraphOptions options;
  expect_same_graph(values(), options);
  expect_same_walk(values(), options);
  const FeatureGraph graph = graph_from_correlations(correlations_of(values()), options, Context());
  EXPECT_EQ(*graph.used.self_weight, 0.0);
  EXPECT_EQ(*graph.used.degree_regularization, 1.0);
  EXPECT_GT(graph.uniform_weight, 0.0);
}

TEST(CorrelationGraph, EqualsTheDenseGraphWithTheHardCut) {
  // A correlation that rounds to the other side of the cut would differ by the cut: the data have none.
  expect_same_graph(values(2), hard_cut());
  expect_same_walk(values(2), hard_cut());
}

TEST(CorrelationGraph, EqualsTheDenseGraphWithASelfWeight) {
  GraphOptions options;
  options.self_weight = 0.7;
  expect_same_graph(values(3), options);
  expect_same_walk(values(3), options);
}

TEST(CorrelationGraph, EqualsTheDenseGraphWithDensityNormalizationAndPower) {
  GraphOptions options;
  options.density_exponent = 0.5;
  options.association_power = 2.0;
  options.association_z = 0.5;
  expect_same_walk(values(4), options);
}

TEST(CorrelationGraph, EqualsTheDenseGraphWithoutACut) {
  GraphOptions options;
  options.association_z = 0.0;
  expect_same_graph(values(5), options);
}

TEST(CorrelationGraph, KeepsOnlyPositiveWeights) {
  for (const double z : {0.0, 1.5, 3.0}) {
    GraphOptions options;
    options.association_z = z;
    const FeatureGraph graph = graph_from_correlations(correlations_of(values()), options, Context());
    graph.weights.visit([](const auto& weights) {
      if constexpr (std::is_same_v<std::decay_t<decltype(weights)>, SparseMatrix>) {
        EXPECT_GT(weights.nonZeros(), 0);
        EXPECT_LT(weights.nonZeros(), p * (p - 1));
        for (Index k = 0; k < weights.nonZeros(); ++k) EXPECT_GE(weights.valuePtr()[k], 0.0);
      }
    });
  }
}

TEST(CorrelationGraph, HardCutKeepsTheCorrelationItself) {
  const Correlations correlations = correlations_of(values());
  const FeatureGraph graph = graph_from_correlations(correlations, hard_cut(), Context());
  const double cut = 1.5 / std::sqrt(200.0);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < p; ++i) {
      const auto r = static_cast<double>(correlations.values(i, j));
      if (std::abs(r - cut) < 1e-6) continue;
      EXPECT_EQ(graph.weights(i, j), i == j || r < cut ? 0.0 : r) << i << ", " << j;
    }
  }
}

// The uniform weight of method (4) is all that a lone feature has: it walks anywhere.
TEST(CorrelationGraph, LoneFeaturesWalkAnywhereWithRegularization) {
  const FeatureGraph graph = graph_from_correlations(one_edge(6), {}, Context());
  const double uniform = graph.uniform_weight;
  EXPECT_NEAR(uniform, 2 * (0.8 - 0.15) / 6 / 6, 1e-7);
  EXPECT_EQ(graph.weights(1, 1), 0.0);
  const RandomWalk walk = make_walk(graph_from_correlations(one_edge(6), {}, Context()), Context());
  EXPECT_NEAR(walk.degrees[1], 6 * uniform, 1e-7);
  const Vector root = walk.degrees.cwiseSqrt();
  const Matrix step = root.cwiseInverse().asDiagonal() * dense_conjugate(walk) * root.asDiagonal();
  EXPECT_LT((step.row(1).array() - 1.0 / 6.0).abs().maxCoeff(), 1e-7);
  EXPECT_LT((step.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
  expect_products_of_entries(walk);
}

TEST(CorrelationGraph, LoneFeaturesStayWhereTheyAreWithoutRegularization) {
  GraphOptions options;
  options.degree_regularization = 0.0;
  for (const Index features : {6, 80}) {
    const RandomWalk walk = make_walk(graph_from_correlations(one_edge(features), options, Context()), Context());
    EXPECT_EQ(walk.uniform_weight, 0.0);
    EXPECT_EQ(walk.degrees[1], 1.0);
    EXPECT_EQ(walk.conjugate(1, 1), 1.0);
    EXPECT_NEAR(walk.conjugate(0, 2), 1.0, 1e-12);
    EXPECT_EQ(find_components(walk).count, features - 1);
    expect_products_of_entries(walk);
  }
}

TEST(CorrelationGraph, WithoutAnyEdgeEveryFeatureStaysWhereItIs) {
  Correlations nothing = one_edge(7);
  nothing.values.setIdentity();
  for (const double regularization : {0.0, 1.0}) {
    GraphOptions options;
    options.degree_regularization = regularization;
    const RandomWalk walk = make_walk(graph_from_correlations(nothing, options, Context()), Context());
    EXPECT_GT(walk.degrees.minCoeff(), 0.0);
    EXPECT_GT(walk.conjugate(3, 3), 0.0);
    EXPECT_EQ(walk.conjugate(3, 4), 0.0);
    expect_products_of_entries(walk);
  }
}

TEST(CorrelationGraph, LoneFeaturesOfTheDensityNormalizationHaveProductsOfTheirEntries) {
  GraphOptions options;
  options.density_exponent = 1.0;
  expect_products_of_entries(make_walk(graph_from_correlations(one_edge(40), options, Context()), Context()));
}

}  // namespace
}  // namespace disc
