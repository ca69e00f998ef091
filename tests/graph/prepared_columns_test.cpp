// Normal scores of columns, by their definition.
#include "graph/prepared_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

RowMatrix prepared(const RowMatrix& values) {
  const Dataset data = make_dataset("A", values);
  const std::vector<Index> columns = all_of(values.cols());
  RowMatrix out;
  PreparedColumns(data, columns, Distance::normal_scores, Context()).fill(0, values.rows(), columns, out);
  return out;
}

// The standard normal distribution function.
double normal_share_below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// x with Phi(x) = share, by bisection.
double normal_quantile(double share) {
  double low = -10;
  double high = 10;
  for (int step = 0; step < 100; ++step) {
    const double middle = 0.5 * (low + high);
    (normal_share_below(middle) < share ? low : high) = middle;
  }
  return low;
}

Vector centered_and_scaled(Vector values) {
  values.array() -= values.mean();
  return values.normalized();
}

TEST(PreparedColumns, OfNormalScoresAreVanDerWaerdensScores) {
  constexpr Index samples = 25;
  const RowMatrix values = normal_values(samples, 4, 1);
  const RowMatrix found = prepared(values);
  for (Index j = 0; j < 4; ++j) {
    Vector scores(samples);
    for (Index i = 0; i < samples; ++i) {
      const auto rank = static_cast<double>((values.col(j).array() <= values(i, j)).count());
      scores[i] = normal_quantile(rank / (samples + 1));
    }
    EXPECT_LT((found.col(j) - centered_and_scaled(scores)).cwiseAbs().maxCoeff(), 1e-7);
  }
}

TEST(PreparedColumns, TiesShareTheScoreOfTheirMeanRank) {
  RowMatrix values(6, 2);
  values << 3, 1, 1, 2, 3, 3, 0, 4, 5, 5, 3, 6;  // three times 3: ranks 3, 4 and 5
  const RowMatrix found = prepared(values);
  Vector scores(6);
  const std::vector<double> ranks{4, 2, 4, 1, 6, 4};
  for (Index i = 0; i < 6; ++i) scores[i] = normal_quantile(ranks[static_cast<std::size_t>(i)] / 7);
  EXPECT_LT((found.col(0) - centered_and_scaled(scores)).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(PreparedColumns, OfNormalScoresDoNotChangeWithAMonotoneTransformation) {
  const RowMatrix values = normal_values(40, 5, 2);
  const RowMatrix other = values.array().exp() + 3.0;
  EXPECT_EQ(prepared(values), prepared(other));
}

}  // namespace
}  // namespace disc
