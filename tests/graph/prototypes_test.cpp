#include "disc/prototypes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "disc/spectral.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr Index few = 5;  // profiles that differ
constexpr Index samples = 40;

// Features that are copies of a few profiles, up to noise: feature j has profile j % few.
RowMatrix copies(Index features, double noise, std::uint64_t seed) {
  const RowMatrix profiles = normal_values(samples, few, seed);
  RowMatrix values = noise * normal_values(samples, features, seed + 100);
  for (Index j = 0; j < features; ++j) values.col(j) += profiles.col(j % few);
  return values;
}

struct Problem {
  std::vector<Dataset> conditions;
  FeatureMatch match;
};

Problem problem_of(Index features, double noise) {
  Problem problem;
  problem.conditions.push_back(make_dataset("A", copies(features, noise, 1)));
  problem.conditions.push_back(make_dataset("B", copies(features, noise, 2)));
  problem.match = match_features(problem.conditions, {}, Context());
  return problem;
}

Prototypes prototypes_of(const Problem& problem, Index count, const Context& context = Context()) {
  const PrototypeCenters found =
      find_prototypes(problem.conditions, problem.match, Distance::correlation, count, context);
  return assign_prototypes(problem.conditions, problem.match, Distance::correlation, found, context);
}

GraphOptions association() {
  GraphOptions options;
  options.distance = Distance::correlation;
  return options;
}

// P as features see it, from the walk on prototypes: the coordinates keep lengths.
Matrix walk_of_features(const RandomWalk& walk, const Prototypes& prototypes) {
  const auto p = static_cast<Index>(prototypes.of.size());
  Matrix result(p, p);
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < p; ++j) {
      const Index a = prototypes.of[static_cast<std::size_t>(i)];
      const Index b = prototypes.of[static_cast<std::size_t>(j)];
      const double pairs = std::sqrt(prototypes.sizes[a] * prototypes.sizes[b]);
      result(i, j) =
          (walk.conjugate(a, b) / pairs + walk.uniform_weight / std::sqrt(walk.degrees[a] * walk.degrees[b])) *
          std::sqrt(walk.degrees[b] / walk.degrees[a]);
    }
  }
  return result;
}

TEST(Prototypes, LikeFeaturesShareOne) {
  const Prototypes prototypes = prototypes_of(problem_of(2000, 0.05), 60);
  EXPECT_LE(prototypes.count(), 60);
  EXPECT_EQ(prototypes.sizes.sum(), 2000);
  EXPECT_LT(prototypes.loss, 0.01);
  for (std::size_t j = 0; j < prototypes.of.size(); ++j) {
    const Index own = prototypes.representatives[static_cast<std::size_t>(prototypes.of[j])];
    EXPECT_EQ(own % few, static_cast<Index>(j) % few);
  }
}

TEST(Prototypes, LossIsThatOfItsDefinition) {
  const Problem problem = problem_of(600, 1.0);
  const Prototypes prototypes = prototypes_of(problem, 20);
  double lost = 0;
  double all = 0;
  for (std::size_t m = 0; m < 2; ++m) {
    RowMatrix values;
    problem.conditions[m].values.copy_rows(0, samples, all_of(600), values);
    for (Index j = 0; j < 600; ++j) {
      Vector x = values.col(j).array() - values.col(j).mean();
      x.normalize();
      lost += (x - prototypes.profiles[m].col(prototypes.of[static_cast<std::size_t>(j)]).cast<double>()).squaredNorm();
      all += 1;
    }
  }
  EXPECT_NEAR(prototypes.loss, lost / all, 1e-5);
  EXPECT_GT(prototypes.loss, 0.2);
}

TEST(Prototypes, OneForEveryFeatureIsTheDenseGraph) {
  const Problem problem = problem_of(120, 1.0);
  const Prototypes prototypes = prototypes_of(problem, 500);
  ASSERT_EQ(prototypes.count(), 120);
  for (Index m = 0; m < 2; ++m) {
    const RandomWalk through = make_walk(graph_of_prototypes(correlations_of_prototypes(prototypes, m), samples,
                                                             prototypes.sizes, association(), Context()),
                                         Context());
    const RandomWalk dense = make_walk(
        build_graph(problem.conditions[static_cast<std::size_t>(m)], all_of(120), association(), Context()), Context());
    EXPECT_LT((through.degrees - dense.degrees).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_NEAR(through.uniform_weight, dense.uniform_weight, 1e-6);
    const Eigenpairs a = leading_eigenpairs(through, 6, {}, Context());
    const Eigenpairs b = leading_eigenpairs(dense, 6, {}, Context());
    EXPECT_LT((a.values - b.values).cwiseAbs().maxCoeff(), 1e-5);
  }
}

TEST(Prototypes, WalkIsThatOfAllFeatures) {
  // Copies without noise: the graph of all features is known, and prototypes lose nothing.
  const Problem problem = problem_of(200, 0.0);
  const Prototypes prototypes = prototypes_of(problem, 30);
  const RandomWalk through = make_walk(graph_of_prototypes(correlations_of_prototypes(prototypes, 0), samples,
                                                           prototypes.sizes, association(), Context()),
                                       Context());
  const RandomWalk dense =
      make_walk(build_graph(problem.conditions[0], all_of(200), association(), Context()), Context());
  Prototypes each;
  each.sizes = Vector::Ones(200);
  for (Index j = 0; j < 200; ++j) each.of.push_back(static_cast<std::int32_t>(j));
  Matrix expected = walk_of_features(dense, each);
  Matrix found = walk_of_features(through, prototypes);
  // Within a prototype no feature is its own neighbor in the dense graph, while prototypes share that weight out: rows still sum to 1.
  EXPECT_LT((found.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-5);
  EXPECT_LT((expected.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-9);
  for (Index i = 0; i < 200; ++i) {
    for (Index j = 0; j < 200; ++j) {
      if (prototypes.of[static_cast<std::size_t>(i)] == prototypes.of[static_cast<std::size_t>(j)]) continue;
      EXPECT_NEAR(found(i, j), expected(i, j), 1e-6) << i << ", " << j;
    }
  }
}

TEST(Prototypes, TrivialVectorIsConstantOverFeatures) {
  const Prototypes prototypes = prototypes_of(problem_of(900, 0.3), 40);
  const RandomWalk walk = make_walk(graph_of_prototypes(correlations_of_prototypes(prototypes, 1), samples,
                                                        prototypes.sizes, association(), Context()),
                                    Context());
  const Matrix lifted =
      lift_to_features(walk_eigenvectors(walk, leading_eigenpairs(walk, 4, {}, Context())), prototypes);
  EXPECT_LT((lifted.col(0).array() - lifted.col(0).mean()).abs().maxCoeff(), 1e-9);
  EXPECT_LT((lifted.colwise().norm().array() - 1.0).abs().maxCoeff(), 1e-9);
}

TEST(Prototypes, SameBitsForAnyNumberOfThreads) {
  const Problem problem = problem_of(9000, 0.5);
  const Prototypes one = prototypes_of(problem, 50, threads(1));
  for (const int count : {2, 4}) {
    const Prototypes other = prototypes_of(problem, 50, threads(count));
    EXPECT_EQ(one.of, other.of);
    EXPECT_EQ(one.representatives, other.representatives);
    EXPECT_EQ(one.loss, other.loss);
    EXPECT_TRUE(one.profiles[1] == other.profiles[1]);
  }
}

TEST(Prototypes, IndependentFeaturesAreSeenToLoseMuch) {
  Problem problem;
  problem.conditions.push_back(make_dataset("A", normal_values(samples, 3000, 3)));
  problem.conditions.push_back(make_dataset("B", normal_values(samples, 3000, 4)));
  problem.match = match_features(problem.conditions, {}, Context());
  const PrototypeCenters found =
      find_prototypes(problem.conditions, problem.match, Distance::correlation, 1000, Context());
  EXPECT_GT(found.loss, 0.6);
  EXPECT_LT(found.centers.cols(), 1000);  // the search gave up with a few
}

}  // namespace
}  // namespace disc
