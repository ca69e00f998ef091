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

TestResult tested(const std::vector<Dataset>& conditions, Index permutations, const Context& context = Context(),
                  const Design& design = {}, const std::vector<bool>& is_target = {}) {
  const FeatureMatch match = match_features(conditions, {}, context);
  TestOptions options;
  options.graph.distance = Distance::correlation;
  options.is_target = is_target;
  options.statistics.permutations = permutations;
  options.statistics.bootstraps = 0;
  return test_groups(conditions, match, design, options, context);
}

// Whether it was found significant or not, by condition.
std::vector<FeatureGroup> groups_of(const TestedCondition& condition) {
  std::vector<FeatureGroup> all = condition.groups;
  all.insert(all.end(), condition.candidates.begin(), condition.candidates.end());
  return all;
}

// Of everything that was found.
double smallest_p(const TestResult& found) {
  double p = 1;
  for (const TestedCondition& condition : found.conditions) {
    for (const FeatureGroup& group : groups_of(condition)) p = std::min(p, group.p);
  }
  return p;
}

bool is_about(const FeatureGroup& group, Index first, Index size) {
  const auto both = std::ranges::count_if(group.features, [&](Index j) { return j >= first && j < first + size; });
  const auto either = static_cast<Index>(group.features.size()) + size - both;
  return 4 * both >= 3 * either;
}

// The group that was planted, give or take a feature: among so few samples one of noise may pass for a member.
const FeatureGroup* find_group(const std::vector<FeatureGroup>& groups, Index first, Index size) {
  const auto found =
      std::ranges::find_if(groups, [&](const FeatureGroup& group) { return is_about(group, first, size); });
  return found == groups.end() ? nullptr : &*found;
}

void expect_same(const std::vector<FeatureGroup>& one, const std::vector<FeatureGroup>& other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t g = 0; g < one.size(); ++g) {
    EXPECT_EQ(one[g].features, other[g].features);
    EXPECT_EQ(one[g].sign, other[g].sign);
    EXPECT_EQ(one[g].parent, other[g].parent);
    EXPECT_EQ(one[g].view, other[g].view);
    EXPECT_EQ(one[g].p, other[g].p);
    EXPECT_EQ(one[g].q, other[g].q);
  }
}

const Planted shared{0, 10, 0.6};
const Planted only_here{20, 10, 0.6};

// Both conditions share a group; A has one of its own.
std::vector<Dataset> planted_problem(std::uint64_t seed, Index samples = 80) {
  return datasets(
      {factor_values(samples, 50, {shared, only_here}, seed), factor_values(samples, 50, {shared}, seed + 1)});
}

TEST(Significance, OfTheSameDataTwiceHasNothingToJudge) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const RowMatrix values = factor_values(50, 40, {shared, only_here}, seed);
    for (const TestedCondition& condition : tested(datasets({values, values}), 39).conditions) {
      EXPECT_TRUE(groups_of(condition).empty()) << "seed " << seed;
    }
  }
}

TEST(Significance, OfAPlantedGroupIsTheSmallestThatCanBeAttained) {
  const TestResult found = tested(planted_problem(10), 99);
  EXPECT_EQ(found.statistics.permutations, 99);
  EXPECT_FALSE(found.statistics.stopped_early);
  EXPECT_FALSE(found.statistics.exact);
  EXPECT_DOUBLE_EQ(found.statistics.min_p, 0.01);
  const std::vector<FeatureGroup>& groups = found.conditions[0].groups;
  const FeatureGroup* const new_group = find_group(groups, 20, 10);
  ASSERT_NE(new_group, nullptr);
  EXPECT_DOUBLE_EQ(new_group->p, 0.01);
  EXPECT_LE(new_group->q, 0.05);
  EXPECT_EQ(&groups[0], new_group);  // the most evident
  EXPECT_EQ(new_group->parent, -1);
  EXPECT_EQ(new_group->weight.size(), new_group->features.size());
  EXPECT_GT(*std::ranges::min_element(new_group->weight), 2.0);
}

TEST(Significance, OfASharedGroupIsNone) {
  const TestResult found = tested(planted_problem(20), 99);
  for (const TestedCondition& condition : found.conditions) EXPECT_EQ(find_group(condition.groups, 0, 10), nullptr);
  EXPECT_TRUE(found.conditions[1].groups.empty());  // B has nothing of its own
}

TEST(Significance, OfPartsOfASplitGroupIsTheSmallestAndOfTheUnionNone) {
  const TestResult found = tested(
      datasets({factor_values(100, 60, {{0, 30, 0.6}}, 30), factor_values(100, 60, {{0, 12, 0.6}, {12, 18, 0.6}}, 31)}),
      59);
  for (const auto& [first, size] : {std::pair<Index, Index>{0, 12}, std::pair<Index, Index>{12, 18}}) {
    const FeatureGroup* const part = find_group(found.conditions[1].groups, first, size);
    ASSERT_NE(part, nullptr);
    EXPECT_LE(part->p, 0.05);
  }
  EXPECT_EQ(find_group(found.conditions[0].groups, 0, 30), nullptr);
}

// A change of mean and of scale is no change of connection.
TEST(Significance, OfAShiftOfMeanAndVarianceIsNone) {
  RowMatrix a = factor_values(60, 40, {shared}, 40);
  a.middleCols(20, 10) = a.middleCols(20, 10) * 5.0;
  a.middleCols(25, 10).array() += 8.0;
  const TestResult found = tested(datasets({a, factor_values(60, 40, {shared}, 41)}), 39);
  EXPECT_GT(smallest_p(found), 0.05);
}

TEST(Significance, IsTheSameForAnyNumberOfThreads) {
  const auto conditions = planted_problem(50, 40);
  const TestResult one = tested(conditions, 39, threads(1));
  for (const int count : {2, 4}) {
    const TestResult other = tested(conditions, 39, threads(count));
    for (std::size_t m = 0; m < 2; ++m) {
      const std::vector<FeatureGroup> groups = groups_of(one.conditions[m]);
      expect_same(groups, groups_of(other.conditions[m]));
      for (std::size_t g = 0; g < groups.size(); ++g) {
        EXPECT_EQ(groups[g].statistic, groups_of(other.conditions[m])[g].statistic);
        EXPECT_EQ(groups[g].score, groups_of(other.conditions[m])[g].score);
      }
    }
  }
}

TEST(Significance, StopsEarlyWhereNothingCanBecomeSignificant) {
  Index stopped = 0;
  for (std::uint64_t seed = 60; seed < 65; ++seed) {
    const TestResult found = tested(datasets({normal_values(40, 30, seed), normal_values(40, 30, seed + 500)}), 199);
    const Statistics& statistics = found.statistics;
    EXPECT_LE(statistics.permutations, 199);
    EXPECT_EQ(statistics.stopped_early, statistics.permutations < 199);
    EXPECT_DOUBLE_EQ(statistics.min_p, 1.0 / static_cast<double>(statistics.permutations + 1));
    if (!statistics.stopped_early) continue;
    ++stopped;
    EXPECT_GT(smallest_p(found), 0.05);
  }
  EXPECT_GE(stopped, 3);
}

TEST(Significance, WithoutPermutationsIsOneEverywhere) {
  const TestResult found = tested(planted_problem(70), 0);
  EXPECT_EQ(found.statistics.permutations, 0);
  EXPECT_DOUBLE_EQ(found.statistics.min_p, 1.0);
  EXPECT_DOUBLE_EQ(smallest_p(found), 1.0);
  EXPECT_NE(find_group(found.conditions[0].groups, 20, 10), nullptr);
}

TEST(Significance, OfWhatIsNoAnswerIsAboveTheLevel) {
  const TestResult found = tested(planted_problem(90), 59);
  for (const TestedCondition& condition : found.conditions) {
    for (const FeatureGroup& group : condition.groups) EXPECT_TRUE(group.p <= 0.05 || group.parent >= 0);
    for (const FeatureGroup& group : condition.candidates) EXPECT_GT(group.p, 0.05);
  }
}

TEST(Significance, ConditionsThatAreNoTargetsAreNotTested) {
  const TestResult found = tested(planted_problem(100), 39, Context(), {}, {true, false});
  EXPECT_TRUE(groups_of(found.conditions[1]).empty());
  const FeatureGroup* const group = find_group(found.conditions[0].groups, 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_DOUBLE_EQ(group->p, found.statistics.min_p);
}

TEST(Significance, OfThreeConditionsFindsTheGroupThatTwoLack) {
  const TestResult found = tested(datasets({factor_values(60, 50, {shared}, 110), factor_values(60, 50, {shared}, 111),
                                            factor_values(60, 50, {shared, only_here}, 112)}),
                                  59);
  const FeatureGroup* const group = find_group(found.conditions[2].groups, 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_DOUBLE_EQ(group->p, found.statistics.min_p);
  EXPECT_FALSE(group->is_lost());
  for (const std::size_t m : {0U, 1U}) EXPECT_TRUE(found.conditions[m].groups.empty());
}

TEST(Significance, OfThreeConditionsFindsTheGroupThatOneLost) {
  const TestResult found =
      tested(datasets({factor_values(100, 50, {shared, only_here}, 113), factor_values(100, 50, {shared}, 114),
                       factor_values(100, 50, {shared, only_here}, 115)}),
             59);
  const FeatureGroup* const group = find_group(found.conditions[1].groups, 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_TRUE(group->is_lost());
  EXPECT_DOUBLE_EQ(group->p, found.statistics.min_p);
  const std::vector<Interval>& mean = group->evidence.mean_correlation;
  EXPECT_LT(mean[1].value, std::min(mean[0].value, mean[2].value) - 0.3);
  EXPECT_GT(*std::ranges::min_element(group->weight), 2.0);  // where it is
  for (const GainedEdge& edge : group->evidence.edges) EXPECT_LT(edge.here, edge.elsewhere);
  for (const std::size_t m : {0U, 2U}) EXPECT_EQ(find_group(found.conditions[m].groups, 20, 10), nullptr);
}

// One factor that half of the features follow and half go against.
TEST(Significance, OfHalfUpAndHalfDownIsOneGroupWithSigns) {
  RowMatrix a = factor_values(120, 60, {shared, {20, 16, 0.6}}, 150);
  a.middleCols(28, 8) *= -1.0;
  const TestResult found = tested(datasets({a, factor_values(120, 60, {shared}, 151)}), 59);
  const std::vector<FeatureGroup>& groups = found.conditions[0].groups;
  const FeatureGroup* const group = find_group(groups, 20, 16);
  ASSERT_NE(group, nullptr);
  EXPECT_DOUBLE_EQ(group->p, found.statistics.min_p);
  ASSERT_EQ(group->sign.size(), group->features.size());
  for (std::size_t i = 0; i < group->features.size(); ++i) {
    if (group->features[i] < 20 || group->features[i] >= 36) continue;
    const bool in_first_half = group->features[i] < 28;
    EXPECT_EQ(group->sign[i] == group->sign[0], in_first_half == (group->features[0] < 28)) << group->features[i];
  }
  // Its evidence takes the signs along.
  EXPECT_NEAR(group->evidence.mean_correlation[0].value, 0.6, 0.15);
  EXPECT_NEAR(group->evidence.mean_correlation[1].value, 0.0, 0.1);
  EXPECT_GT(*std::ranges::min_element(group->weight), 2.0);
  for (const GainedEdge& edge : group->evidence.edges) {
    EXPECT_EQ(edge.here > 0, (edge.a < 28) == (edge.b < 28));
    EXPECT_GT(std::abs(edge.here), std::abs(edge.elsewhere));
  }
}

// The halves of a group of both conditions go against each other in A.
TEST(Significance, OfABlockThatTurnsAnticorrelatedHasSigns) {
  RowMatrix a = factor_values(150, 60, {{20, 16, 0.6}}, 160);
  a.middleCols(28, 8) *= -1.0;
  const TestResult found = tested(datasets({a, factor_values(150, 60, {{20, 16, 0.6}}, 161)}), 59);
  const FeatureGroup* const group = find_group(found.conditions[0].groups, 20, 16);
  ASSERT_NE(group, nullptr);
  EXPECT_LE(group->p, 0.05);
  EXPECT_EQ(group->sign.size(), group->features.size());
}

// Four donors of 20 samples in each condition: 70 ways to share them out.
TestResult tested_by_donors(const std::vector<Dataset>& conditions, const std::vector<bool>& is_target = {},
                            Index donors = 4) {
  Design design{{{}, {}}, {}};
  for (std::size_t m = 0; m < 2; ++m) {
    for (Index i = 0; i < conditions[m].values.rows(); ++i) {
      design.units[m].push_back("d" + std::to_string(i % donors));
    }
  }
  return tested(conditions, 199, Context(), design, is_target);
}

TEST(Significance, OfFewUnitsUsesAllPermutations) {
  const Statistics found = tested_by_donors(planted_problem(120)).statistics;
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.permutations, 69);
  EXPECT_EQ(found.units, 8);
  EXPECT_EQ(found.units_in_design, 8);
  EXPECT_FALSE(found.samples_are_units);
}

TEST(Significance, OfFewUnitsAndOneTargetReachesTheSmallestP) {
  const TestResult found = tested_by_donors(planted_problem(120), {true, false});
  const FeatureGroup* const group = find_group(found.conditions[0].groups, 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_DOUBLE_EQ(found.statistics.min_p, 1.0 / 70.0);
  EXPECT_DOUBLE_EQ(group->p, found.statistics.min_p);
}

// Three units against three: the 20 labellings are ten, each under both orders of the names.
TEST(Significance, OfThreeUnitsAgainstThreeIsAtLeastTwoInTwenty) {
  const TestResult found = tested_by_donors(planted_problem(125, 90), {}, 3);
  EXPECT_EQ(found.statistics.permutations, 19);
  EXPECT_TRUE(found.statistics.exact);
  EXPECT_DOUBLE_EQ(found.statistics.min_p, 2.0 / 20.0);
  const FeatureGroup* const group = find_group(groups_of(found.conditions[0]), 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_GE(smallest_p(found), found.statistics.min_p);
}

TEST(Significance, DoesNotDependOnTheOrderOfTheConditions) {
  const auto conditions = planted_problem(130);
  const std::vector<Dataset> exchanged{conditions[1], conditions[0]};
  const auto expect_exchanged = [](const TestResult& one, const TestResult& other) {
    for (std::size_t m = 0; m < 2; ++m) {
      expect_same(one.conditions[m].groups, other.conditions[1 - m].groups);
      const std::vector<FeatureGroup>& candidates = one.conditions[m].candidates;
      ASSERT_EQ(candidates.size(), other.conditions[1 - m].candidates.size());
      for (std::size_t g = 0; g < candidates.size(); ++g) {
        EXPECT_EQ(candidates[g].features, other.conditions[1 - m].candidates[g].features);
        EXPECT_EQ(candidates[g].p, other.conditions[1 - m].candidates[g].p);
      }
    }
  };
  expect_exchanged(tested_by_donors(conditions), tested_by_donors(exchanged));  // all permutations
  expect_exchanged(tested(conditions, 39), tested(exchanged, 39));              // some
}

// Whatever differs, or does not: no p-value is smaller than the smallest that is possible.
TEST(Significance, OfFewUnitsIsNeverBelowTheSmallestPossible) {
  for (const Index donors : {2, 3, 4, 5}) {
    for (const std::uint64_t seed : {200U, 210U, 220U}) {
      const std::vector<Dataset> planted = planted_problem(seed, 15 * donors);
      const std::vector<Dataset> alike = datasets(
          {factor_values(15 * donors, 50, {shared}, seed + 5), factor_values(15 * donors, 50, {shared}, seed + 6)});
      for (const std::vector<Dataset>& conditions : {planted, alike}) {
        const TestResult found = tested_by_donors(conditions, {}, donors);
        const bool all = donors < 5;  // 5 against 5 are 252 labellings, of which 199 are drawn
        EXPECT_EQ(found.statistics.exact, all);
        EXPECT_DOUBLE_EQ(found.statistics.min_p,
                         (all ? 2.0 : 1.0) / (static_cast<double>(found.statistics.permutations) + 1.0));
        EXPECT_GE(smallest_p(found), found.statistics.min_p) << donors << " units a side, seed " << seed;
      }
    }
  }
}

TEST(Significance, AtTheFloorIsExtrapolatedWhereAskedFor) {
  const std::vector<Dataset> conditions = planted_problem(10);
  const FeatureMatch match = match_features(conditions, {}, Context());
  TestOptions options;
  options.graph.distance = Distance::correlation;
  options.statistics.permutations = 99;
  options.statistics.bootstraps = 0;
  options.statistics.tail = Tail::pareto;
  const TestResult found = test_groups(conditions, match, {}, options, Context());
  const FeatureGroup* const group = find_group(found.conditions[0].groups, 20, 10);
  ASSERT_NE(group, nullptr);
  EXPECT_DOUBLE_EQ(group->p, 0.01);  // what was counted stays
  ASSERT_TRUE(group->p_tail.has_value());
  EXPECT_LT(*group->p_tail, 0.005);
  EXPECT_GT(*group->p_tail, 0.0);
  for (const TestedCondition& condition : found.conditions) {
    for (const FeatureGroup& other : groups_of(condition)) EXPECT_TRUE(!other.p_tail || other.p <= 0.01 + 1e-9);
  }
  const TestResult not_asked = tested(conditions, 99);
  for (const FeatureGroup& other : not_asked.conditions[0].groups) EXPECT_FALSE(other.p_tail.has_value());
}

// Only what sits at the floor is worth more permutations.
TEST(Significance, GoesOnOnlyAtTheFloor) {
  TestOptions options;
  options.graph.distance = Distance::correlation;
  options.statistics.permutations = 39;
  options.statistics.max_permutations = 119;
  options.statistics.bootstraps = 0;
  const auto permutations_for = [&](const std::vector<Dataset>& conditions) {
    return test_groups(conditions, match_features(conditions, {}, Context()), {}, options, Context()).statistics;
  };
  const Statistics planted = permutations_for(planted_problem(10));
  EXPECT_EQ(planted.permutations, 119);
  EXPECT_DOUBLE_EQ(planted.min_p, 1.0 / 120.0);
  EXPECT_LE(permutations_for(datasets({normal_values(40, 30, 7), normal_values(40, 30, 507)})).permutations, 39);
}

// With as many units in both conditions, exchanging all of them finds the same groups under exchanged names, so that the
// largest statistic of all is reached twice among the 70. What is called attainable must say so: 2 / 70.
TEST(Significance, OfFewUnitsReachesTheSmallestPThatIsCalledAttainable) {
  const TestResult found = tested_by_donors(datasets(
      {factor_values(80, 50, {shared, {20, 10, 0.9}}, 140), factor_values(80, 50, {shared, {32, 10, 0.9}}, 141)}));
  EXPECT_DOUBLE_EQ(found.statistics.min_p, 2.0 / 70.0);
  ASSERT_NE(find_group(found.conditions[0].groups, 20, 10), nullptr);
  EXPECT_DOUBLE_EQ(smallest_p(found), found.statistics.min_p);
}

// Under the hypothesis one data set in twenty has anything at or below 0.05: 2 of 40, and more than 6 in one of 60 tries.
TEST(Significance, OfHalvesOfOneConditionIsRare) {
  Index rejected = 0;
  for (std::uint64_t b = 0; b < 40; ++b) {
    const RowMatrix values = factor_values(60, 40, {{0, 10, 0.4}}, 1000 + b);
    const TestResult found = tested(datasets({values.topRows(30), values.bottomRows(30)}), 39, threads(2, b));
    rejected += smallest_p(found) <= 0.05 ? 1 : 0;
  }
  EXPECT_LE(rejected, 6);
}

}  // namespace
}  // namespace disc
