#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "disc/stats.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

struct Planted {
  Index first = 0, size = 0;
  double rho = 0.5;  // correlation within
};

RowMatrix factor_values(Index samples, Index features, const std::vector<Planted>& groups, std::uint64_t seed) {
  RowMatrix values = normal_values(samples, features, seed);
  const RowMatrix factors = normal_values(samples, static_cast<Index>(groups.size()) + 1, seed + 5000);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (Index j = groups[g].first; j < groups[g].first + groups[g].size; ++j) {
      values.col(j) = std::sqrt(groups[g].rho) * factors.col(static_cast<Index>(g)) +
                      std::sqrt(1.0 - groups[g].rho) * values.col(j);
    }
  }
  return values;
}

std::vector<Dataset> datasets(const std::vector<RowMatrix>& values) {
  std::vector<Dataset> conditions;
  for (std::size_t m = 0; m < values.size(); ++m) {
    conditions.push_back(make_dataset(std::string(1, static_cast<char>('A' + m)), values[m]));
  }
  return conditions;
}

// The steps of the pipeline up to the test, in its order.
Statistics tested(const std::vector<Dataset>& conditions, Index permutations, const Context& context = Context(),
                  const Design& design = {}, const std::vector<bool>& is_target = {}) {
  const FeatureMatch match = match_features(conditions, {}, context);
  TestOptions options;
  options.graph.distance = Distance::correlation;
  options.vectors = 3;
  options.is_target = is_target;
  options.statistics.permutations = permutations;
  options.statistics.bootstraps = 0;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    const RandomWalk walk = make_walk(build_graph(conditions[m], match.columns[m], options.graph, context), context);
    options.noise_thresholds.push_back(
        noise_level(conditions[m], match.columns[m], walk.degrees, options.graph, context).edge);
  }
  return test_groups(conditions, match, design, options, context);
}

std::vector<double> all_p(const Statistics& statistics) {
  std::vector<double> p;
  for (const ConditionStatistics& condition : statistics.conditions) {
    p.insert(p.end(), condition.vector_p.begin(), condition.vector_p.end());
    for (const TestedGroup& group : condition.groups) p.push_back(group.p);
  }
  return p;
}

std::vector<double> all_q(const Statistics& statistics) {
  std::vector<double> q;
  for (const ConditionStatistics& condition : statistics.conditions) {
    q.insert(q.end(), condition.vector_q.begin(), condition.vector_q.end());
    for (const TestedGroup& group : condition.groups) q.push_back(group.q);
  }
  return q;
}

double smallest(const std::vector<double>& values) { return *std::ranges::min_element(values); }

// The group that was planted, give or take a feature: among so few samples one of noise may pass for a member.
const TestedGroup* find_group(const ConditionStatistics& condition, Index first, Index size) {
  for (const TestedGroup& group : condition.groups) {
    const std::vector<Index>& features = group.contrast.features;
    const auto both = std::ranges::count_if(features, [&](Index j) { return j >= first && j < first + size; });
    const auto either = static_cast<Index>(features.size()) + size - both;
    if (4 * both >= 3 * either) return &group;
  }
  return nullptr;
}

const Planted shared{0, 10, 0.6};
const Planted only_here{20, 10, 0.6};

// Both conditions share a group; A has one of its own.
std::vector<Dataset> planted_problem(std::uint64_t seed, Index samples = 80) {
  return datasets(
      {factor_values(samples, 50, {shared, only_here}, seed), factor_values(samples, 50, {shared}, seed + 1)});
}

TEST(Significance, OfTheSameDataTwiceIsNowhereBelowOneFifth) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const RowMatrix values = factor_values(50, 40, {shared, only_here}, seed);
    const Statistics found = tested(datasets({values, values}), 39);
    EXPECT_GE(smallest(all_p(found)), 0.2) << "seed " << seed;
    for (const ConditionStatistics& condition : found.conditions) {
      for (const TestedGroup& group : condition.groups) EXPECT_EQ(group.contrast.statistic(), 0.0);
    }
  }
}

TEST(Significance, OfAPlantedGroupIsTheSmallestThatCanBeAttained) {
  const Statistics found = tested(planted_problem(10), 99);
  EXPECT_EQ(found.permutations, 99);
  EXPECT_FALSE(found.stopped_early);
  EXPECT_FALSE(found.all_permutations);
  EXPECT_DOUBLE_EQ(found.min_p, 0.01);
  const TestedGroup* const new_group = find_group(found.conditions[0], 20, 10);
  ASSERT_NE(new_group, nullptr);
  EXPECT_DOUBLE_EQ(new_group->p, 0.01);
  EXPECT_EQ(&found.conditions[0].groups[0], new_group);  // by falling statistic
  EXPECT_EQ(new_group->membership.size(), static_cast<Index>(new_group->contrast.features.size()));
  EXPECT_GT(new_group->membership.minCoeff(), 2.0);
  EXPECT_DOUBLE_EQ(found.conditions[0].vector_p[0], 0.01);
}

TEST(Significance, OfASharedGroupIsNone) {
  const Statistics found = tested(planted_problem(20), 99);
  for (const ConditionStatistics& condition : found.conditions) {
    const TestedGroup* const group = find_group(condition, 0, 10);
    ASSERT_NE(group, nullptr);
    EXPECT_GT(group->p, 0.05);
  }
  for (const TestedGroup& group : found.conditions[1].groups) EXPECT_GT(group.p, 0.05);  // B has nothing of its own
}

TEST(Significance, OfPartsOfASplitGroupIsTheSmallestAndOfTheUnionNone) {
  const Statistics found = tested(
      datasets({factor_values(100, 60, {{0, 30, 0.6}}, 30), factor_values(100, 60, {{0, 12, 0.6}, {12, 18, 0.6}}, 31)}),
      59);
  for (const auto& [first, size] : {std::pair<Index, Index>{0, 12}, std::pair<Index, Index>{12, 18}}) {
    const TestedGroup* const part = find_group(found.conditions[1], first, size);
    ASSERT_NE(part, nullptr);
    EXPECT_DOUBLE_EQ(part->p, found.min_p);
  }
  const TestedGroup* const whole = find_group(found.conditions[0], 0, 30);
  ASSERT_NE(whole, nullptr);
  EXPECT_GT(whole->p, 0.05);
}

// A change of mean and of scale is no change of connection.
TEST(Significance, OfAShiftOfMeanAndVarianceIsNone) {
  RowMatrix a = factor_values(60, 40, {shared}, 40);
  a.middleCols(20, 10) = a.middleCols(20, 10) * 5.0;
  a.middleCols(25, 10).array() += 8.0;
  const Statistics found = tested(datasets({a, factor_values(60, 40, {shared}, 41)}), 39);
  EXPECT_GT(smallest(all_p(found)), 0.05);
}

TEST(Significance, IsTheSameForAnyNumberOfThreads) {
  const auto conditions = planted_problem(50, 40);
  const Statistics one = tested(conditions, 39, threads(1));
  for (const int count : {2, 4}) {
    const Statistics other = tested(conditions, 39, threads(count));
    EXPECT_EQ(all_p(one), all_p(other));
    EXPECT_EQ(all_q(one), all_q(other));
    for (std::size_t m = 0; m < 2; ++m) {
      EXPECT_EQ(one.conditions[m].sigma, other.conditions[m].sigma);
      ASSERT_EQ(one.conditions[m].groups.size(), other.conditions[m].groups.size());
      for (std::size_t g = 0; g < one.conditions[m].groups.size(); ++g) {
        EXPECT_EQ(one.conditions[m].groups[g].contrast.features, other.conditions[m].groups[g].contrast.features);
        EXPECT_EQ(one.conditions[m].groups[g].contrast.strength, other.conditions[m].groups[g].contrast.strength);
        EXPECT_EQ(one.conditions[m].groups[g].contrast.separation, other.conditions[m].groups[g].contrast.separation);
      }
    }
  }
}

TEST(Significance, StopsEarlyWhereNothingCanBecomeSignificant) {
  Index stopped = 0;
  for (std::uint64_t seed = 60; seed < 65; ++seed) {
    const Statistics found = tested(datasets({normal_values(40, 30, seed), normal_values(40, 30, seed + 500)}), 199);
    EXPECT_LE(found.permutations, 199);
    EXPECT_EQ(found.stopped_early, found.permutations < 199);
    EXPECT_DOUBLE_EQ(found.min_p, 1.0 / 200.0);
    if (!found.stopped_early) continue;
    ++stopped;
    EXPECT_GT(smallest(all_p(found)), 0.05);
  }
  EXPECT_GE(stopped, 3);
}

TEST(Significance, WithoutPermutationsIsOneEverywhere) {
  const Statistics found = tested(planted_problem(70), 0);
  EXPECT_EQ(found.permutations, 0);
  EXPECT_DOUBLE_EQ(found.min_p, 1.0);
  for (const double p : all_p(found)) EXPECT_DOUBLE_EQ(p, 1.0);
  EXPECT_NE(find_group(found.conditions[0], 20, 10), nullptr);
}

TEST(Significance, QIsBenjaminiAndHochbergOverEverything) {
  const Statistics found = tested(planted_problem(80), 59);
  const std::vector<double> p = all_p(found);
  const std::vector<double> q = all_q(found);
  ASSERT_GE(p.size(), 8U);
  const auto count = static_cast<double>(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    double expected = 1.0;  // min over thresholds t >= p_i of t N / #(p <= t)
    for (const double threshold : p) {
      if (threshold < p[i]) continue;
      const auto below = std::ranges::count_if(p, [&](double other) { return other <= threshold; });
      expected = std::min(expected, threshold * count / static_cast<double>(below));
    }
    EXPECT_NEAR(q[i], expected, 1e-12);
    EXPECT_GE(q[i], p[i]);
    for (std::size_t j = 0; j < p.size(); ++j) EXPECT_TRUE(p[j] < p[i] || q[j] >= q[i]);
  }
}

TEST(Significance, PFallsWithTheStatistic) {
  const Statistics found = tested(planted_problem(90), 59);
  for (const ConditionStatistics& condition : found.conditions) {
    for (std::size_t g = 1; g < condition.groups.size(); ++g) {
      EXPECT_GE(condition.groups[g - 1].contrast.statistic(), condition.groups[g].contrast.statistic());
      EXPECT_LE(condition.groups[g - 1].p, condition.groups[g].p);
    }
    for (Index i = 1; i < condition.sigma.size(); ++i) EXPECT_LE(condition.vector_p[i - 1], condition.vector_p[i]);
  }
}

TEST(Significance, ConditionsThatAreNoTargetsAreNotTested) {
  const Statistics found = tested(planted_problem(100), 39, Context(), {}, {true, false});
  EXPECT_EQ(found.conditions[1].sigma.size(), 0);
  EXPECT_TRUE(found.conditions[1].groups.empty());
  const TestedGroup* const group = find_group(found.conditions[0], 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_DOUBLE_EQ(group->p, found.min_p);
}

TEST(Significance, OfThreeConditionsFindsTheGroupThatTwoLack) {
  const Statistics found = tested(datasets({factor_values(60, 50, {shared}, 110), factor_values(60, 50, {shared}, 111),
                                            factor_values(60, 50, {shared, only_here}, 112)}),
                                  59);
  const TestedGroup* const group = find_group(found.conditions[2], 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_DOUBLE_EQ(group->p, found.min_p);
  for (const std::size_t m : {0U, 1U}) {
    for (const TestedGroup& other : found.conditions[m].groups) EXPECT_GT(other.p, 0.05);
  }
}

// Four donors of 20 samples in each condition: 70 ways to share them out.
Statistics tested_by_donors(const std::vector<Dataset>& conditions, const std::vector<bool>& is_target = {}) {
  Design design{{{}, {}}, {}};
  for (std::size_t m = 0; m < 2; ++m) {
    for (Index i = 0; i < 80; ++i) design.units[m].push_back("d" + std::to_string(i % 4));
  }
  return tested(conditions, 199, Context(), design, is_target);
}

TEST(Significance, OfFewUnitsUsesAllPermutations) {
  const Statistics found = tested_by_donors(planted_problem(120));
  EXPECT_TRUE(found.all_permutations);
  EXPECT_EQ(found.permutations, 69);
  EXPECT_EQ(found.units, 8);
  EXPECT_EQ(found.units_named, 8);
  EXPECT_FALSE(found.samples_are_units);
}

TEST(Significance, OfFewUnitsAndOneTargetReachesTheSmallestP) {
  const Statistics found = tested_by_donors(planted_problem(120), {true, false});
  const TestedGroup* const group = find_group(found.conditions[0], 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_DOUBLE_EQ(found.min_p, 1.0 / 70.0);
  EXPECT_DOUBLE_EQ(group->p, found.min_p);
}

TEST(Significance, OfAllPermutationsDoesNotDependOnTheOrderOfTheConditions) {
  const auto conditions = planted_problem(130);
  const Statistics one = tested_by_donors({conditions[0], conditions[1]});
  const Statistics other = tested_by_donors({conditions[1], conditions[0]});
  for (std::size_t m = 0; m < 2; ++m) {
    const ConditionStatistics& a = one.conditions[m];
    const ConditionStatistics& b = other.conditions[1 - m];
    ASSERT_EQ(a.groups.size(), b.groups.size());
    for (std::size_t g = 0; g < a.groups.size(); ++g) {
      EXPECT_EQ(a.groups[g].contrast.features, b.groups[g].contrast.features);
      EXPECT_DOUBLE_EQ(a.groups[g].p, b.groups[g].p);
    }
    EXPECT_LT((a.vector_p - b.vector_p).cwiseAbs().maxCoeff(), 1e-12);
  }
}

// With as many units in both conditions, exchanging all of them finds the same groups under exchanged names, so that the
// largest statistic of all is reached twice among the 70. What is called attainable must say so: 2 / 70.
TEST(Significance, OfFewUnitsReachesTheSmallestPThatIsCalledAttainable) {
  const Statistics found = tested_by_donors(datasets(
      {factor_values(80, 50, {shared, {20, 10, 0.9}}, 140), factor_values(80, 50, {shared, {32, 10, 0.9}}, 141)}));
  const TestedGroup* const group = find_group(found.conditions[0], 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_GT(group->contrast.statistic(), 8.0);
  EXPECT_DOUBLE_EQ(std::min(group->p, found.conditions[1].groups[0].p), found.min_p);
}

// Under the hypothesis one data set in twenty has anything at or below 0.05: 2 of 40, and more than 6 in one of 60 tries.
TEST(Significance, OfHalvesOfOneConditionIsRare) {
  Index rejected = 0;
  for (std::uint64_t b = 0; b < 40; ++b) {
    const RowMatrix values = factor_values(60, 40, {{0, 10, 0.4}}, 1000 + b);
    const Statistics found = tested(datasets({values.topRows(30), values.bottomRows(30)}), 39, threads(2, b));
    rejected += smallest(all_p(found)) <= 0.05 ? 1 : 0;
  }
  EXPECT_LE(rejected, 6);
}

}  // namespace
}  // namespace disc
