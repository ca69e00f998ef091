// Named sets against groups: the hypergeometric probability, by counting draws, and the false discovery rate.
#include <gtest/gtest.h>

#include <algorithm>

#include "disc/stats.hpp"

namespace disc {
namespace {

FeatureGroups groups_of(std::vector<std::vector<Index>> members) {
  FeatureGroups groups;
  for (auto& features : members) groups.groups.push_back({std::move(features), {}});
  return groups;
}

// Share of all ways to draw `group` of `tested` features that catch at least `shared` of the first `set` ones.
double by_counting(Index shared, Index group, Index set, Index tested) {
  std::vector<char> drawn(static_cast<std::size_t>(tested), 0);
  std::fill_n(drawn.begin(), group, 1);
  double all = 0, reached = 0;
  do {
    all += 1;
    reached += std::count(drawn.begin(), drawn.begin() + set, 1) >= shared ? 1 : 0;
  } while (std::prev_permutation(drawn.begin(), drawn.end()));
  return reached / all;
}

TEST(CompareWithSets, PIsTheShareOfDrawsThatCatchAsMany) {
  const std::vector<std::string> features = numbered_names("g", 12);
  const std::vector<FeatureGroups> groups{groups_of({{0, 1, 2, 6}}),
                                          groups_of({{3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}})};
  const std::vector<NamedSet> sets{{"S", "first five", {"g1", "g2", "g3", "g4", "g5", "g1", "elsewhere"}},
                                   {"T", "", {"g7", "g8", "g9"}},
                                   {"too small", "", {"g1", "g2", "x", "y"}}};
  const std::vector<SetOverlap> found = compare_with_sets(groups, features, sets);
  ASSERT_EQ(found.size(), 5U);
  for (const SetOverlap& overlap : found) {
    EXPECT_NEAR(overlap.p,
                by_counting(static_cast<Index>(overlap.features.size()), overlap.group_size, overlap.set_size, 12),
                1e-12);
    EXPECT_EQ(overlap.tested, 12);
    EXPECT_GE(overlap.q, overlap.p);
  }
  EXPECT_EQ(found[0].set, "S");
  EXPECT_EQ(found[0].features, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(found[0].set_size, 5);
  EXPECT_EQ(found[1].set, "T");
}

TEST(CompareWithSets, QCountsAllPairsOfGroupAndSet) {
  const std::vector<std::string> features = numbered_names("g", 40);
  const std::vector<FeatureGroups> groups{groups_of({{0, 1, 2, 3}})};
  std::vector<NamedSet> sets{{"hit", "", {"g1", "g2", "g3", "g4"}}};
  const double alone = compare_with_sets(groups, features, sets)[0].q;
  for (int i = 0; i < 9; ++i) sets.push_back({"miss", "", {"g30", "g31", "g32"}});
  const std::vector<SetOverlap> found = compare_with_sets(groups, features, sets);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].q, 10 * alone, 1e-15);
  EXPECT_TRUE(compare_with_sets({}, features, sets).empty());
}

}  // namespace
}  // namespace disc
