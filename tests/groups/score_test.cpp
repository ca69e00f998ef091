#include <gtest/gtest.h>

#include <random>

#include "disc/groups.hpp"

namespace disc {
namespace {

using Labels = std::vector<Index>;

TEST(AdjustedRand, HandComputed) {
  // Contingency table [[2, 1], [0, 3]]: pairs 1 + 3 = 4 in both, 6 in a, 1 + 6 = 7 in b, 15 in all; expected 42 / 15.
  const Labels a{0, 0, 0, 1, 1, 1};
  const Labels b{0, 0, 1, 1, 1, 1};
  EXPECT_NEAR(adjusted_rand_index(a, b), (4 - 2.8) / (6.5 - 2.8), 1e-15);
  // Crossing partitions: nothing in both, expected 2 * 2 / 6.
  const Labels across{0, 0, 1, 1};
  const Labels down{0, 1, 0, 1};
  EXPECT_NEAR(adjusted_rand_index(across, down), (0 - 2.0 / 3) / (2 - 2.0 / 3), 1e-15);
}

TEST(AdjustedRand, NamesOfLabelsDoNotMatterAndItIsSymmetric) {
  std::mt19937_64 random = random_stream(1, "test");
  Labels a(200);
  Labels b(200);
  Labels renamed(200);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<Index>(random() % 4);
    b[i] = random() % 2 == 0 ? a[i] : static_cast<Index>(random() % 3);
    renamed[i] = 100 - 7 * a[i];
  }
  EXPECT_DOUBLE_EQ(adjusted_rand_index(a, renamed), 1);
  EXPECT_DOUBLE_EQ(adjusted_rand_index(a, b), adjusted_rand_index(b, a));
  EXPECT_DOUBLE_EQ(adjusted_rand_index(a, b), adjusted_rand_index(renamed, b));
  EXPECT_LT(adjusted_rand_index(a, b), 1);
}

TEST(AdjustedRand, UnrelatedIsAboutZero) {
  std::mt19937_64 random = random_stream(2, "test");
  Labels a(20000);
  Labels b(20000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<Index>(random() % 5);
    b[i] = static_cast<Index>(random() % 3);
  }
  EXPECT_NEAR(adjusted_rand_index(a, b), 0, 0.002);
}

TEST(AdjustedRand, Trivial) {
  EXPECT_EQ(adjusted_rand_index(Labels{}, Labels{}), 1);
  EXPECT_EQ(adjusted_rand_index(Labels{3}, Labels{4}), 1);
  EXPECT_EQ(adjusted_rand_index(Labels(1001, 1), Labels(1001, 2)), 1);
  EXPECT_EQ(adjusted_rand_index(Labels{0, 1, 2}, Labels{2, 0, 1}), 1);
  EXPECT_EQ(adjusted_rand_index(Labels{0, 0, 0}, Labels{2, 0, 1}), 0);
  EXPECT_THROW(adjusted_rand_index(Labels{0, 1}, Labels{0}), InputError);
}

NamedGroups groups_of(const std::vector<std::tuple<std::string, std::string, std::vector<int>>>& list) {
  NamedGroups groups;
  for (const auto& [condition, group, features] : list) {
    for (const int feature : features) groups.rows.push_back({condition, group, "f" + std::to_string(feature)});
  }
  return groups;
}

const std::vector<std::string> kFeatures = numbered_names("f", 10);
const std::vector<std::string> kConditions{"A", "B"};

TEST(ScoreGroups, PerfectUnderOtherNamesAndOrder) {
  const NamedGroups truth = groups_of({{"A", "1", {1, 2, 3}}, {"A", "2", {4, 5}}, {"B", "1", {6, 7}}});
  const NamedGroups found = groups_of({{"B", "x", {7, 6}}, {"A", "9", {5, 4}}, {"A", "8", {3, 1, 2}}});
  const std::vector<Score> scores = score_groups(found, truth, kConditions, kFeatures);
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[0].condition, "A");
  for (const Score& score : scores) {
    EXPECT_DOUBLE_EQ(score.adjusted_rand, 1);
    EXPECT_DOUBLE_EQ(score.precision, 1);
    EXPECT_DOUBLE_EQ(score.recall, 1);
  }
  ASSERT_EQ(scores[0].matches.size(), 2u);
  EXPECT_EQ(scores[0].matches[0].truth, "1");
  EXPECT_EQ(scores[0].matches[0].found, "8");
  EXPECT_EQ(scores[0].matches[1].found, "9");
}

TEST(ScoreGroups, HandComputed) {
  const NamedGroups truth = groups_of({{"A", "1", {1, 2, 3}}, {"A", "2", {4, 5}}});
  const NamedGroups found = groups_of({{"A", "1", {2, 3, 4, 6}}});
  const Score score = score_groups(found, truth, kConditions, kFeatures)[0];
  // Found 4 and 6 features, true 3, 2 and 5; table [[2, 1, 1], [1, 1, 4]].
  // Pairs: 1 + 6 = 7 in both, 6 + 15 = 21 found, 3 + 1 + 10 = 14 true, 45 in all.
  const double expected = 21 * 14 / 45.0;
  EXPECT_NEAR(score.adjusted_rand, (7 - expected) / (17.5 - expected), 1e-14);
  EXPECT_DOUBLE_EQ(score.precision, 0.75);
  EXPECT_DOUBLE_EQ(score.recall, 0.6);
  EXPECT_EQ(score.groups_found, 1);
  EXPECT_EQ(score.groups_true, 2);
  EXPECT_DOUBLE_EQ(score.matches[0].jaccard, 2.0 / 5);
  EXPECT_DOUBLE_EQ(score.matches[1].jaccard, 1.0 / 5);
}

TEST(ScoreGroups, NothingToFindOrSay) {
  const NamedGroups some = groups_of({{"B", "1", {1, 2}}});
  std::vector<Score> scores = score_groups(some, some, kConditions, kFeatures);
  EXPECT_EQ(scores[0].adjusted_rand, 1);
  EXPECT_EQ(scores[0].precision, 1);
  EXPECT_EQ(scores[0].recall, 1);
  EXPECT_TRUE(scores[0].matches.empty());
  // Something to find, nothing said: and the other way round.
  scores = score_groups({}, some, kConditions, kFeatures);
  EXPECT_EQ(scores[1].adjusted_rand, 0);
  EXPECT_EQ(scores[1].precision, 1);
  EXPECT_EQ(scores[1].recall, 0);
  EXPECT_EQ(scores[1].matches[0].found, "");
  scores = score_groups(some, {}, kConditions, kFeatures);
  EXPECT_EQ(scores[1].precision, 0);
  EXPECT_EQ(scores[1].recall, 1);
}

TEST(ScoreGroups, ConditionsNamedOnlyInTheTablesAreScoredToo) {
  const NamedGroups truth = groups_of({{"C", "1", {1, 2}}});
  const std::vector<Score> scores = score_groups({}, truth, kConditions, kFeatures);
  ASSERT_EQ(scores.size(), 3u);
  EXPECT_EQ(scores[2].condition, "C");
}

TEST(ScoreGroups, OverlapCountsOnceForRandAndFullyForMatches) {
  const NamedGroups truth = groups_of({{"A", "1", {1, 2, 3}}, {"A", "2", {3, 4, 5}}});
  const NamedGroups found = groups_of({{"A", "1", {1, 2, 3}}, {"A", "2", {4, 5}}});
  const Score score = score_groups(found, truth, kConditions, kFeatures)[0];
  EXPECT_DOUBLE_EQ(score.adjusted_rand, 1);
  EXPECT_DOUBLE_EQ(score.matches[0].jaccard, 1);
  EXPECT_DOUBLE_EQ(score.matches[1].jaccard, 2.0 / 3);
}

TEST(ScoreGroups, FeaturesThatTookNoPartArePassedOver) {
  const NamedGroups truth = groups_of({{"A", "1", {1, 2, 99}}, {"A", "2", {98}}});
  const NamedGroups found = groups_of({{"A", "1", {1, 2}}});
  const Score score = score_groups(found, truth, kConditions, kFeatures)[0];
  EXPECT_DOUBLE_EQ(score.adjusted_rand, 1);
  EXPECT_DOUBLE_EQ(score.recall, 1);
  EXPECT_EQ(score.groups_true, 2);
  EXPECT_EQ(score.matches[1].found, "");
}

}  // namespace
}  // namespace disc
