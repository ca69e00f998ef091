#include "stats/split_halves.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

HalfEigenvectors halves_of(const RowMatrix& values, Index count, const Context& context = Context(),
                           Distance distance = Distance::correlation) {
  GraphOptions options;
  options.distance = distance;
  return eigenvectors_of_halves(make_dataset("A", values), all_of(values.cols()), count, options, context);
}

std::vector<Index> agreed(const std::vector<HalfEigenvectors>& conditions) {
  return dimensions_agreed(conditions, Context());
}

const std::vector<std::pair<Index, Index>> three_groups = {{0, 20}, {20, 15}, {35, 25}};
const std::vector<std::pair<Index, Index>> two_groups = {{40, 20}, {60, 15}};

// Groups among noise: each adds a direction, and the halves agree on nothing that comes after.
TEST(SplitHalves, AgreeUpToTheNumberOfGroups) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const HalfEigenvectors a = halves_of(grouped_values(600, 100, three_groups, seed, 0.8), 12);
    const HalfEigenvectors b = halves_of(grouped_values(600, 100, two_groups, seed + 10, 0.8), 12);
    EXPECT_EQ(agreed({a, b}), (std::vector<Index>{3, 2})) << "seed " << seed;
  }
}

TEST(SplitHalves, AgreeOnNothingInNoise) {
  const HalfEigenvectors a = halves_of(normal_values(100, 80, 1), 10);
  const HalfEigenvectors b = halves_of(normal_values(100, 80, 2), 10);
  EXPECT_EQ(agreed({a, b}), (std::vector<Index>{0, 0}));
}

TEST(SplitHalves, AreTheSameWithRanks) {
  const HalfEigenvectors a =
      halves_of(grouped_values(600, 100, three_groups, 4, 0.8), 12, Context(), Distance::spearman);
  EXPECT_EQ(agreed({a, a}), (std::vector<Index>{3, 3}));
}

TEST(SplitHalves, SayNothingWithFewSamples) {
  const HalfEigenvectors few = halves_of(normal_values(19, 30, 1), 5);
  EXPECT_EQ(few[0].cols(), 0);
  EXPECT_EQ(agreed({few, halves_of(grouped_values(600, 30, {{0, 10}}, 1, 0.8), 5)}), (std::vector<Index>{0, 0}));
}

// A pixel that only one half has seen.
TEST(SplitHalves, CopeWithAFeatureThatVariesInOneHalfOnly) {
  RowMatrix values = grouped_values(200, 60, {{0, 20}, {20, 20}}, 5, 0.8);
  values.col(59).setZero();
  values(17, 59) = 1;
  const HalfEigenvectors halves = halves_of(values, 6);
  for (const Matrix& half : halves) EXPECT_TRUE(half.allFinite());
  EXPECT_GE(agreed({halves, halves})[0], 2);
}

// The constant vector is in all of them, and shared groups repeat: only the joint basis of the others counts.
TEST(SplitHalves, ThreeConditionsWithoutAnAgreeingBasisAreJudgedAlone) {
  const HalfEigenvectors a = halves_of(grouped_values(600, 100, three_groups, 1, 0.8), 8);
  const HalfEigenvectors b = halves_of(grouped_values(600, 100, three_groups, 2, 0.8), 8);
  const HalfEigenvectors c = halves_of(grouped_values(600, 100, two_groups, 3, 0.8), 8);
  const std::vector<Index> result = agreed({a, b, c});
  EXPECT_LE(result[0], 3);
  EXPECT_LE(result[1], 3);
  EXPECT_LE(result[2], 2);
  EXPECT_GT(result[2], 0);
}

TEST(SplitHalves, AreTheSameBitsForAnyNumberOfThreads) {
  const RowMatrix values = grouped_values(300, 60, {{0, 20}}, 6, 0.6);
  const HalfEigenvectors one =
      halves_of(values, 5, Context({.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = {}}));
  const HalfEigenvectors two =
      halves_of(values, 5, Context({.threads = 2, .seed = 0, .stop = {}, .progress = {}, .log = {}}));
  EXPECT_EQ(one[0], two[0]);
  EXPECT_EQ(one[1], two[1]);
}

}  // namespace
}  // namespace disc
