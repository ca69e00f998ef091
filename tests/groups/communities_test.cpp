#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "disc/groups.hpp"
#include "groups/membership.hpp"
#include "support/correlations.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr double z_of_cut = 1.5;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<Index> from_to(Index first, Index end) {
  std::vector<Index> features(at(end - first));
  std::iota(features.begin(), features.end(), first);
  return features;
}

struct Planted {
  Index first = 0, size = 0;
  double rho = 0.5;  // correlation within
};

// One factor per group; all factors correlate by `between`. Everything else is noise.
RowMatrix factor_values(Index samples, Index features, const std::vector<Planted>& groups, std::uint64_t seed,
                        double between = 0.0) {
  RowMatrix values = normal_values(samples, features, seed);
  const RowMatrix factors = normal_values(samples, static_cast<Index>(groups.size()) + 1, seed + 5000);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Vector factor =
        std::sqrt(between) * factors.col(0) + std::sqrt(1.0 - between) * factors.col(static_cast<Index>(g) + 1);
    for (Index j = groups[g].first; j < groups[g].first + groups[g].size; ++j) {
      values.col(j) = std::sqrt(groups[g].rho) * factor + std::sqrt(1.0 - groups[g].rho) * values.col(j);
    }
  }
  return values;
}

// Correlations as they are in the population, said to come from some samples.
Correlations exact(Index features, const std::vector<Planted>& groups, Index samples = 400) {
  Correlations result;
  result.samples = samples;
  result.values = MatrixF::Identity(features, features);
  for (const Planted& group : groups) {
    for (Index j = group.first; j < group.first + group.size; ++j) {
      for (Index i = group.first; i < group.first + group.size; ++i) {
        if (i != j) result.values(i, j) = static_cast<float>(group.rho);
      }
    }
  }
  return result;
}

Communities communities_of(Index features, const std::vector<Planted>& groups) {
  Communities result;
  result.labels.assign(at(features), -1);
  for (const Planted& group : groups) {
    for (Index j = group.first; j < group.first + group.size; ++j) result.labels[at(j)] = result.count;
    ++result.count;
  }
  return result;
}

// At the coarse scale.
Communities found_in(const Correlations& correlations, Index smallest = 3) {
  return find_communities(correlations, z_of_cut, smallest, Context()).back();
}

// How different a group is: the larger of the two ways.
double difference(const GroupContrast& contrast) { return std::max(contrast.strength, contrast.separation); }

std::vector<GroupContrast> contrasts(const std::vector<Correlations>& correlations,
                                     const std::vector<Communities>& communities, Index condition) {
  return contrast_groups(correlations, communities, condition);
}

const std::vector<Planted> three_groups = {{10, 12, 0.6}, {30, 8, 0.6}, {60, 20, 0.5}};

TEST(Communities, OfStrongFactorsAreFoundExactlyAndNoiseIsBackground) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Correlations correlations = correlations_of(factor_values(300, 150, three_groups, seed));
    const Communities found = found_in(correlations);
    EXPECT_EQ(found.labels, communities_of(150, three_groups).labels) << "seed " << seed;
    ASSERT_EQ(found.count, 3);
    EXPECT_EQ(found.members()[0], from_to(10, 22));
    EXPECT_EQ(found.members()[1], from_to(30, 38));
    EXPECT_EQ(found.members()[2], from_to(60, 80));
  }
}

TEST(Communities, OfStrongFactorsAreTheSameAtAllScales) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Correlations correlations = correlations_of(factor_values(300, 150, three_groups, seed));
    const std::vector<Communities> scales = find_communities(correlations, z_of_cut, 3, Context());
    ASSERT_EQ(scales.size(), 3U);
    for (const Communities& scale : scales) {
      EXPECT_EQ(scale.count, 3);
      for (std::size_t g = 0; g < three_groups.size(); ++g) {  // whether a feature of noise joins is up to chance
        for (const Index j : from_to(three_groups[g].first, three_groups[g].first + three_groups[g].size)) {
          EXPECT_EQ(scale.labels[at(j)], static_cast<Index>(g)) << "feature " << j << ", seed " << seed;
        }
      }
    }
  }
}

// Two factors that both hang on a third: one group at the coarse scale, two at the finest.
TEST(Communities, WhoseFactorsCorrelateMuchAreApartAtTheFinestScale) {
  const std::vector<Planted> groups = {{0, 15, 0.6}, {15, 15, 0.6}};
  const Correlations correlations = correlations_of(factor_values(400, 80, groups, 7, 0.65));
  EXPECT_EQ(found_in(correlations).labels, communities_of(80, {{0, 30, 0.5}}).labels);
  const Communities finest = find_communities(correlations, z_of_cut, 3, Context()).front();
  EXPECT_EQ(finest.labels, communities_of(80, groups).labels);
}

TEST(Communities, DoNotDependOnTheOrderOfTheFeatures) {
  const RowMatrix values = factor_values(300, 150, three_groups, 5);
  const Communities expected = found_in(correlations_of(values));
  std::vector<Index> order = all_of(150);
  std::mt19937_64 random = random_stream(1, "test/order");
  std::shuffle(order.begin(), order.end(), random);
  const RowMatrix shuffled = values(Eigen::all, order);
  const Communities found = found_in(correlations_of(shuffled));
  std::vector<Index> in_order;
  for (const Index j : order) in_order.push_back(expected.labels[at(j)]);
  EXPECT_DOUBLE_EQ(adjusted_rand_index(found.labels, in_order), 1.0);
}

TEST(Communities, MembershipIsTheZScoreWithTheRestOfTheGroup) {
  const RowMatrix values = factor_values(200, 60, {{0, 10, 0.5}, {20, 6, 0.6}}, 6);
  const Correlations correlations = correlations_of(values);
  const Communities found = found_in(correlations);
  ASSERT_EQ(found.count, 2);
  const Labels labels{found.labels, found.count};
  const std::vector<std::vector<Index>> members = found.members();
  const GroupSums sums(correlations, members);
  const MembershipScores scores(correlations, labels, sums);
  RowMatrix z = values.rowwise() - values.colwise().mean();
  z.colwise().normalize();
  for (Index j = 0; j < 60; ++j) {
    for (Index group = 0; group < found.count; ++group) {
      Vector rest = Vector::Zero(200);
      for (const Index i : members[at(group)]) {
        if (i != j) rest += z.col(i);
      }
      EXPECT_NEAR(scores(j, group), std::sqrt(200.0) * z.col(j).dot(rest.normalized()), 1e-4);
    }
  }
}

TEST(Communities, WhoseFactorsCorrelateALittleStayTwo) {
  for (const std::uint64_t seed : {7U, 8U, 9U}) {
    const std::vector<Planted> groups = {{0, 15, 0.6}, {15, 15, 0.6}};
    const Correlations correlations = correlations_of(factor_values(400, 80, groups, seed, 0.2));
    EXPECT_EQ(found_in(correlations).labels, communities_of(80, groups).labels);
  }
}

TEST(Communities, WhoseFactorsCorrelateMuchAreOne) {
  for (const std::uint64_t seed : {7U, 8U, 9U}) {
    const std::vector<Planted> groups = {{0, 15, 0.6}, {15, 15, 0.6}};
    const Correlations correlations = correlations_of(factor_values(400, 80, groups, seed, 0.8));
    EXPECT_EQ(found_in(correlations).labels, communities_of(80, {{0, 30, 0.5}}).labels);
  }
}

TEST(Communities, BelowTheSmallestSizeDissolve) {
  const std::vector<Planted> groups = {{0, 4, 0.8}, {10, 9, 0.7}};
  const Correlations correlations = correlations_of(factor_values(300, 60, groups, 10));
  EXPECT_EQ(found_in(correlations, 4).labels, communities_of(60, groups).labels);
  EXPECT_EQ(found_in(correlations, 5).labels, communities_of(60, {groups[1]}).labels);
  EXPECT_EQ(found_in(correlations, 10).count, 0);
}

TEST(Communities, HaveAtLeastTwoFeaturesWhateverIsAsked) {
  const Correlations correlations = correlations_of(factor_values(300, 40, {{0, 8, 0.6}}, 11));
  for (const Index smallest : {0, 1}) {
    const Communities found = found_in(correlations, smallest);
    for (const auto& group : found.members()) EXPECT_GE(group.size(), 2U);
  }
}

TEST(Communities, WhereNoPairIsBeyondChanceThereAreNone) {
  for (const Communities& found : find_communities(exact(50, {}), z_of_cut, 3, Context())) {
    EXPECT_EQ(found.count, 0);
    EXPECT_EQ(found.labels, std::vector<Index>(50, -1));
  }
}

TEST(Communities, OfASettledPartitionDoNotChangeAnyMore) {
  const Correlations correlations = correlations_of(factor_values(300, 150, three_groups, 13));
  const Communities found = found_in(correlations);
  const Labels again = settle_membership(correlations, {found.labels, found.count}, 3, Context());
  EXPECT_EQ(again.labels, found.labels);
}

TEST(Communities, TidyLabelsAreNumberedByFirstFeatureWithoutSmallGroups) {
  const Labels tidy = tidy_labels({5, -1, 2, 5, 7, 2, 5}, 2);
  EXPECT_EQ(tidy.labels, (std::vector<Index>{0, -1, 1, 0, -1, 1, 0}));
  EXPECT_EQ(tidy.count, 2);
  EXPECT_EQ(tidy_labels({-1, -1}, 1).count, 0);
}

TEST(Contrast, OfANewGroupHasALargeStrength) {
  const Planted group{3, 10, 0.5};
  const auto found =
      contrasts({exact(40, {group}), exact(40, {})}, {communities_of(40, {group}), communities_of(40, {})}, 0);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].features, from_to(3, 13));
  // The definition: log of the ratio of the variances of the group's sum, over sqrt(2 / n + 2 / n).
  EXPECT_NEAR(found[0].strength, std::log(1.0 + 9 * 0.5) / std::sqrt(4.0 / 400.0), 1e-5);
  EXPECT_EQ(found[0].separation, 0.0);
  EXPECT_EQ(difference(found[0]), found[0].strength);
  EXPECT_GT(difference(found[0]), 10.0);
}

TEST(Contrast, OfIdenticalDataIsZero) {
  const Correlations correlations = correlations_of(factor_values(300, 150, three_groups, 14));
  const Communities communities = found_in(correlations);
  for (const Index condition : {0, 1}) {
    const auto found = contrasts({correlations, correlations}, {communities, communities}, condition);
    EXPECT_EQ(found.size(), 3U);
    for (const GroupContrast& contrast : found) {
      EXPECT_EQ(contrast.strength, 0.0);
      EXPECT_EQ(contrast.separation, 0.0);
    }
  }
}

// B splits what is one in A.
TEST(Contrast, OfASplitGroupHasALargeSeparationOnBothPartsAndNoneForTheUnion) {
  const std::vector<Planted> one = {{10, 40, 0.5}};
  const std::vector<Planted> two = {{10, 10, 0.5}, {20, 30, 0.5}};
  const std::vector<Correlations> correlations = {exact(80, one), exact(80, two)};
  const std::vector<Communities> communities = {communities_of(80, one), communities_of(80, two)};
  const auto parts = contrasts(correlations, communities, 1);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_NEAR(parts[0].separation, std::log(1.0 + 30 * 0.5) / 0.1, 1e-4);
  EXPECT_NEAR(parts[1].separation, std::log(1.0 + 10 * 0.5) / 0.1, 1e-4);
  for (const GroupContrast& part : parts) EXPECT_NEAR(part.strength, 0.0, 1e-6);
  const auto whole = contrasts(correlations, communities, 0);
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_NEAR(difference(whole[0]), 0.0, 1e-6);
}

// The problem `subsets`: A has 1-100 and 101-200, B has 1-100, 101-125 and 126-200. A has nothing of its own.
TEST(Contrast, OfTheProblemSubsetsNamesThePartsAndNotTheUnion) {
  for (const std::uint64_t seed : {15U, 16U}) {
    const std::vector<Planted> a = {{0, 100, 0.5}, {100, 100, 0.5}};
    const std::vector<Planted> b = {{0, 100, 0.5}, {100, 25, 0.5}, {125, 75, 0.5}};
    const std::vector<Correlations> correlations = {correlations_of(factor_values(400, 220, a, seed)),
                                                    correlations_of(factor_values(400, 220, b, seed + 100))};
    const std::vector<Communities> communities = {found_in(correlations[0]), found_in(correlations[1])};
    EXPECT_EQ(communities[0].labels, communities_of(220, a).labels);
    EXPECT_EQ(communities[1].labels, communities_of(220, b).labels);
    for (const GroupContrast& contrast : contrasts(correlations, communities, 0)) EXPECT_LT(difference(contrast), 3.0);
    const auto parts = contrasts(correlations, communities, 1);
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_LT(difference(parts[0]), 3.0);
    EXPECT_GT(parts[1].separation, 10.0);
    EXPECT_GT(parts[2].separation, 10.0);
  }
}

TEST(Contrast, OfAStrongerGroupIsPositiveOneWayAndNegativeTheOther) {
  const std::vector<Planted> strong = {{0, 12, 0.6}};
  const std::vector<Planted> weak = {{0, 12, 0.3}};
  const std::vector<Correlations> correlations = {exact(30, strong), exact(30, weak)};
  const std::vector<Communities> communities = {communities_of(30, strong), communities_of(30, weak)};
  const double here = contrasts(correlations, communities, 0)[0].strength;
  const double there = contrasts(correlations, communities, 1)[0].strength;
  EXPECT_NEAR(here, std::log((1 + 11 * 0.6) / (1 + 11 * 0.3)) / 0.1, 1e-4);
  EXPECT_NEAR(there, -here, 1e-9);
}

TEST(Contrast, OfThreeConditionsIsWithTheLeastDifferentOne) {
  const auto group = [](double rho) { return std::vector<Planted>{{0, 12, rho}}; };
  const std::vector<Correlations> correlations = {exact(30, group(0.6)), exact(30, {}), exact(30, group(0.4))};
  const std::vector<Communities> communities = {communities_of(30, group(0.6)), communities_of(30, {}),
                                                communities_of(30, group(0.4))};
  const double against_both = difference(contrasts(correlations, communities, 0)[0]);
  const double against_none =
      difference(contrasts({correlations[0], correlations[1]}, {communities[0], communities[1]}, 0)[0]);
  const double against_weaker =
      difference(contrasts({correlations[0], correlations[2]}, {communities[0], communities[2]}, 0)[0]);
  EXPECT_GT(against_none, against_weaker);
  EXPECT_EQ(against_both, against_weaker);
}

// New against B, split against C: the difference from each is the larger of the two ways, the answer the least of those.
TEST(Contrast, OfThreeConditionsTakesTheWayThatFitsEachCondition) {
  const std::vector<Planted> part = {{0, 10, 0.5}};
  const std::vector<Planted> whole = {{0, 20, 0.5}};
  const std::vector<Correlations> correlations = {exact(30, part), exact(30, {}), exact(30, whole)};
  const std::vector<Communities> communities = {communities_of(30, part), communities_of(30, {}),
                                                communities_of(30, whole)};
  const auto found = contrasts(correlations, communities, 0);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(difference(found[0]), std::log(1.0 + 9 * 0.5) / 0.1, 1e-4);
  // The whole is nothing that A has: stronger by the variance of its sum, 1 + 19 / 2 against 1 + 90 / 2 / 20.
  EXPECT_NEAR(difference(contrasts(correlations, communities, 2)[0]), std::log(10.5 / 3.25) / 0.1, 1e-4);
}

// The scale that the header promises, for a group known beforehand whose correlations are the same in both conditions.
TEST(Contrast, OfAGroupKnownBeforehandIsAboutStandardNormal) {
  constexpr Index data_sets = 300;
  const std::vector<Planted> group = {{0, 10, 0.2}};
  const std::vector<Communities> communities = {communities_of(12, group), communities_of(12, group)};
  Vector strength(data_sets);
  for (Index b = 0; b < data_sets; ++b) {
    const auto seed = static_cast<std::uint64_t>(20'000 + 2 * b);
    strength[b] = contrasts({correlations_of(factor_values(100, 12, group, seed)),
                             correlations_of(factor_values(150, 12, group, seed + 1))},
                            communities, 0)[0]
                      .strength;
  }
  const double deviation = std::sqrt((strength.array() - strength.mean()).square().mean());
  EXPECT_NEAR(strength.mean(), 0.0, 0.25);
  EXPECT_GT(deviation, 0.7);
  EXPECT_LT(deviation, 1.15);
}

}  // namespace
}  // namespace disc
