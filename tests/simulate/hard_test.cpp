#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "disc/simulate.hpp"

namespace disc {
namespace {

constexpr Index kGroup = 20;

Simulation hard(const std::string& variant, double rho, Index samples, int threads = 2) {
  SimulateOptions options;
  options.problem = "hard";
  options.variant = variant;
  options.rho = rho;
  options.samples = samples;
  Context::Settings settings;
  settings.threads = threads;
  settings.seed = 4;
  return simulate(options, Context(settings));
}

RowMatrix dense(const Dataset& condition) {
  std::vector<Index> columns(static_cast<std::size_t>(condition.values.cols()));
  for (std::size_t j = 0; j < columns.size(); ++j) columns[j] = static_cast<Index>(j);
  RowMatrix values;
  condition.values.copy_rows(0, condition.values.rows(), columns, values);
  return values;
}

/// Standardized columns first .. first + size - 1; products of two such blocks are correlations.
RowMatrix standardized(const RowMatrix& values, Index first, Index size) {
  RowMatrix block = values.middleCols(first, size);
  block.rowwise() -= block.colwise().mean().eval();
  block.array().rowwise() /= block.colwise().norm().array().eval();
  return block;
}

double mean_within(const RowMatrix& values, Index first) {
  const RowMatrix block = standardized(values, first, kGroup);
  return ((block.transpose() * block).sum() - kGroup) / static_cast<double>(kGroup * (kGroup - 1));
}

TEST(Hard, PlainHasItsGroupsAndTruth) {
  for (const double rho : {0.1, 0.5, 0.9}) {
    const Simulation simulation = hard("plain", rho, 4000);
    const RowMatrix a = dense(simulation.conditions[0]);
    const RowMatrix b = dense(simulation.conditions[1]);
    ASSERT_EQ(a.cols(), 1000);
    for (Index group = 0; group < 12; ++group) {
      const Index first = 760 + group * kGroup;
      EXPECT_NEAR(mean_within(a, first), group < 9 ? rho : 0.0, 0.05) << group;
      EXPECT_NEAR(mean_within(b, first), group < 6 || group >= 9 ? rho : 0.0, 0.05) << group;
    }
    EXPECT_NEAR(mean_within(a, 100), 0, 0.02);
    // Groups are independent of each other.
    EXPECT_NEAR((standardized(a, 760, 20).transpose() * standardized(a, 780, 20)).mean(), 0, 0.05);
    EXPECT_NEAR(a.array().square().mean(), 1, 0.02);
    std::map<std::string, std::set<std::string>> truth;
    for (const auto& row : simulation.truth.rows) truth[row.condition + row.group].insert(row.feature);
    ASSERT_EQ(truth.size(), 6u);
    EXPECT_TRUE(truth["A1"].contains("f881") && truth["A3"].contains("f940") && truth["B1"].contains("f941"));
    EXPECT_TRUE(truth["B3"].contains("f1000"));
    for (const auto& [name, features] : truth) EXPECT_EQ(features.size(), 20u);
  }
}

TEST(Hard, LoadingsAreUnequal) {
  const RowMatrix a = dense(hard("plain", 0.3, 10000).conditions[0]);
  const RowMatrix block = standardized(a, 760, kGroup);
  const Vector mean = (block.transpose() * block).rowwise().mean();
  EXPECT_GT(mean.maxCoeff(), 1.5 * mean.minCoeff());
}

TEST(Hard, EveryVariantRunsAndIsRepeatable) {
  for (const SimulationProblem& variant : simulation_variants()) {
    const Simulation one = hard(variant.name, 0.3, 1200, 1);
    const Simulation four = hard(variant.name, 0.3, 1200, 4);
    for (std::size_t m = 0; m < 2; ++m) {
      EXPECT_TRUE(dense(one.conditions[m]) == dense(four.conditions[m])) << variant.name;
      EXPECT_TRUE(dense(one.conditions[m]).allFinite());
    }
    EXPECT_EQ(one.truth.rows.size(), variant.name == "strength" ? 140u : 120u);
  }
}

TEST(Hard, HeavyTails) {
  const RowMatrix heavy = dense(hard("heavy-tails", 0.3, 4000).conditions[0]);
  const RowMatrix plain = dense(hard("plain", 0.3, 4000).conditions[0]);
  EXPECT_GT(heavy.cwiseAbs().maxCoeff(), 4 * plain.cwiseAbs().maxCoeff());
  EXPECT_NEAR(heavy.leftCols(700).array().square().mean(), 1, 0.1);
  EXPECT_GT(mean_within(heavy, 760), 0.15);
}

TEST(Hard, ScalesDifferAndAreTheSameInBothConditions) {
  const Simulation simulation = hard("scales", 0.3, 2000);
  const RowMatrix a = dense(simulation.conditions[0]);
  const RowMatrix b = dense(simulation.conditions[1]);
  const Vector scale_a = a.colwise().norm();
  const Vector scale_b = b.colwise().norm();
  EXPECT_GT(scale_a.maxCoeff(), 1000 * scale_a.minCoeff());
  EXPECT_LT((scale_a.array() / scale_b.array() - 1).abs().maxCoeff(), 0.2);
  EXPECT_NEAR(mean_within(a, 760), 0.3, 0.05);
}

TEST(Hard, UnequalNumbersOfSamples) {
  const Simulation simulation = hard("unequal-n", 0.3, 100);
  EXPECT_EQ(simulation.conditions[0].values.rows(), 100);
  EXPECT_EQ(simulation.conditions[1].values.rows(), 25);
  EXPECT_EQ(hard("unequal-n", 0.3, 3).conditions[1].values.rows(), 2);
}

TEST(Hard, OverlappingGroupsShareFiveFeatures) {
  const Simulation simulation = hard("overlapping", 0.3, 4000);
  std::map<std::string, std::set<std::string>> truth;
  for (const auto& row : simulation.truth.rows) truth[row.condition + row.group].insert(row.feature);
  for (const auto& [first, second] : {std::pair("A1", "A2"), std::pair("A2", "A3"), std::pair("B1", "B2")}) {
    std::vector<std::string> common;
    std::ranges::set_intersection(truth[first], truth[second], std::back_inserter(common));
    EXPECT_EQ(common.size(), 5u);
  }
  const RowMatrix a = dense(simulation.conditions[0]);
  const RowMatrix b = dense(simulation.conditions[1]);
  // B ends at feature 1000 with 50 features, A's 50 come before; the common features follow both neighbors.
  EXPECT_NEAR(mean_within(a, 900), 0.3, 0.05);
  EXPECT_NEAR(mean_within(b, 950), 0.3, 0.05);
  EXPECT_NEAR(mean_within(b, 900), 0, 0.02);
  const RowMatrix first = standardized(a, 900, 15);
  const RowMatrix common = standardized(a, 915, 5);
  const RowMatrix second = standardized(a, 920, 10);
  EXPECT_GT((first.transpose() * common).mean(), 0.2);
  EXPECT_GT((second.transpose() * common).mean(), 0.2);
  EXPECT_NEAR((first.transpose() * second).mean(), 0, 0.05);
}

TEST(Hard, StrongOverlapKeepsUnitVariance) {
  const RowMatrix a = dense(hard("overlapping", 0.9, 4000).conditions[0]);
  const Vector variance = a.array().square().colwise().mean();
  EXPECT_NEAR(variance.minCoeff(), 1, 0.15);
  EXPECT_NEAR(variance.maxCoeff(), 1, 0.15);
}

TEST(Hard, StrengthHalvesOneSharedGroupInB) {
  const Simulation simulation = hard("strength", 0.4, 4000);
  const RowMatrix a = dense(simulation.conditions[0]);
  const RowMatrix b = dense(simulation.conditions[1]);
  EXPECT_NEAR(mean_within(a, 760), 0.4, 0.05);
  EXPECT_NEAR(mean_within(b, 760), 0.2, 0.05);
  EXPECT_NEAR(mean_within(b, 780), 0.4, 0.05);
  for (const auto& row : simulation.truth.rows) {
    if (row.feature != "f761") continue;
    EXPECT_EQ(row.condition, "A");  // more connected there: an answer of A, not of B
  }
}

TEST(Hard, CountsAreCountsAndKeepTheGroups) {
  const Simulation simulation = hard("counts", 0.5, 2000);
  const RowMatrix a = dense(simulation.conditions[0]);
  EXPECT_TRUE((a.array() >= 0).all());
  EXPECT_TRUE((a.array() == a.array().round()).all());
  EXPECT_GT((a.array() == 0).count(), a.size() / 20);  // dropout
  const Vector mean = a.colwise().mean();
  EXPECT_GT(mean.minCoeff(), 0);
  const Vector variance = (a.rowwise() - mean.transpose()).array().square().colwise().mean();
  EXPECT_TRUE((variance.array() > mean.array()).all());  // more than Poisson
  EXPECT_GT(mean_within(a, 760), 0.1);
  EXPECT_NEAR(mean_within(a, 0), 0, 0.02);
}

}  // namespace
}  // namespace disc
