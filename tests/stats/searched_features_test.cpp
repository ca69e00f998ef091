// Which features take part in the search where all would take too long.
#include "stats/searched_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "stats/policy.hpp"
#include "support/data.hpp"
#include "support/prepared.hpp"

namespace disc {
namespace {

using namespace testing_support;

std::vector<Index> searched_among(const RowMatrix& a, const RowMatrix& b, bool has_units) {
  const std::vector<Dataset> conditions{make_dataset("A", a), make_dataset("B", b)};
  const FeatureMatch match = match_features(conditions, {}, Context());
  return features_to_search(prepared_columns(conditions, match, Distance::correlation), has_units, threads(2));
}

// Sums of units cost the same, however many samples they are made of.
TEST(SearchedFeatures, AreNotFewerForUnitsOfManySamples) {
  constexpr Index features = 1100;
  const RowMatrix a = normal_values(1500, features, 1);
  const RowMatrix b = normal_values(1500, features, 2);
  EXPECT_TRUE(searched_among(a, b, true).empty());
  EXPECT_EQ(static_cast<Index>(searched_among(a, b, false).size()), policy::min_features_searched);
}

TEST(SearchedFeatures, AreAllOfAFewHoweverManySamplesThereAre) {
  EXPECT_TRUE(searched_among(normal_values(45'000, 40, 1), normal_values(45'000, 40, 2), false).empty());
}

// So many samples that their values are taken in several pieces.
TEST(SearchedFeatures, HoldWhatIsConnectedInEitherCondition) {
  constexpr Index features = 1700;
  constexpr Index size = 12;
  const RowMatrix a = grouped_values(2600, features, {{0, size}, {500, size}, {1200, size}}, 3, 0.3);
  const RowMatrix b = grouped_values(2600, features, {{200, size}, {500, size}, {1600, size}}, 4, 0.3);
  const std::vector<Index> searched = searched_among(a, b, false);
  ASSERT_FALSE(searched.empty());
  EXPECT_LT(static_cast<Index>(searched.size()), features);
  EXPECT_TRUE(std::ranges::is_sorted(searched));
  for (const Index first : {0, 200, 500, 1200, 1600}) {
    for (Index j = first; j < first + size; ++j) EXPECT_TRUE(std::ranges::binary_search(searched, j)) << j;
  }
}

}  // namespace
}  // namespace disc
