// Correlations from values against the matrix of them.
#include "disc/correlations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr Index p = 40;
// Products of some hundred values are added in single precision.
constexpr double tolerance = 2e-5;

struct Both {
  Correlations matrix, from_values;
};

// Every third sample counts twice, every fifth not at all.
Both both(Index features = p) {
  const RowMatrix x = grouped_values(150, features, {{0, 10}, {12, 9}}, 1);
  auto source = std::make_shared<SampleValues>();
  source->values = x.cast<float>();
  Eigen::VectorXf weight = Eigen::VectorXf::Ones(150);
  for (Index i = 0; i < 150; ++i) weight[i] = i % 5 == 0 ? 0.0F : (i % 3 == 0 ? 2.0F : 1.0F);
  const Vector w = weight.cast<double>() / static_cast<double>(weight.sum());
  const RowMatrix centered = x.rowwise() - w.transpose() * x;
  Matrix covariance = centered.transpose() * w.asDiagonal() * centered;
  const Vector inverse = covariance.diagonal().array().rsqrt();
  Both result;
  result.matrix.values = (inverse.asDiagonal() * covariance * inverse.asDiagonal()).cast<float>();
  result.matrix.samples = 120;
  result.from_values = weigh_samples(source, weight, 120, Context());
  return result;
}

TEST(Correlations, SinglePairs) {
  const auto [matrix, from_values] = both();
  ASSERT_EQ(from_values.features(), p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < p; ++i) EXPECT_NEAR(from_values(i, j), matrix(i, j), tolerance);
  }
}

TEST(Correlations, SumsBetweenSets) {
  const auto [matrix, from_values] = both();
  const std::vector<std::vector<Index>> sets{{0, 1, 2, 3}, {2, 3, 20}, {}, {39}};
  const Matrix expected = matrix.sums_between(sets);
  const Matrix found = from_values.sums_between(sets);
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 20 * tolerance);
  EXPECT_NEAR(from_values.sum_between(sets[0], sets[1]), expected(0, 1), 20 * tolerance);
  EXPECT_EQ(expected(2, 0), 0.0);
}

TEST(Correlations, SumsWithGroups) {
  const auto [matrix, from_values] = both();
  const std::vector<std::vector<Index>> groups{{0, 1, 2, 3, 4}, {12, 15, 30}};
  const GroupSums expected(matrix, groups);
  const GroupSums found(from_values, groups);
  for (Index j = 0; j < p; ++j) {
    for (Index g = 0; g < 2; ++g) EXPECT_NEAR(found(j, g), expected(j, g), 10 * tolerance);
  }
}

TEST(Correlations, ProductsWithinAGroup) {
  const auto [matrix, from_values] = both();
  const std::vector<Index> group{3, 5, 12, 13, 14, 33};
  const Vector x = Vector::LinSpaced(6, -1.0, 2.0);
  const GroupProduct expected(matrix, group);
  const GroupProduct found(from_values, group);
  EXPECT_LT((found * x - expected * x).cwiseAbs().maxCoeff(), 10 * tolerance);
  EXPECT_LT((found.column(2) - expected.column(2)).cwiseAbs().maxCoeff(), tolerance);
}

TEST(Correlations, ProductsWithinALargeGroup) {
  constexpr Index many = 2100;  // no matrix is made for so many
  const auto [matrix, from_values] = both(many);
  std::vector<Index> group(many);
  std::iota(group.begin(), group.end(), Index{0});
  const Vector x = Vector::LinSpaced(many, -1.0, 2.0);
  const GroupProduct expected(matrix, group);
  const GroupProduct found(from_values, group);
  EXPECT_LT((found * x - expected * x).cwiseAbs().maxCoeff(), 1e-5 * (expected * x).cwiseAbs().maxCoeff());
  EXPECT_LT((found.column(2) - expected.column(2)).cwiseAbs().maxCoeff(), tolerance);
}

TEST(Correlations, PartsOfASetWithItsRest) {
  const auto [matrix, from_values] = both();
  const std::vector<std::vector<Index>> sets{{0, 1, 2, 3, 4, 20}, {12, 13, 30}};
  const SetSums expected(matrix, sets);
  const SetSums found(from_values, sets);
  EXPECT_NEAR(expected.part_with_rest(1, {12}), matrix(12, 13) + matrix(12, 30), 1e-12);
  for (const std::vector<Index>& part : {std::vector<Index>{0, 1}, std::vector<Index>{20}, sets[0]}) {
    EXPECT_NEAR(found.part_with_rest(0, part), expected.part_with_rest(0, part), 20 * tolerance);
  }
  EXPECT_EQ(expected.part_with_rest(0, sets[0]), 0.0);
}

TEST(Correlations, AFeatureThatDoesNotVaryHasNone) {
  auto source = std::make_shared<SampleValues>();
  source->values = normal_values(30, 3, 2).cast<float>();
  source->values.col(1).setConstant(4.0F);
  const Correlations r = weigh_samples(source, Eigen::VectorXf::Ones(30), 30, Context());
  EXPECT_EQ(r(0, 1), 0.0);
  EXPECT_EQ(r(1, 2), 0.0);
}

}  // namespace
}  // namespace disc
