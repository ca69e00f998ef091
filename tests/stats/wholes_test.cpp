// Which candidates belong together, by correlations as they are in the population.
#include "stats/wholes.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace disc {
namespace {

constexpr Index features = 30;
constexpr View view{ViewKind::strength, 0};

Candidate from(Index first, Index count) {
  Candidate candidate;
  candidate.features.resize(static_cast<std::size_t>(count));
  std::iota(candidate.features.begin(), candidate.features.end(), first);
  return candidate;
}

// Features 0 to 19 correlate by `across`, 0 to 7 among themselves by `within`.
Correlations nested(double within, double across) {
  Correlations result;
  result.samples = 200;
  result.values = MatrixF::Identity(features, features);
  for (Index j = 0; j < 20; ++j) {
    for (Index i = 0; i < 20; ++i) {
      if (i != j) result.values(i, j) = static_cast<float>(i < 8 && j < 8 ? within : across);
    }
  }
  return result;
}

bool part_of(const std::vector<Correlations>& conditions) { return is_part(conditions, view, from(0, 20), from(0, 8)); }
bool whole_of(const std::vector<Correlations>& conditions) {
  return is_whole(conditions, view, from(0, 20), from(0, 8));
}

TEST(Wholes, APartGainsMoreWithinThanAcrossItsBorder) {
  const std::vector<Correlations> conditions{nested(0.8, 0.5), nested(0, 0)};
  EXPECT_TRUE(part_of(conditions));
  EXPECT_TRUE(whole_of(conditions));
}

TEST(Wholes, APieceOfWhatIsConnectedThroughoutIsNoPart) {
  const std::vector<Correlations> conditions{nested(0.5, 0.5), nested(0, 0)};
  EXPECT_FALSE(part_of(conditions));
  EXPECT_TRUE(whole_of(conditions));
}

TEST(Wholes, OfAnotherConditionWithThePartAloneThereIsNoPart) {
  EXPECT_FALSE(part_of({nested(0.8, 0.5), nested(0.7, 0)}));
}

TEST(Wholes, ASmallGroupAmongOthersIsNoWholeWithThem) {
  const std::vector<Correlations> conditions{nested(0.8, 0.1), nested(0, 0)};
  EXPECT_TRUE(part_of(conditions));
  EXPECT_FALSE(whole_of(conditions));
}

// Connected to what all have in common anyway: half the gain of a pair, but less than the small group as a whole.
TEST(Wholes, ALargerOneThatGainsLessAsAWholeIsNone) {
  const std::vector<Correlations> conditions{nested(0.8, 0.6), nested(0.1, 0.2)};
  EXPECT_TRUE(part_of(conditions));
  EXPECT_FALSE(whole_of(conditions));
  EXPECT_TRUE(whole_of({nested(0.8, 0.6), nested(0.1, 0.1)}));
}

// The border is where one other condition shows it.
TEST(Wholes, OfThreeConditionsTheOneWithTheClearestBorderCounts) {
  const std::vector<Correlations> conditions{nested(0.8, 0.5), nested(0, 0), nested(0.3, 0.4)};
  EXPECT_TRUE(part_of(conditions));
  EXPECT_FALSE(whole_of(conditions));
}

}  // namespace
}  // namespace disc
