#include "spectral/eigenpairs_beyond.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "disc/stats.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

GraphOptions graph_options(Distance distance = Distance::correlation) {
  GraphOptions options;
  options.distance = distance;
  return options;
}

RandomWalk walk_of(const RowMatrix& values, const GraphOptions& options = graph_options()) {
  return make_walk(build_graph(make_dataset("A", values), all_of(values.cols()), options, Context()), Context());
}

NoiseLevel level_of(const RowMatrix& values, const GraphOptions& options = graph_options(),
                    const Context& context = Context()) {
  return noise_level(make_dataset("A", values), all_of(values.cols()), walk_of(values, options).degrees, options,
                     context);
}

// All eigenvalues beside the trivial one.
Vector eigenvalues_of(const RowMatrix& values, const GraphOptions& options = graph_options()) {
  SolverOptions solver;
  solver.solver = Solver::lapack;
  return leading_eigenpairs(walk_of(values, options), values.cols(), solver, Context()).values.tail(values.cols() - 1);
}

TEST(NoiseLevel, LiesBetweenThePlantedGroupsAndTheNoise) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const RowMatrix one = grouped_values(150, 100, {{0, 12}}, seed, 0.6);
    const Vector eigenvalues = eigenvalues_of(one);
    const double edge = level_of(one).edge;
    EXPECT_GT(eigenvalues[0], edge) << "seed " << seed;
    EXPECT_LT(eigenvalues[1], edge) << "seed " << seed;
    const RowMatrix three = grouped_values(150, 100, {{0, 12}, {12, 10}, {50, 15}}, seed + 10, 0.6);
    const double lower = level_of(three).edge;
    EXPECT_GT(eigenvalues_of(three)[2], lower) << "seed " << seed;
    EXPECT_LT(eigenvalues_of(three)[3], lower) << "seed " << seed;
  }
}

TEST(NoiseLevel, LeavesAtMostAFewEigenvaluesOfPureNoiseAbove) {
  Index above = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const RowMatrix values = normal_values(100, 80, 100 + seed);
    const Vector eigenvalues = eigenvalues_of(values);
    const double edge = level_of(values).edge;
    EXPECT_LE((eigenvalues.array() > edge).count(), 3);
    above += (eigenvalues.array() > edge).count();
  }
  EXPECT_LE(above, 5);  // one in twenty data sets has one
}

TEST(NoiseLevel, HoldsForRanksToo) {
  const GraphOptions options = graph_options(Distance::spearman);
  RowMatrix values = grouped_values(150, 80, {{0, 12}}, 4, 0.6);
  values = values.array().cube().matrix();
  const Vector eigenvalues = eigenvalues_of(values, options);
  const double edge = level_of(values, options).edge;
  EXPECT_GT(eigenvalues[0], edge);
  EXPECT_LT(eigenvalues[1], edge);
}

// More than a thousand samples are stood in for by a thousand of them.
TEST(NoiseLevel, OfManySamplesIsOnTheScaleOfAllSamples) {
  const RowMatrix values = grouped_values(4000, 60, {{0, 8}}, 5, 0.2);
  const Vector eigenvalues = eigenvalues_of(values);
  const double edge = level_of(values).edge;
  EXPECT_GT(eigenvalues[0], edge);
  EXPECT_LT(eigenvalues[1], 1.15 * edge);
  EXPECT_GT(eigenvalues[1], 0.5 * edge);
}

TEST(NoiseLevel, IsReproducibleAndDependsOnTheSeed) {
  const RowMatrix values = grouped_values(80, 50, {{0, 8}}, 6);
  const double first = level_of(values, graph_options(), threads(1, 3)).edge;
  EXPECT_EQ(first, level_of(values, graph_options(), threads(1, 3)).edge);
  EXPECT_NE(first, level_of(values, graph_options(), threads(1, 4)).edge);
}

TEST(NoiseLevel, SameBitsForAnyNumberOfThreads) {
  for (const Index features : {50, 420}) {  // LAPACK and the block method
    const RowMatrix values = grouped_values(60, features, {{0, 8}}, 7);
    const double one = level_of(values, graph_options(), threads(1)).edge;
    for (const int count : {2, 4}) EXPECT_EQ(one, level_of(values, graph_options(), threads(count)).edge);
  }
}

TEST(NoiseLevel, CountAboveStopsAtTheFirstThatIsNotAndPassesOverTheTrivialOne) {
  Vector values(6);
  values << 1.0, 0.9, 0.5, 0.3, 0.2, 0.1;
  EXPECT_EQ(count_above(values, 0.25), 3);
  EXPECT_EQ(count_above(values, 0.3), 2);
  EXPECT_EQ(count_above(values, 0.95), 0);
  EXPECT_EQ(count_above(values, 0.0), 5);
  EXPECT_EQ(count_above(values.head(1), 0.0), 0);
}

TEST(NoiseLevel, AllConditionsTogetherMayExplainAQuarterOfTheDirections) {
  EXPECT_EQ(max_dimensions(100, 2), 25);
  EXPECT_EQ(max_dimensions(120, 4), 10);
  EXPECT_EQ(max_dimensions(3, 2), 1);
  EXPECT_EQ(max_dimensions(100, 1), 25);
}

TEST(NoiseLevel, EigenpairsBeyondReachTheEdgeOrTheMost) {
  SolverOptions solver;
  SolverOptions lapack;
  lapack.solver = Solver::lapack;
  for (const Index features : {200, 450}) {  // LAPACK and the block method
    const RandomWalk walk = walk_of(normal_values(50, features, 8));
    const Vector all = leading_eigenpairs(walk, features, lapack, Context()).values;
    const PairSolver solve = [&](Index count, const SolverOptions& options) {
      return leading_eigenpairs(walk, count, options, Context());
    };
    const double edge = 0.5 * (all[30] + all[31]);  // 30 beside the trivial one are above
    const Eigenpairs reached = eigenpairs_beyond(solve, edge, 50, solver);
    ASSERT_EQ(count_above(reached.values, edge), 30);
    EXPECT_LE(reached.values[reached.values.size() - 1], edge);
    EXPECT_LT((reached.values.head(31) - all.head(31)).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_EQ(eigenpairs_beyond(solve, edge, 20, solver).values.size(), 21);
    EXPECT_EQ(eigenpairs_beyond(solve, 0.999, 50, solver).values.size(), 17);  // at least 16
  }
}

}  // namespace
}  // namespace disc
