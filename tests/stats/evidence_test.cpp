#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "disc/stats.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr Index samples = 250;
constexpr Index features = 50;
constexpr Index first = 15;  // of the new group
constexpr Index size = 12;
constexpr double mean_shift = 1.5;
constexpr double variance_ratio = 4.0;

// Both conditions share a group of strength 1. A has one more, whose features have a larger mean and variance.
std::vector<Dataset> planted_conditions(std::uint64_t seed) {
  RowMatrix a = grouped_values(samples, features, {{0, 10}, {first, size}}, seed, 0.6);
  RowMatrix b = grouped_values(samples, features, {{0, 10}}, seed + 1, 0.6);
  b.middleCols(first, size) *= std::sqrt(0.25 + 0.36);  // the variance that the group has in A so far
  a.middleCols(first, size) *= std::sqrt(variance_ratio);
  a.middleCols(first, size).array() += mean_shift;
  std::vector<Dataset> conditions = {make_dataset("A", a), make_dataset("B", b.rowwise().reverse())};
  conditions[0].features_named = conditions[1].features_named = true;
  std::ranges::reverse(conditions[1].features);  // the order of columns is another
  return conditions;
}

struct Answer {
  std::vector<Dataset> conditions;
  FeatureMatch match;
  TestResult result;
};

Answer answer_to(std::vector<Dataset> conditions, Index bootstraps, const Context& context) {
  Answer result;
  result.conditions = std::move(conditions);
  result.match = match_features(result.conditions, {}, context);
  TestOptions options;
  options.graph.distance = Distance::correlation;
  options.statistics.permutations = 39;
  options.statistics.bootstraps = bootstraps;
  result.result = test_groups(result.conditions, result.match, {}, options, context);
  return result;
}

Answer answer(std::uint64_t seed, Index bootstraps = 40, const Context& context = Context()) {
  return answer_to(planted_conditions(seed), bootstraps, context);
}

// Samples x features in the order of the match.
RowMatrix values_of(const Answer& found, std::size_t m) {
  RowMatrix rows;
  found.conditions[m].values.copy_rows(0, samples, found.match.columns[m], rows);
  return rows;
}

Matrix correlations_of(const RowMatrix& x) {
  RowMatrix z = x.rowwise() - x.colwise().mean();
  z.colwise().normalize();
  return z.transpose() * z;
}

std::vector<Index> planted_features() {
  std::vector<Index> planted(static_cast<std::size_t>(size));
  std::iota(planted.begin(), planted.end(), first);
  return planted;
}

double mean_within(const Matrix& r, const std::vector<Index>& group) {
  double sum = 0;
  for (const Index i : group) {
    for (const Index j : group) sum += i == j ? 0.0 : r(i, j);
  }
  const auto count = static_cast<double>(group.size());
  return sum / (count * (count - 1));
}

// One answer for the tests that only look at it.
class Evidence : public testing::Test {
 protected:
  static void SetUpTestSuite() { found_ = std::make_unique<Answer>(answer(1)); }
  static void TearDownTestSuite() { found_.reset(); }
  void SetUp() override {
    ASSERT_FALSE(found_->result.conditions[0].groups.empty());
    ASSERT_EQ(group().features, planted_features());
    ASSERT_LE(group().p, 0.05);
  }
  static const FeatureGroup& group() { return found_->result.conditions[0].groups[0]; }
  static const GroupEvidence& evidence() { return group().evidence; }
  static std::unique_ptr<Answer> found_;
};
std::unique_ptr<Answer> Evidence::found_;

TEST_F(Evidence, IntervalsContainTheMeanCorrelation) {
  ASSERT_EQ(evidence().mean_correlation.size(), 2U);
  for (std::size_t m = 0; m < 2; ++m) {
    const Interval& interval = evidence().mean_correlation[m];
    EXPECT_NEAR(interval.value, mean_within(correlations_of(values_of(*found_, m)), planted_features()), 2e-6);
    EXPECT_LT(interval.low, interval.value);
    EXPECT_GT(interval.high, interval.value);
    EXPECT_LT(interval.high - interval.low, 0.5);
  }
}

TEST_F(Evidence, IntervalsContainWhatWasPlanted) {
  const double rho = 0.36 / (0.36 + 0.25);
  EXPECT_LE(evidence().mean_correlation[0].low, rho);
  EXPECT_GE(evidence().mean_correlation[0].high, rho);
  EXPECT_NEAR(evidence().mean_correlation[1].value, 0.0, 0.05);
  EXPECT_LT(evidence().mean_correlation[1].high, evidence().mean_correlation[0].low);
}

TEST_F(Evidence, OfAStrongGroupIsStable) {
  EXPECT_GT(evidence().stability, 0.9);
  EXPECT_LE(evidence().stability, 1.0);
}

TEST_F(Evidence, ConductanceIsTheShareOfWeightThatLeaves) {
  ASSERT_EQ(evidence().conductance.size(), 2U);
  const double cut = 1.5 / std::sqrt(static_cast<double>(samples));
  for (std::size_t m = 0; m < 2; ++m) {
    const Matrix r = correlations_of(values_of(*found_, m));
    double all = 0;
    double leaving = 0;
    for (const Index j : planted_features()) {
      for (Index i = 0; i < features; ++i) {
        if (i == j) continue;
        const double weight = std::max(0.0, r(i, j) - cut);
        all += weight;
        if (i < first || i >= first + size) leaving += weight;
      }
    }
    EXPECT_NEAR(evidence().conductance[m], leaving / all, 1e-4);
  }
  EXPECT_LT(evidence().conductance[0], 0.1);
  EXPECT_GT(evidence().conductance[1], 0.4);
}

TEST_F(Evidence, ChangesOfMeanAndVarianceAreTheirDefinitionsAndWhatWasPlanted) {
  const RowMatrix a = values_of(*found_, 0);
  const RowMatrix b = values_of(*found_, 1);
  double mean_change = 0;
  double variance_change = 0;
  for (const Index j : planted_features()) {
    const auto variance = [&](const RowMatrix& x) { return (x.col(j).array() - x.col(j).mean()).square().mean(); };
    mean_change += (a.col(j).mean() - b.col(j).mean()) / std::sqrt(0.5 * (variance(a) + variance(b)));
    variance_change += std::log2(variance(a) / variance(b));
  }
  EXPECT_NEAR(evidence().mean_change, mean_change / size, 1e-9);
  EXPECT_NEAR(evidence().variance_change, variance_change / size, 1e-9);
  // The factor's own mean moves all features of the group by up to 2 / sqrt(n) standard deviations.
  const double variance = 0.25 + 0.36;
  EXPECT_NEAR(evidence().mean_change, mean_shift / std::sqrt(0.5 * variance * (1 + variance_ratio)), 0.3);
  EXPECT_NEAR(evidence().variance_change, std::log2(variance_ratio), 0.4);
}

TEST_F(Evidence, HubsAreTheMostTypicalMembers) {
  const std::vector<Index> members = planted_features();
  ASSERT_EQ(evidence().hubs.size(), 5U);
  const auto membership = [&](Index feature) { return group().weight[static_cast<std::size_t>(feature - first)]; };
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(std::ranges::count(members, evidence().hubs[i]), 1);
    EXPECT_GE(membership(evidence().hubs[i > 0 ? i - 1 : 0]), membership(evidence().hubs[i]));
  }
  for (const Index j : members) {
    const bool is_hub = std::ranges::count(evidence().hubs, j) == 1;
    EXPECT_TRUE(is_hub || membership(j) <= membership(evidence().hubs[4]));
  }
}

TEST_F(Evidence, EdgesAreThePairsOfLargestGainInFallingOrder) {
  const Matrix here = correlations_of(values_of(*found_, 0));
  const Matrix there = correlations_of(values_of(*found_, 1));
  std::vector<double> gains;
  for (const Index b : planted_features()) {
    for (Index a = first; a < b; ++a) gains.push_back(here(a, b) - there(a, b));
  }
  std::ranges::sort(gains, std::greater<>());
  ASSERT_EQ(evidence().edges.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    const GainedEdge& edge = evidence().edges[i];
    EXPECT_LT(edge.a, edge.b);
    EXPECT_GE(edge.a, first);
    EXPECT_LT(edge.b, first + size);
    EXPECT_NEAR(edge.here, here(edge.a, edge.b), 2e-6);
    EXPECT_NEAR(edge.elsewhere, there(edge.a, edge.b), 2e-6);
    EXPECT_NEAR(edge.here - edge.elsewhere, gains[i], 5e-6);
  }
}

TEST_F(Evidence, IsGivenToSignificantGroupsOnly) {
  for (const TestedCondition& condition : found_->result.conditions) {
    for (const FeatureGroup& other : condition.groups) {
      EXPECT_EQ(other.evidence.mean_correlation.size(), 2U);
      EXPECT_FALSE(other.evidence.hubs.empty());
    }
    for (const FeatureGroup& other : condition.candidates) {
      EXPECT_TRUE(other.evidence.mean_correlation.empty());
      EXPECT_TRUE(other.evidence.hubs.empty());
    }
  }
}

TEST(EvidenceOptions, WithoutBootstrapsIntervalsAreTheValue) {
  const Answer found = answer(2, 0);
  const FeatureGroup& group = found.result.conditions[0].groups[0];
  ASSERT_EQ(group.features, planted_features());
  for (const Interval& interval : group.evidence.mean_correlation) {
    EXPECT_EQ(interval.low, interval.value);
    EXPECT_EQ(interval.high, interval.value);
  }
  EXPECT_EQ(group.evidence.stability, 0.0);
}

TEST(EvidenceOptions, SameBitsForAnyNumberOfThreads) {
  const Answer one = answer(3, 20, threads(1));
  const Answer two = answer(3, 20, threads(2));
  const GroupEvidence& a = one.result.conditions[0].groups[0].evidence;
  const GroupEvidence& b = two.result.conditions[0].groups[0].evidence;
  ASSERT_EQ(a.mean_correlation.size(), 2U);
  ASSERT_EQ(b.mean_correlation.size(), 2U);
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(a.mean_correlation[m].low, b.mean_correlation[m].low);
    EXPECT_EQ(a.mean_correlation[m].high, b.mean_correlation[m].high);
  }
  EXPECT_EQ(a.stability, b.stability);
  EXPECT_EQ(a.conductance, b.conductance);
}

// Weaker there, but there: the intervals say so.
TEST(EvidenceOptions, OfAGroupThatBecameStrongerSaysThatItWasThere) {
  const Answer found = answer_to({make_dataset("A", grouped_values(samples, features, {{first, size}}, 4, 1.0)),
                                  make_dataset("B", grouped_values(samples, features, {{first, size}}, 5, 0.3))},
                                 20, Context());
  ASSERT_FALSE(found.result.conditions[0].groups.empty());
  const FeatureGroup& group = found.result.conditions[0].groups[0];
  ASSERT_EQ(group.features, planted_features());
  const auto& both = group.evidence.mean_correlation;
  ASSERT_EQ(both.size(), 2U);
  EXPECT_NEAR(both[0].value, 1.0 / 1.25, 0.1);
  EXPECT_NEAR(both[1].value, 0.09 / 0.34, 0.1);
  EXPECT_GT(both[0].low, both[1].high);
  EXPECT_GT(both[1].low, 0.1);
}

}  // namespace
}  // namespace disc
