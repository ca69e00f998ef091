#include "stats/units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;
using Names = std::vector<std::string>;

constexpr Index no_limit = 100'000;

std::vector<Dataset> conditions_of(const std::vector<Index>& samples) {
  std::vector<Dataset> conditions;
  for (std::size_t m = 0; m < samples.size(); ++m) {
    conditions.push_back(make_dataset(std::string(1, static_cast<char>('A' + m)), RowMatrix::Zero(samples[m], 2)));
  }
  return conditions;
}

// Every sample of every condition is in exactly one unit.
void expect_partition(const std::vector<Index>& samples, const Units& units) {
  std::multiset<std::pair<Index, Index>> seen;
  for (const Unit& unit : units.units) {
    EXPECT_FALSE(unit.samples.empty());
    for (const Index sample : unit.samples) seen.insert({unit.condition, sample});
  }
  std::multiset<std::pair<Index, Index>> all;
  for (std::size_t m = 0; m < samples.size(); ++m) {
    for (Index i = 0; i < samples[m]; ++i) all.insert({static_cast<Index>(m), i});
  }
  EXPECT_EQ(seen, all);
}

std::string message_of(const std::vector<Dataset>& conditions, const Design& design) {
  try {
    make_units(conditions, design, no_limit, Context());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// How often each condition occurs in each stratum.
std::map<std::pair<Index, Index>, Index> counts_of(const Units& units, const std::vector<Index>& labels) {
  std::map<std::pair<Index, Index>, Index> counts;
  for (std::size_t u = 0; u < labels.size(); ++u) ++counts[{units.units[u].stratum, labels[u]}];
  return counts;
}

void expect_all_enumerated(const Units& units, Index beside_the_truth) {
  const Permutations permutations(units, 1000, Context());
  EXPECT_TRUE(permutations.are_all());
  ASSERT_EQ(permutations.size(), beside_the_truth);
  std::vector<Index> truth;
  for (const Unit& unit : units.units) truth.push_back(unit.condition);
  EXPECT_EQ(permutations.labels(0), truth);
  std::set<std::vector<Index>> different;
  for (Index b = 0; b <= permutations.size(); ++b) {
    const std::vector<Index> labels = permutations.labels(b);
    EXPECT_EQ(counts_of(units, labels), counts_of(units, truth));
    different.insert(labels);
  }
  EXPECT_EQ(static_cast<Index>(different.size()), beside_the_truth + 1);
}

Units pairs_of(Index count) {
  Names names;
  for (Index i = 0; i < count; ++i) names.push_back("pair" + std::to_string(i));
  const Names shuffled(names.rbegin(), names.rend());  // the order in the second condition is another
  return make_units(conditions_of({count, count}), {{names, shuffled}, {names, shuffled}}, no_limit, Context());
}

TEST(Units, AreTheSamplesWithoutADesign) {
  const Units units = make_units(conditions_of({3, 4}), {}, no_limit, Context());
  ASSERT_EQ(units.units.size(), 7U);
  EXPECT_EQ(units.named, 7);
  EXPECT_TRUE(units.samples_are_units);
  expect_partition({3, 4}, units);
  for (const Unit& unit : units.units) {
    EXPECT_EQ(unit.samples.size(), 1U);
    EXPECT_EQ(unit.stratum, units.units[0].stratum);
  }
}

TEST(Units, OfOneNameAreOneWithinAConditionAndTwoAcrossConditions) {
  const Design design{{{"d1", "d2", "d1", "d1"}, {"d1", "d3", "d3"}}, {}};
  const Units units = make_units(conditions_of({4, 3}), design, no_limit, Context());
  expect_partition({4, 3}, units);
  EXPECT_FALSE(units.samples_are_units);
  EXPECT_EQ(units.named, 4);
  std::set<std::pair<Index, std::vector<Index>>> found;
  for (const Unit& unit : units.units) found.insert({unit.condition, unit.samples});
  const std::set<std::pair<Index, std::vector<Index>>> expected = {{0, {0, 2, 3}}, {0, {1}}, {1, {0}}, {1, {1, 2}}};
  EXPECT_EQ(found, expected);
}

TEST(Units, OfOneStratumNameShareTheStratumAcrossConditions) {
  const std::vector<Names> strata = {{"x", "y", "x"}, {"y", "y", "x"}};
  const Units units = make_units(conditions_of({3, 3}), {{}, strata}, no_limit, Context());
  std::map<std::string, std::set<Index>> numbers;
  for (const Unit& unit : units.units) {
    const auto m = static_cast<std::size_t>(unit.condition);
    numbers[strata[m][static_cast<std::size_t>(unit.samples[0])]].insert(unit.stratum);
  }
  EXPECT_EQ(numbers["x"].size(), 1U);
  EXPECT_EQ(numbers["y"].size(), 1U);
  EXPECT_NE(numbers["x"], numbers["y"]);
}

TEST(Units, OfPairsHaveAStratumPerPairWithOneUnitOfEachCondition) {
  const Units units = pairs_of(4);
  std::map<Index, std::set<Index>> conditions;
  for (const Unit& unit : units.units) EXPECT_TRUE(conditions[unit.stratum].insert(unit.condition).second);
  ASSERT_EQ(conditions.size(), 4U);
  for (const auto& [stratum, both] : conditions) EXPECT_EQ(both, (std::set<Index>{0, 1}));
  for (const Unit& a : units.units) {
    for (const Unit& b : units.units) {
      if (a.stratum != b.stratum || a.condition == b.condition) continue;
      EXPECT_EQ(a.samples[0] + b.samples[0], 3);
    }
  }
}

// The header: samples of one name and condition stay together. A design that forbids it must be refused, not torn apart.
TEST(Units, OfOneNameInTwoStrataAreRefusedOrStayTogether) {
  const Design design{{{"d1", "d1", "d2"}, {"d3", "d4", "d5"}}, {{"x", "y", "x"}, {"x", "y", "x"}}};
  try {
    const Units units = make_units(conditions_of({3, 3}), design, no_limit, Context());
    for (const Unit& unit : units.units) {
      if (unit.condition != 0) continue;
      const auto holds = [&](Index sample) { return std::ranges::count(unit.samples, sample) == 1; };
      EXPECT_EQ(holds(0), holds(1)) << "donor d1 was torn apart";
    }
  } catch (const InputError&) {
  }
}

TEST(Units, AreRefusedWhereNamesAreMissing) {
  const auto conditions = conditions_of({3, 2});
  const std::string short_units = message_of(conditions, {{{"a", "b", "c"}, {"a"}}, {}});
  EXPECT_NE(short_units.find("'B'"), std::string::npos) << short_units;
  EXPECT_NE(short_units.find("units"), std::string::npos) << short_units;
  EXPECT_NE(message_of(conditions, {{{"a", "b", "c"}}, {}}), "");
  const std::string long_strata = message_of(conditions, {{}, {{"a", "b", "c", "d"}, {"a", "b"}}});
  EXPECT_NE(long_strata.find("'A'"), std::string::npos) << long_strata;
  EXPECT_NE(long_strata.find("strata"), std::string::npos) << long_strata;
}

TEST(Units, AreRefusedWhereNothingCanBeExchanged) {
  const auto conditions = conditions_of({2, 2});
  EXPECT_NE(message_of(conditions, {{}, {{"x", "y"}, {"z", "w"}}}), "");
  EXPECT_EQ(message_of(conditions, {{}, {{"x", "y"}, {"z", "y"}}}), "");  // y can be
  EXPECT_NE(message_of(conditions_of({5}), {}), "");
}

TEST(Units, PutTogetherKeepConditionAndStratumAndLoseNoSample) {
  const std::vector<Index> samples = {300, 200};
  std::vector<Names> strata(2);
  for (std::size_t m = 0; m < 2; ++m) {
    for (Index i = 0; i < samples[m]; ++i) strata[m].push_back(i % 3 == 0 ? "x" : "y");
  }
  const Units units = make_units(conditions_of(samples), {{}, strata}, 50, Context());
  expect_partition(samples, units);
  EXPECT_EQ(units.named, 500);
  EXPECT_TRUE(units.samples_are_units);
  EXPECT_NEAR(static_cast<double>(units.units.size()), 50.0, 4.0);  // four cells, each rounded
  std::map<std::pair<Index, Index>, std::set<std::size_t>> sizes;
  for (const Unit& unit : units.units) {
    const Names& own = strata[static_cast<std::size_t>(unit.condition)];
    for (const Index i : unit.samples) {
      EXPECT_EQ(own[static_cast<std::size_t>(i)], own[static_cast<std::size_t>(unit.samples[0])]);
    }
    sizes[{unit.condition, unit.stratum}].insert(unit.samples.size());
  }
  EXPECT_EQ(sizes.size(), 4U);
  for (const auto& [cell, size] : sizes) EXPECT_LE(*size.rbegin() - *size.begin(), 1U);  // in proportion
}

TEST(Units, PutTogetherDoNotTearNamedUnitsApart) {
  std::vector<Names> names(2);
  for (std::size_t m = 0; m < 2; ++m) {
    for (Index i = 0; i < 120; ++i) names[m].push_back("d" + std::to_string(i % 40));
  }
  const Units units = make_units(conditions_of({120, 120}), {names, {}}, 16, Context());
  expect_partition({120, 120}, units);
  EXPECT_EQ(units.named, 80);
  EXPECT_EQ(units.units.size(), 16U);
  for (const Unit& unit : units.units) {
    std::map<std::string, Index> count;
    for (const Index i : unit.samples) {
      ++count[names[static_cast<std::size_t>(unit.condition)][static_cast<std::size_t>(i)]];
    }
    for (const auto& [name, samples] : count) EXPECT_EQ(samples, 3) << name;
  }
}

TEST(Units, PutTogetherLeaveASmallConditionSomethingToExchange) {
  const Units units = make_units(conditions_of({1000, 5}), {}, 20, Context());
  expect_partition({1000, 5}, units);
  const auto small = std::ranges::count_if(units.units, [](const Unit& unit) { return unit.condition == 1; });
  EXPECT_GE(small, 2);
}

TEST(Units, PutTogetherAreReproducible) {
  const auto conditions = conditions_of({100, 100});
  const auto samples = [&](std::uint64_t seed) {
    std::vector<std::vector<Index>> all;
    for (const Unit& unit : make_units(conditions, {}, 10, threads(1, seed)).units) all.push_back(unit.samples);
    return all;
  };
  EXPECT_EQ(samples(3), samples(3));
  EXPECT_NE(samples(3), samples(4));
}

TEST(Permutations, OfThreeAgainstThreeAreNineteenBesideTheTruth) {
  expect_all_enumerated(make_units(conditions_of({3, 3}), {}, no_limit, Context()), 19);
}

TEST(Permutations, OfPairsAreTwoToThePowerOfThePairsLessOne) {
  for (const Index pairs : {1, 2, 5, 8}) expect_all_enumerated(pairs_of(pairs), (Index{1} << pairs) - 1);
}

TEST(Permutations, OfThreeConditionsAreMultinomial) {
  expect_all_enumerated(make_units(conditions_of({2, 2, 2}), {}, no_limit, Context()), 89);
  expect_all_enumerated(make_units(conditions_of({1, 2, 3}), {}, no_limit, Context()), 59);
}

TEST(Permutations, OfStrataAreTheProductOverStrata) {
  const Design design{{}, {{"x", "y", "x", "y", "z"}, {"x", "y", "x", "y"}}};  // 6 x 6, nothing to exchange in z
  expect_all_enumerated(make_units(conditions_of({5, 4}), design, no_limit, Context()), 35);
}

TEST(Permutations, AreAllFromTheNumberThatExists) {
  const Units units = make_units(conditions_of({3, 3}), {}, no_limit, Context());
  EXPECT_TRUE(Permutations(units, 19, Context()).are_all());
  const Permutations some(units, 18, Context());
  EXPECT_FALSE(some.are_all());
  EXPECT_EQ(some.size(), 18);
  EXPECT_EQ(Permutations(units, 0, Context()).size(), 0);
}

TEST(Permutations, AtRandomKeepTheCountsPerStratumAndCondition) {
  std::vector<Names> strata(3);
  for (std::size_t m = 0; m < 3; ++m) {
    for (Index i = 0; i < 20; ++i) strata[m].push_back(i < 5 + static_cast<Index>(m) ? "x" : "y");
  }
  const Units units = make_units(conditions_of({20, 20, 20}), {{}, strata}, no_limit, Context());
  const Permutations permutations(units, 50, Context());
  EXPECT_FALSE(permutations.are_all());
  ASSERT_EQ(permutations.size(), 50);
  const std::vector<Index> truth = permutations.labels(0);
  std::set<std::vector<Index>> different;
  for (Index b = 0; b <= 50; ++b) {
    EXPECT_EQ(counts_of(units, permutations.labels(b)), counts_of(units, truth));
    different.insert(permutations.labels(b));
  }
  EXPECT_EQ(different.size(), 51U);
  for (std::size_t u = 0; u < truth.size(); ++u) EXPECT_EQ(truth[u], units.units[u].condition);
}

TEST(Permutations, AtRandomAreReproducibleAndDependOnTheSeed) {
  const Units units = make_units(conditions_of({30, 30}), {}, no_limit, Context());
  const Permutations one(units, 20, threads(1, 5));
  const Permutations same(units, 99, threads(2, 5));
  const Permutations other(units, 20, threads(1, 6));
  for (Index b = 1; b <= 20; ++b) {
    EXPECT_EQ(one.labels(b), same.labels(b));
    EXPECT_NE(one.labels(b), other.labels(b));
  }
}

// Every unit of a condition of 10 in 40 is in it in a quarter of the permutations.
TEST(Permutations, AtRandomGiveEveryUnitTheSameChance) {
  const Units units = make_units(conditions_of({10, 30}), {}, no_limit, Context());
  const Index wanted = 2000;
  const Permutations permutations(units, wanted, Context());
  Vector first = Vector::Zero(40);
  for (Index b = 1; b <= wanted; ++b) {
    const std::vector<Index> labels = permutations.labels(b);
    for (Index u = 0; u < 40; ++u) first[u] += labels[static_cast<std::size_t>(u)] == 0 ? 1.0 : 0.0;
  }
  const double error = std::sqrt(0.25 * 0.75 / static_cast<double>(wanted));
  EXPECT_LT((first.array() / static_cast<double>(wanted) - 0.25).abs().maxCoeff(), 4.5 * error);
}

}  // namespace
}  // namespace disc
