// What all features of a sample share: found, taken out, and told from groups.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "disc/prepare.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

Dataset condition(const std::string& name, const RowMatrix& values) {
  Dataset data;
  data.name = name;
  data.values = SampleMatrix(values);
  data.features = numbered_names("g", values.cols());
  data.samples = numbered_names("s", values.rows());
  return data;
}

RowMatrix values_of(const Dataset& data) {
  RowMatrix values(data.values.rows(), data.values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) values(i, j) = data.values.at(i, j);
  }
  return values;
}

// Features that all follow one signal, and groups on top of it.
RowMatrix with_common_signal(Index rows, Index cols, double strength, unsigned seed) {
  RowMatrix values = grouped_values(rows, cols, {{0, 6}}, seed);
  const RowMatrix signal = normal_values(rows, 1, seed + 9);
  for (Index j = 0; j < cols; ++j) values.col(j) += strength * signal.col(0);
  return values;
}

double mean_correlation(RowMatrix x) {
  x.rowwise() -= x.colwise().mean().eval();
  x.colwise().normalize();
  const auto p = static_cast<double>(x.cols());
  return (x.rowwise().sum().squaredNorm() - p) / (p * (p - 1));
}

TEST(RemoveCommon, RemovesWhatAllFeaturesShare) {
  const std::vector<Dataset> conditions{condition("A", with_common_signal(80, 60, 2.0, 1)),
                                        condition("B", with_common_signal(70, 60, 2.0, 2))};
  const Preparation done = prepare(conditions, {}, Context());
  EXPECT_TRUE(done.common_removed);
  for (std::size_t m = 0; m < 2; ++m) {
    const RowMatrix before = values_of(conditions[m]);
    const RowMatrix after = values_of(done.conditions[m]);
    EXPECT_GT(mean_correlation(before), 0.5);
    EXPECT_LT(std::abs(mean_correlation(after)), 0.05);
    EXPECT_LT((before.colwise().mean() - after.colwise().mean()).cwiseAbs().maxCoeff(), 1e-10);
  }
  ASSERT_EQ(done.steps.size(), 2U);
  EXPECT_EQ(done.steps[0].step, "remove-global-signal yes");
}

TEST(RemoveCommon, OnlyIfEveryConditionHasIt) {
  const std::vector<Dataset> conditions{condition("A", with_common_signal(80, 60, 2.0, 1)),
                                        condition("B", with_common_signal(70, 60, 0.0, 2))};
  const Preparation done = prepare(conditions, {}, Context());
  EXPECT_FALSE(done.common_removed);
  EXPECT_EQ(values_of(done.conditions[0]), values_of(conditions[0]));
  PrepareOptions wanted;
  wanted.remove_global_signal = true;
  EXPECT_TRUE(prepare(conditions, wanted, Context()).common_removed);
}

// Their mean correlation is as high, but pairs of features of different groups do not correlate.
TEST(RemoveCommon, NotIfThereAreTwoLargeGroups) {
  const auto two_groups = [](Index rows, unsigned seed) {
    RowMatrix values(rows, 80);
    values << with_common_signal(rows, 40, 4.0, seed), with_common_signal(rows, 40, 4.0, seed + 10);
    return values;
  };
  const std::vector<Dataset> conditions{condition("A", two_groups(80, 1)), condition("B", two_groups(70, 2))};
  EXPECT_FALSE(prepare(conditions, PrepareOptions(), Context()).common_removed);
}

// A size factor is divided out where that is asked for: subtracted, it would leave samples that vary more than others.
TEST(RemoveCommon, AsAFactorWhereItMultiplies) {
  const auto multiplied = [](Index rows, double spread, unsigned seed) {
    const RowMatrix noise = normal_values(rows, 80, seed);
    const RowMatrix size = normal_values(rows, 1, seed + 50);
    RowMatrix values = (0.3 * noise).array().exp();
    for (Index i = 0; i < rows; ++i) values.row(i) *= std::exp(spread * size(i, 0));
    return values;
  };
  const std::vector<Dataset> conditions{condition("A", multiplied(80, 0.5, 3)), condition("B", multiplied(90, 0.3, 4))};
  PrepareOptions wanted;
  wanted.remove_global_signal = true;
  const Preparation done = prepare(conditions, wanted, Context());
  EXPECT_EQ(done.steps[0].step, "remove-global-signal yes, as a factor");
  for (const Dataset& after : done.conditions) {
    const RowMatrix logs = values_of(after).array().log();
    EXPECT_LT(std::abs(mean_correlation(logs)), 0.05);
    const RowMatrix centered = logs.rowwise() - logs.colwise().mean();
    const Vector spread = centered.rowwise().norm();
    EXPECT_LT(spread.maxCoeff() / spread.minCoeff(), 2.0);  // samples vary alike
  }
  // What adds stays what it was.
  const Preparation added = prepare({condition("A", RowMatrix(with_common_signal(80, 60, 2.0, 1).array() + 100.0)),
                                     condition("B", RowMatrix(with_common_signal(70, 60, 2.0, 2).array() + 100.0))},
                                    wanted, Context());
  EXPECT_EQ(added.steps[0].step, "remove-global-signal yes");
}

TEST(RemoveCommon, NotIfNotWanted) {
  const std::vector<Dataset> conditions{condition("A", with_common_signal(80, 60, 2.0, 1)),
                                        condition("B", with_common_signal(70, 60, 2.0, 2))};
  PrepareOptions not_wanted;
  not_wanted.remove_global_signal = false;
  EXPECT_FALSE(prepare(conditions, not_wanted, Context()).common_removed);
}

}  // namespace
}  // namespace disc
