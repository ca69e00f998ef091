#include "disc/test_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/unit_sums.hpp"
#include "support/data.hpp"
#include "support/prepared.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr Index no_limit = 100'000;
constexpr double tolerance = 2e-5;  // of single-precision sums over some hundred samples

struct Problem {
  std::vector<Dataset> conditions;
  FeatureMatch match;
  Design design;
};

// Features 0 .. 7 go together in A, 4 .. 9 in B.
Problem make_problem(Index samples_a, Index samples_b, Index p = 30, std::uint64_t seed = 1) {
  Problem problem;
  problem.conditions = {make_dataset("A", grouped_values(samples_a, p, {{0, 8}}, seed)),
                        make_dataset("B", grouped_values(samples_b, p, {{4, 10}}, seed + 50))};
  problem.match = match_features(problem.conditions, {}, Context());
  return problem;
}

// Unit of every sample: as many samples as its number says, so that units are unequal.
void add_unequal_units(Problem& problem, Index step) {
  problem.design.units.resize(2);
  for (std::size_t m = 0; m < 2; ++m) {
    Index unit = 1, left = step;
    for (Index i = 0; i < problem.conditions[m].values.rows(); ++i) {
      problem.design.units[m].push_back("u" + std::to_string(unit));
      if (--left == 0) left = step * ++unit;
    }
  }
}

GivenSet some_features(const Problem& problem, std::span<const Index> features, std::vector<std::int8_t> sign = {}) {
  GivenSet set{"set", "", {}, std::move(sign)};
  for (const Index j : features) set.members.push_back(problem.match.features[static_cast<std::size_t>(j)]);
  return set;
}

GivenSet range_of(const Problem& problem, Index first, Index last) {
  std::vector<Index> features;
  for (Index j = first; j < last; ++j) features.push_back(j);
  return some_features(problem, features);
}

SetTester tester_of(const Problem& problem, const TestOptions& options = {}, const Context& context = Context()) {
  return {problem.conditions, problem.match, problem.design, options, {}, context};
}

double sum_of_pairs(const Correlations& correlations, std::span<const Index> set, std::span<const std::int8_t> sign) {
  double sum = 0;
  for (std::size_t a = 0; a < set.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      sum += (sign.empty() ? 1.0 : sign[a] * sign[b]) * static_cast<double>(correlations.values(set[a], set[b]));
    }
  }
  return sum;
}

// The definition: all correlations of every labelling, as the search for groups has them.
SetTest expected(const Problem& problem, std::span<const Index> set, std::span<const std::int8_t> sign,
                 Index permutations, const Context& context) {
  GraphOptions graph;
  graph.distance = Distance::normal_scores;
  const auto prepared = prepared_columns(problem.conditions, problem.match, *graph.distance);
  Units units = make_units(problem.conditions, problem.design, no_limit, context);
  const Sampling sampling = look_at_samples(prepared, {}, units, context);
  order_by_content(prepared, units, context);
  const UnitSums sums(prepared, graph, units, sampling, context);
  const Permutations labels(units, permutations, context);
  SetTest result;
  std::vector<double> statistics;
  const auto size = static_cast<double>(set.size());
  for (Index b = 0; b <= labels.size(); ++b) {
    const auto found = sums.combine(labels.weights(b, 1, 2), context);
    const double c[2] = {2 * sum_of_pairs(found[0], set, sign) / size, 2 * sum_of_pairs(found[1], set, sign) / size};
    statistics.push_back(log_ratio(c[1], c[0], found[1].samples, found[0].samples));
    if (b == 0) result.mean_correlation = {c[0] / (size - 1), c[1] / (size - 1)};
  }
  result.statistic = statistics[0];
  const auto share = [&](auto&& is_as_large) {
    return static_cast<double>(std::ranges::count_if(statistics, is_as_large)) / static_cast<double>(statistics.size());
  };
  constexpr double tie = 1e-5;
  result.p = share([&](double t) { return std::abs(t) >= std::abs(result.statistic) - tie; });
  result.p_gained = share([&](double t) { return t >= result.statistic - tie; });
  result.p_lost = share([&](double t) { return t <= result.statistic + tie; });
  return result;
}

void expect_as_defined(const Problem& problem, const std::vector<Index>& set,
                       const std::vector<std::int8_t>& sign = {}) {
  const Context context;
  const SetTest wanted = expected(problem, set, sign, 60, context);
  const std::vector<GivenSet> sets{some_features(problem, set, sign)};
  const SetTests found = tester_of(problem).test(sets, {.permutations = 60}, context);
  ASSERT_EQ(found.tests.size(), 1);
  const SetTest& test = found.tests[0];
  EXPECT_EQ(test.condition, 1);
  EXPECT_EQ(test.like, 0);
  EXPECT_EQ(test.features, set);
  EXPECT_NEAR(test.statistic, wanted.statistic, 50 * tolerance);
  EXPECT_DOUBLE_EQ(test.p, wanted.p);
  EXPECT_DOUBLE_EQ(test.p_gained, wanted.p_gained);
  EXPECT_DOUBLE_EQ(test.p_lost, wanted.p_lost);
  for (std::size_t m = 0; m < 2; ++m) EXPECT_NEAR(test.mean_correlation[m], wanted.mean_correlation[m], tolerance);
}

TEST(SetTester, AgreesWithAllCorrelationsWhereSamplesAreUnits) {
  expect_as_defined(make_problem(40, 55), {1, 2, 3, 4, 20});
}

TEST(SetTester, AgreesForASetWithSigns) { expect_as_defined(make_problem(40, 55), {1, 2, 3, 9}, {1, -1, 1, -1}); }

TEST(SetTester, AgreesWhereUnitsAreUnequalAndCountAlike) {
  Problem problem = make_problem(45, 55);
  add_unequal_units(problem, 1);
  expect_as_defined(problem, {0, 1, 5, 6, 7});
}

// Large units are centered, and their products are kept instead of their values.
TEST(SetTester, AgreesWhereUnitsAreLarge) {
  Problem problem = make_problem(180, 220);
  add_unequal_units(problem, 12);
  expect_as_defined(problem, {2, 3, 4});
}

TEST(SetTester, FindsWhatIsPlantedAndInWhichDirection) {
  const Problem problem = make_problem(60, 60);
  const std::vector<GivenSet> sets{range_of(problem, 15, 25), range_of(problem, 0, 4), range_of(problem, 8, 10)};
  const SetTests found = tester_of(problem).test(sets, {.permutations = 199, .min_members = 2}, Context());
  ASSERT_EQ(found.tests.size(), 3);
  EXPECT_EQ(found.tests[0].set + found.tests[1].set, 3);
  for (const SetTest& test : found.tests) {
    if (test.set == 0) {
      EXPECT_GT(test.p, 0.05);
      continue;
    }
    EXPECT_LE(test.p, 0.01);
    EXPECT_LE(test.q, 0.015);
    EXPECT_EQ(test.is_gained(), test.set == 2);  // of B
    EXPECT_EQ(test.p_lost < test.p_gained, test.set == 1);
  }
}

TEST(SetTester, ExchangingTheConditionsExchangesTheDirectionOnly) {
  const Problem problem = make_problem(40, 55);
  Problem exchanged = problem;
  std::ranges::reverse(exchanged.conditions);
  exchanged.match = match_features(exchanged.conditions, {}, Context());
  const std::vector<GivenSet> sets{range_of(problem, 0, 6)};
  const SetTest a = tester_of(problem).test(sets, {}, Context()).tests[0];
  const SetTest b = tester_of(exchanged).test(sets, {}, Context()).tests[0];
  EXPECT_NEAR(a.statistic, -b.statistic, tolerance);
  EXPECT_DOUBLE_EQ(a.p, b.p);
}

TEST(SetTester, CountsMembersOnceAndListsSetsWithTooFew) {
  const Problem problem = make_problem(30, 30);
  GivenSet set = range_of(problem, 0, 3);
  set.members.push_back(set.members[0]);
  set.members.emplace_back("not there");
  const std::vector<GivenSet> sets{range_of(problem, 0, 2), set};
  const SetTests found = tester_of(problem).test(sets, {.permutations = 9}, Context());
  ASSERT_EQ(found.tests.size(), 1);
  EXPECT_EQ(found.tests[0].features, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(found.not_tested, std::vector<Index>{0});
}

// Leaving a unit out is the same as never having had it, but for the ranks.
TEST(SetTester, LeavesUnitsOut) {
  Problem problem = make_problem(60, 60);
  problem.design.units.resize(2);
  for (std::size_t m = 0; m < 2; ++m) {
    for (Index i = 0; i < 60; ++i) problem.design.units[m].push_back("d" + std::to_string(i / 6));
  }
  TestOptions by_values;
  by_values.graph.distance = Distance::correlation;
  const std::vector<GivenSet> sets{range_of(problem, 2, 9)};
  const SetTests all = tester_of(problem, by_values).test(sets, {.permutations = 99}, Context());
  const SetTests fewer = tester_of(problem, by_values).test(sets, {.permutations = 99, .without = {"d3"}}, Context());
  EXPECT_EQ(all.units, 20);
  EXPECT_EQ(fewer.units, 18);
  std::vector<Index> rows;
  for (Index i = 0; i < 60; ++i) {
    if (i / 6 != 3) rows.push_back(i);
  }
  Problem without = problem;
  for (std::size_t m = 0; m < 2; ++m) {
    without.conditions[m] = select_samples(problem.conditions[m], rows);
    std::erase(without.design.units[m], "d3");
  }
  without.match = match_features(without.conditions, {}, Context());
  const SetTests wanted = tester_of(without, by_values).test(sets, {.permutations = 99}, Context());
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_NEAR(fewer.tests[0].mean_correlation[m], wanted.tests[0].mean_correlation[m], tolerance);
  }
  EXPECT_THROW(tester_of(problem).test(sets, {.without = {"nobody"}}, Context()), InputError);
}

TEST(SetTester, EveryConditionIsSeenAgainstTheOneMostLikeIt) {
  Problem problem = make_problem(50, 50);
  problem.conditions.push_back(make_dataset("C", grouped_values(50, 30, {{4, 10}}, 77)));
  problem.match = match_features(problem.conditions, {}, Context());
  const std::vector<GivenSet> sets{range_of(problem, 8, 10), range_of(problem, 0, 4)};
  const SetTests found = tester_of(problem).test(sets, {.permutations = 199, .min_members = 2}, Context());
  ASSERT_EQ(found.tests.size(), 6);
  const auto test_of = [&](Index set, Index condition) {
    return *std::ranges::find_if(found.tests,
                                 [&](const SetTest& test) { return test.set == set && test.condition == condition; });
  };
  EXPECT_LE(test_of(1, 0).p, 0.01);  // A alone has it
  EXPECT_TRUE(test_of(1, 0).is_gained());
  EXPECT_LE(test_of(0, 0).p, 0.01);  // A alone has it not
  EXPECT_FALSE(test_of(0, 0).is_gained());
  EXPECT_GT(test_of(0, 1).p, 0.05);  // B and C both have it
}

TEST(SetTester, SameBitsForAnyNumberOfThreads) {
  const Problem problem = make_problem(70, 90);
  const std::vector<GivenSet> sets{range_of(problem, 0, 9), range_of(problem, 12, 30)};
  const Context one = threads(1), four = threads(4);
  const SetTests a = tester_of(problem, {}, one).test(sets, {.permutations = 700}, one);
  const SetTests b = tester_of(problem, {}, four).test(sets, {.permutations = 700}, four);
  for (std::size_t i = 0; i < a.tests.size(); ++i) {
    EXPECT_EQ(a.tests[i].statistic, b.tests[i].statistic);
    EXPECT_EQ(a.tests[i].p, b.tests[i].p);
    EXPECT_EQ(a.tests[i].mean_correlation, b.tests[i].mean_correlation);
  }
}

// Under the null p is uniform: of 300 studies some 15 are below .05 (more than 29 once in five thousand times), half below .5.
TEST(SetTester, PIsUniformWhereNothingDiffers) {
  Index small = 0, half = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Problem problem;
    problem.conditions = {make_dataset("A", grouped_values(20, 6, {{0, 4}}, 2 * seed)),
                          make_dataset("B", grouped_values(30, 6, {{0, 4}}, 2 * seed + 1))};
    problem.match = match_features(problem.conditions, {}, Context());
    const std::vector<GivenSet> sets{range_of(problem, 1, 5)};
    const double p = tester_of(problem).test(sets, {.permutations = 99}, Context()).tests[0].p;
    small += p <= 0.05 ? 1 : 0;
    half += p <= 0.5 ? 1 : 0;
  }
  EXPECT_LE(small, 29);
  EXPECT_GE(small, 3);
  EXPECT_NEAR(static_cast<double>(half), 150.0, 40.0);
}

}  // namespace
}  // namespace disc
