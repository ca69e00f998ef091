#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "disc/stats.hpp"
#include "stats/significance.hpp"
#include "support/data.hpp"
#include "support/prepared.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr Index samples = 600;
constexpr Index features = 60;
constexpr Index partners = 12;  // of the hub, features 1 .. partners

// A shared group at the end; in the first condition feature 0 also follows each of its partners a little, some with a
// negative sign: pairs, not a group.
RowMatrix values_with_hub(std::uint64_t seed, bool with_hub) {
  RowMatrix values = grouped_values(samples, features, {{40, 12}}, seed);
  if (!with_hub) return values;
  for (Index j = 1; j <= partners; ++j) values.col(0) += (j % 2 == 0 ? 0.5 : -0.5) * values.col(j);
  return values;
}

std::vector<TestedCondition> changed_pairs(const std::vector<Dataset>& conditions, const Context& context,
                                           Index permutations = 60) {
  const FeatureMatch match = match_features(conditions, {}, context);
  TestOptions options;
  options.statistics.permutations = permutations;
  const std::vector<PreparedColumns> prepared = prepared_columns(conditions, match, Distance::correlation);
  Units units = make_units(conditions, {}, 100000, context);
  order_by_content(prepared, units, context);
  const UnitSums sums(prepared, GraphOptions(), units, Sampling(), context);
  TestResult result;
  result.conditions.resize(conditions.size());
  find_changed_pairs(sums, units, options, result, context);
  return result.conditions;
}

std::vector<Dataset> hub_in_a(std::uint64_t seed) {
  return {make_dataset("A", values_with_hub(seed, true)), make_dataset("B", values_with_hub(seed + 1, false))};
}

TEST(ChangedPairs, OfAHubAreFoundWhereItIs) {
  const auto found = changed_pairs(hub_in_a(11), Context());
  ASSERT_TRUE(found[0].pairs && found[1].pairs);
  Index right = 0;
  for (const ChangedPair& pair : found[0].pairs->pairs) {
    right += pair.a == 0 && pair.b <= partners ? 1 : 0;
    EXPECT_GT(std::abs(pair.here), std::abs(pair.elsewhere));
    EXPECT_EQ(pair.z > 0, pair.here > pair.elsewhere);
    EXPECT_LE(pair.q, 0.1);
  }
  EXPECT_GE(right, partners - 2);  // a correlation of 0.25 among 600 samples is 4.4 standard errors of a difference
  EXPECT_LE(found[0].pairs->found - right, 3);
  EXPECT_LE(found[1].pairs->found, 3);
}

TEST(ChangedPairs, AreNoneWhereNothingChanged) {
  Index runs_with_pairs = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<Dataset> same{make_dataset("A", values_with_hub(100 + 2 * seed, true)),
                                    make_dataset("B", values_with_hub(101 + 2 * seed, true))};
    const auto found = changed_pairs(same, Context());
    runs_with_pairs += found[0].pairs->found + found[1].pairs->found > 0 ? 1 : 0;
  }
  EXPECT_LE(runs_with_pairs, 2);  // 5 % are expected: more than two of ten in one case of a hundred
}

TEST(ChangedPairs, ExchangeWithTheConditions) {
  std::vector<Dataset> conditions = hub_in_a(21);
  const auto found = changed_pairs(conditions, Context());
  std::swap(conditions[0], conditions[1]);
  const auto exchanged = changed_pairs(conditions, Context());
  const auto names = [](const ChangedPairs& pairs) {
    std::set<std::pair<Index, Index>> set;
    for (const ChangedPair& pair : pairs.pairs) set.emplace(pair.a, pair.b);
    return set;
  };
  const auto one = names(*found[0].pairs);
  ASSERT_FALSE(one.empty());
  EXPECT_EQ(one, names(*exchanged[1].pairs));
}

TEST(ChangedPairs, AreTheSameForAnyNumberOfThreads) {
  const auto one = changed_pairs(hub_in_a(31), threads(1));
  const auto four = changed_pairs(hub_in_a(31), threads(4));
  ASSERT_EQ(one[0].pairs->pairs.size(), four[0].pairs->pairs.size());
  for (std::size_t i = 0; i < one[0].pairs->pairs.size(); ++i) {
    EXPECT_EQ(one[0].pairs->pairs[i].q, four[0].pairs->pairs[i].q);
    EXPECT_EQ(one[0].pairs->pairs[i].z, four[0].pairs->pairs[i].z);
  }
}

TEST(ChangedPairs, OfThreeConditionsAreThoseOfTheOddOne) {
  const std::vector<Dataset> conditions{make_dataset("A", values_with_hub(41, false)),
                                        make_dataset("B", values_with_hub(42, true)),
                                        make_dataset("C", values_with_hub(43, false))};
  const auto found = changed_pairs(conditions, Context());
  EXPECT_GE(found[1].pairs->found, partners / 2);
  EXPECT_LE(found[0].pairs->found, 3);
  EXPECT_LE(found[2].pairs->found, 3);
}

TEST(ChangedPairs, NeedPermutations) {
  const auto found = changed_pairs(hub_in_a(51), Context(), 18);
  EXPECT_FALSE(found[0].pairs || found[1].pairs);
}

std::vector<Correlations> correlations_of(std::initializer_list<RowMatrix> conditions) {
  std::vector<Correlations> correlations;
  for (const RowMatrix& values : conditions) {
    Matrix z = values.rowwise() - values.colwise().mean();
    z.colwise().normalize();
    correlations.push_back({(z.transpose() * z).cast<float>(), values.rows()});
  }
  return correlations;
}

std::vector<Index> core_of_group(const std::vector<Correlations>& correlations, Index size) {
  FeatureGroup group;
  group.features = all_of(size);
  std::vector<MemberCorrelations> members;
  for (const Correlations& of_condition : correlations) {
    MemberCorrelations with{{}, of_condition.samples};
    for (Index j = 0; j < size; ++j) {
      const double all = static_cast<double>(of_condition.values.topLeftCorner(size, size).sum());
      const double others = static_cast<double>(of_condition.values.row(j).head(size).sum()) - 1.0;
      with.with_rest.push_back(others / std::sqrt(all - 2.0 * others - 1.0));
    }
    members.push_back(with);
  }
  return core_of(group, members, 0);
}

TEST(Core, HoldsWhatJoinedTheGroupAndNotWhatWasThere) {
  const std::vector<Index> core = core_of_group(
      correlations_of({grouped_values(400, 30, {{0, 30}}, 61), grouped_values(400, 30, {{0, 20}}, 62)}), 30);
  EXPECT_EQ(core, (std::vector<Index>{20, 21, 22, 23, 24, 25, 26, 27, 28, 29}));
}

TEST(Core, OfANewGroupIsTheGroup) {
  EXPECT_EQ(core_of_group(correlations_of({grouped_values(200, 20, {{0, 20}}, 71), normal_values(200, 20, 72)}), 20),
            all_of(20));
}

TEST(Core, OfAGroupOfBothConditionsIsEmpty) {
  EXPECT_TRUE(core_of_group(
                  correlations_of({grouped_values(200, 20, {{0, 20}}, 81), grouped_values(200, 20, {{0, 20}}, 82)}), 20)
                  .empty());
}

}  // namespace
}  // namespace disc
