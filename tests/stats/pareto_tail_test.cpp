#include "stats/pareto_tail.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

// Scores of `count` labellings without any difference: the largest of ten exponential variables, whose tail is known.
std::vector<double> largest_of_ten(Index count, std::uint64_t seed) {
  const RowMatrix normal = normal_values(count, 20, seed);
  std::vector<double> scores;
  for (Index i = 0; i < count; ++i) {
    double largest = 0;
    for (Index k = 0; k < 20; k += 2) {
      largest = std::max(largest, 0.5 * (normal(i, k) * normal(i, k) + normal(i, k + 1) * normal(i, k + 1)));
    }
    scores.push_back(largest);
  }
  return scores;
}

double score_of(double p) { return -std::log(1.0 - std::pow(1.0 - p, 0.1)); }

TEST(ParetoTail, IsAboutTheTailThatIsThere) {
  for (const double p : {1e-3, 1e-4}) {
    std::vector<double> ratios;
    for (std::uint64_t seed = 0; seed < 101; ++seed) {
      const auto found = pareto_tail(largest_of_ten(199, seed), score_of(p));
      ratios.push_back(found ? *found / p : 1.0);
    }
    std::ranges::sort(ratios);
    EXPECT_GT(ratios[50], 0.5) << p;
    EXPECT_LT(ratios[50], 4.0) << p;
    EXPECT_GT(ratios[5], 0.1) << p;  // it rather says too much than too little
  }
}

TEST(ParetoTail, IsNeverZero) {
  std::vector<double> bounded;  // scores that have a largest value
  for (Index i = 0; i < 199; ++i) bounded.push_back(std::sqrt(static_cast<double>(i)));
  const auto found = pareto_tail(bounded, 15.0);
  ASSERT_TRUE(found.has_value());
  EXPECT_GT(*found, 0.0);
  EXPECT_LT(*pareto_tail(bounded, 20.0), *found);  // and falls with the score
}

TEST(ParetoTail, IsUnsetWhereThereIsNothingToExtrapolate) {
  const std::vector<double> scores = largest_of_ten(199, 3);
  const double largest = *std::ranges::max_element(scores);
  EXPECT_FALSE(pareto_tail(scores, largest).has_value());
  EXPECT_TRUE(pareto_tail(scores, largest + 0.1).has_value());
  EXPECT_FALSE(pareto_tail(largest_of_ten(49, 3), 50.0).has_value());          // too few
  EXPECT_FALSE(pareto_tail(std::vector<double>(199, 1.0), 50.0).has_value());  // all the same
  EXPECT_FALSE(pareto_tail({}, 1.0).has_value());
}

}  // namespace
}  // namespace disc
