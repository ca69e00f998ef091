// What is done to the data before the analysis: the same for dense and sparse values, and counted.
#include <gtest/gtest.h>
#include <unistd.h>
#include <numeric>
#include <random>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "disc/prepare.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Dataset condition(const std::string& name, const RowMatrix& values, bool sparse = false) {
  Dataset data;
  data.name = name;
  data.values = sparse ? SampleMatrix(SparseMatrix(values.sparseView())) : SampleMatrix(values);
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

// Small whole numbers, most of them zero; no column is constant.
RowMatrix counts(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 random(seed);
  std::poisson_distribution<int> poisson(0.7);
  RowMatrix values(rows, cols);
  for (double& value : values.reshaped()) value = poisson(random);
  values.row(0).setConstant(3);
  values.row(1).setZero();
  return values;
}

Matrix correlations(const RowMatrix& values) {
  const RowMatrix centered = values.rowwise() - values.colwise().mean();
  const Matrix products = centered.transpose() * centered;
  const Vector scale = products.diagonal().cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * products * scale.asDiagonal();
}

std::vector<Dataset> both(const RowMatrix& a, const RowMatrix& b, bool sparse = false) {
  return {condition("A", a, sparse), condition("B", b, sparse)};
}

Index count_of(const Preparation& done, const std::string& step, const std::string& name = "") {
  const auto found =
      std::ranges::find_if(done.steps, [&](const PreparationStep& s) { return s.step == step && s.condition == name; });
  return found == done.steps.end() ? -1 : found->count;
}

TEST(Prepare, NothingAskedForChangesNothing) {
  const std::vector<Dataset> data = both(normal_values(5, 4, 1), normal_values(6, 4, 2));
  const Preparation done = prepare(data, {}, Context());
  EXPECT_EQ(values_of(done.conditions[0]), values_of(data[0]));
  EXPECT_TRUE(done.steps.empty());
  EXPECT_TRUE(done.excluded.empty());
  EXPECT_TRUE(done.hints.empty());
}

TEST(Prepare, WholeNumbersGiveAHint) {
  EXPECT_EQ(prepare(both(counts(9, 4, 1), counts(9, 4, 2)), {}, Context()).hints.size(), 1U);
  PrepareOptions options;
  options.normalization = Normalization::log_cpm;
  EXPECT_TRUE(prepare(both(counts(9, 4, 1), counts(9, 4, 2)), options, Context()).hints.empty());
  std::vector<Dataset> images = both(counts(9, 4, 1), counts(9, 4, 2));
  for (Dataset& image : images) image.is_image = true;
  EXPECT_TRUE(prepare(images, {}, Context()).hints.empty());
}

TEST(PrepareAuto, SparseCountsAreNormalizedAndDenseOnesAreNot) {
  const std::vector<Dataset> sparse = both(counts(9, 4, 1), counts(9, 4, 2), true);
  const Preparation done = prepare(sparse, {}, Context());
  EXPECT_EQ(done.normalization, Normalization::log_cpm);
  EXPECT_EQ(count_of(done, "normalize log-cpm", "A"), 9);
  PrepareOptions asked;
  asked.normalization = Normalization::log_cpm;
  EXPECT_EQ(values_of(done.conditions[0]), values_of(prepare(sparse, asked, Context()).conditions[0]));
  EXPECT_EQ(prepare(both(counts(9, 4, 1), counts(9, 4, 2)), {}, Context()).normalization, Normalization::none);
  RowMatrix other = counts(9, 4, 2);
  other(8, 3) = 0.5;  // the last value of all
  EXPECT_EQ(prepare(both(counts(9, 4, 1), other, true), {}, Context()).normalization, Normalization::none);
}

TEST(PrepareAuto, RareFeaturesOfCountsAreExcludedWhereManyOthersAreLeft) {
  for (const Index common : {99, 100}) {
    RowMatrix a = counts(40, common + 1, 1).array() + 1, b = counts(40, common + 1, 2).array() + 1;
    a.col(common).setZero();
    b.col(common).setZero();
    a(3, common) = a(5, common) = b(7, common) = 3;  // 3 of 80 samples, less than 0.05
    const Preparation done = prepare(both(a, b, true), {}, Context());
    EXPECT_EQ(done.excluded.size(), common == 100 ? 1U : 0U);
    if (common == 100) {
      EXPECT_EQ(done.excluded[0].reason, "zero in more than 95 % of the samples");
    }
    PrepareOptions all;
    all.select = FeatureSelection{};
    EXPECT_TRUE(prepare(both(a, b, true), all, Context()).excluded.empty());
  }
}

TEST(PrepareMissing, DropSamples) {
  RowMatrix values = normal_values(5, 3, 1);
  values(1, 2) = nan;
  values(3, 0) = std::numeric_limits<double>::infinity();
  std::vector<Dataset> data = both(values, normal_values(4, 3, 2));
  data[0].labels = {{"donor", {"a", "b", "c", "d", "e"}}};
  PrepareOptions options;
  options.missing = Missing::drop_samples;
  const Preparation done = prepare(data, options, Context());
  EXPECT_EQ(done.conditions[0].samples, (std::vector<std::string>{"s1", "s3", "s5"}));
  EXPECT_EQ(done.conditions[0].labels[0].values, (std::vector<std::string>{"a", "c", "e"}));
  EXPECT_EQ(values_of(done.conditions[0]).row(1), values.row(2));
  EXPECT_EQ(count_of(done, "missing drop-samples", "A"), 2);
  EXPECT_EQ(count_of(done, "missing drop-samples", "B"), 0);
}

TEST(PrepareMissing, TooFewSamplesLeft) {
  RowMatrix values = normal_values(3, 3, 1);
  values(1, 2) = values(0, 0) = nan;
  PrepareOptions options;
  options.missing = Missing::drop_samples;
  EXPECT_THROW(prepare(both(values, normal_values(4, 3, 2)), options, Context()), InputError);
}

TEST(PrepareMissing, MeansOfDenseAndSparse) {
  RowMatrix values = counts(6, 3, 1);
  values(2, 1) = values(3, 1) = nan;
  values.col(1).head(2) << 6, 0;
  values.col(1).tail(2) << 0, 2;
  PrepareOptions options;
  options.missing = Missing::mean;
  options.normalization = Normalization::none;
  for (const bool sparse : {false, true}) {
    const Preparation done = prepare(both(values, counts(5, 3, 2), sparse), options, Context());
    EXPECT_EQ(done.conditions[0].values.at(2, 1), 2.0);
    EXPECT_EQ(done.conditions[0].values.at(3, 1), 2.0);
    EXPECT_EQ(done.conditions[0].values.at(0, 0), 3.0);
    EXPECT_EQ(count_of(done, "missing mean", "A"), 2);
    EXPECT_EQ(done.conditions[0].values.is_sparse(), sparse);
  }
}

TEST(PrepareMissing, AFeatureWithoutAnyValueIsExcludedEverywhere) {
  RowMatrix values = normal_values(5, 3, 1);
  values.col(1).setConstant(nan);
  PrepareOptions options;
  options.missing = Missing::mean;
  const Preparation done = prepare(both(normal_values(4, 3, 2), values), options, Context());
  EXPECT_EQ(done.conditions[0].features, (std::vector<std::string>{"g1", "g3"}));
  EXPECT_EQ(done.conditions[1].features, (std::vector<std::string>{"g1", "g3"}));
  ASSERT_EQ(done.excluded.size(), 1U);
  EXPECT_EQ(done.excluded[0].reason, "no value in condition B");
}

TEST(PrepareNormalize, SquareRootsAndTheirError) {
  PrepareOptions options;
  options.normalization = Normalization::square_root;
  for (const bool sparse : {false, true}) {
    const RowMatrix values = counts(6, 3, 1);
    const Preparation done = prepare(both(values, counts(5, 3, 2), sparse), options, Context());
    EXPECT_EQ(values_of(done.conditions[0]), values.cwiseSqrt());
  }
  EXPECT_THROW(prepare(both(normal_values(6, 3, 1), counts(5, 3, 2)), options, Context()), InputError);
}

TEST(PrepareNormalize, RanksAreRightAndSparseOnesCorrelateAlike) {
  RowMatrix values(5, 2);
  values << 3, -1, 0, 0, 7, 0, 3, 2, 1, -5;
  PrepareOptions options;
  options.normalization = Normalization::rank;
  const Preparation dense = prepare(both(values, values), options, Context());
  RowMatrix expected(5, 2);
  expected << 3.5, 2, 1, 3.5, 5, 3.5, 3.5, 5, 2, 1;
  EXPECT_EQ(values_of(dense.conditions[0]), expected);

  const RowMatrix many = counts(40, 150, 3) - counts(40, 150, 4);
  const RowMatrix by_dense = values_of(prepare(both(many, many), options, Context()).conditions[0]);
  const Preparation sparse = prepare(both(many, many, true), options, Context());
  EXPECT_TRUE(sparse.conditions[0].values.is_sparse());
  const RowMatrix by_sparse = values_of(sparse.conditions[0]);
  EXPECT_LT((correlations(by_dense) - correlations(by_sparse)).cwiseAbs().maxCoeff(), 1e-12);
  for (Index i = 0; i < many.size(); ++i) EXPECT_EQ(many.reshaped()[i] == 0, by_sparse.reshaped()[i] == 0);
}

TEST(PrepareNormalize, ZScores) {
  const RowMatrix values = (normal_values(30, 4, 5).array() * 3 + 1000).matrix();
  PrepareOptions options;
  options.normalization = Normalization::zscore;
  const RowMatrix scores = values_of(prepare(both(values, values), options, Context()).conditions[0]);
  EXPECT_LT(scores.colwise().mean().cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((scores.colwise().squaredNorm().array() / 30 - 1).abs().maxCoeff(), 1e-9);
  const RowMatrix few = counts(20, 4, 6);
  const RowMatrix scaled = values_of(prepare(both(few, few, true), options, Context()).conditions[0]);
  const RowMatrix centered = values_of(prepare(both(few, few), options, Context()).conditions[0]);
  EXPECT_LT((scaled - (centered.rowwise() - centered.row(1))).cwiseAbs().maxCoeff(), 1e-12);  // row 1 is zero in `few`
}

class PrepareSelection : public ::testing::TestWithParam<bool> {};

TEST_P(PrepareSelection, VariableFeaturesOfAllSamplesTogether) {
  RowMatrix a = RowMatrix::Zero(4, 3), b = RowMatrix::Zero(4, 3);
  a.col(0) << 1, 0, 1, 0;
  b.col(0) << 0, 1, 0, 1;
  a.col(1) << 0, 1, 0, 1;  // varies little within, much between
  b.col(1) << 9, 8, 9, 8;
  a.col(2) << 3, 0, 0, 3;
  b.col(2) << 0, 3, 3, 0;
  PrepareOptions options;
  options.select = FeatureSelection{.rule = FeatureSelection::Rule::variable, .count = 2};
  options.normalization = Normalization::none;
  const Preparation done = prepare(both(a, b, GetParam()), options, Context());
  EXPECT_EQ(done.conditions[1].features, (std::vector<std::string>{"g2", "g3"}));
  EXPECT_EQ(values_of(done.conditions[1]).col(0), b.col(1));
  EXPECT_EQ(done.conditions[0].values.is_sparse(), GetParam());
  EXPECT_EQ(count_of(done, "select variable:2"), 1);
  EXPECT_EQ(done.excluded[0].reason, "not selected by variable:2");
  options.select->count = 10;
  EXPECT_EQ(prepare(both(a, b, GetParam()), options, Context()).conditions[0].features.size(), 3U);
}

TEST_P(PrepareSelection, ExpressedFeatures) {
  RowMatrix a = RowMatrix::Zero(4, 3), b = RowMatrix::Zero(4, 3);
  a.col(0) << 1, 0, 0, 0;
  b.col(0) << 2, 0, 0, 0;
  a.col(1) << 1, 1, 1, 1;
  b(0, 2) = 5;
  PrepareOptions options;
  options.normalization = Normalization::none;
  options.select = FeatureSelection{.rule = FeatureSelection::Rule::expressed, .share = 0.25};
  const Preparation done = prepare(both(a, b, GetParam()), options, Context());
  EXPECT_EQ(done.conditions[0].features, (std::vector<std::string>{"g1", "g2"}));
}

INSTANTIATE_TEST_SUITE_P(Storage, PrepareSelection, ::testing::Bool(),
                         [](const auto& which) { return which.param ? "sparse" : "dense"; });

TEST(PrepareSelection, FeaturesNotInAllConditionsDoNotCount) {
  std::vector<Dataset> data = both(normal_values(6, 3, 1), normal_values(6, 3, 2));
  data[1].features[2] = "other";
  PrepareOptions options;
  options.select = FeatureSelection{.rule = FeatureSelection::Rule::variable, .count = 2};
  EXPECT_TRUE(prepare(data, options, Context()).excluded.empty());
}

TEST(PrepareList, OnlyListedFeatures) {
  const auto list = std::filesystem::temp_directory_path() / ("disc_list_" + std::to_string(::getpid()));
  std::ofstream(list) << "g3\r\ng1\textra\n\nabsent\n";
  PrepareOptions options;
  options.only_features = list.string();
  const RowMatrix values = normal_values(4, 3, 1);
  const Preparation done = prepare(both(values, values), options, Context());
  EXPECT_EQ(done.conditions[0].features, (std::vector<std::string>{"g1", "g3"}));
  EXPECT_EQ(values_of(done.conditions[0]).col(1), values.col(2));
  EXPECT_EQ(done.excluded.size(), 1U);
  EXPECT_EQ(count_of(done, "only-features"), 1);
  std::ofstream(list) << "absent\n";
  EXPECT_THROW(prepare(both(values, values), options, Context()), InputError);
  std::filesystem::remove(list);
}

// Two series with their own levels, scales and trends.
Dataset two_series(unsigned seed, Index length) {
  RowMatrix values = normal_values(2 * length, 3, seed);
  const Vector time = Vector::LinSpaced(length, 0, static_cast<double>(length - 1));
  values.topRows(length).colwise() += 2 * time;
  values.bottomRows(length) *= 10;
  values.bottomRows(length).array() += 500;
  Dataset data = condition("A", values);
  data.labels = {{"file", std::vector<std::string>(static_cast<std::size_t>(2 * length), "x")}};
  std::fill_n(data.labels[0].values.begin(), length, "w");
  return data;
}

TEST(PrepareSeries, DetrendRemovesTheSlopeOfEveryFileAndKeepsItsMean) {
  constexpr Index length = 12;
  const std::vector<Dataset> data{two_series(1, length), two_series(2, length)};
  PrepareOptions options;
  options.detrend = true;
  const Preparation done = prepare(data, options, Context());
  const RowMatrix before = values_of(data[0]), after = values_of(done.conditions[0]);
  const Vector time = Vector::LinSpaced(length, -1, 1);
  for (const Index first : {Index{0}, length}) {
    EXPECT_LT((time.transpose() * after.middleRows(first, length)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((before.middleRows(first, length).colwise().mean() - after.middleRows(first, length).colwise().mean())
                  .cwiseAbs()
                  .maxCoeff(),
              1e-9);
  }
  EXPECT_EQ(count_of(done, "detrend", "A"), 2);
}

TEST(PrepareSeries, LongFilesAreStandardizedByDefaultAndShortOnesAreNot) {
  const auto standardized = [](Index length, const std::optional<bool>& wanted) {
    const std::vector<Dataset> data{two_series(1, length), two_series(2, length)};
    PrepareOptions options;
    options.standardize_files = wanted;
    return prepare(data, options, Context());
  };
  const Preparation done = standardized(20, std::nullopt);
  EXPECT_TRUE(done.files_standardized);
  const RowMatrix second = values_of(done.conditions[1]).bottomRows(20);
  EXPECT_LT(second.colwise().mean().cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((second.colwise().squaredNorm().array() / 20 - 1).abs().maxCoeff(), 1e-12);
  EXPECT_FALSE(standardized(19, std::nullopt).files_standardized);
  EXPECT_TRUE(standardized(19, true).files_standardized);
  EXPECT_FALSE(standardized(20, false).files_standardized);
  const std::vector<Dataset> single = both(normal_values(30, 3, 1), normal_values(30, 3, 2));
  EXPECT_FALSE(prepare(single, {}, Context()).files_standardized);
}

TEST(PrepareSeries, AConstantFeatureBecomesZeroInItsFile) {
  std::vector<Dataset> data{two_series(1, 20), two_series(2, 20)};
  RowMatrix values = values_of(data[0]);
  values.col(1).head(20).setConstant(0.1);
  data[0].values = SampleMatrix(values);
  const RowMatrix after = values_of(prepare(data, {}, Context()).conditions[0]);
  EXPECT_EQ(after.col(1).head(20).cwiseAbs().maxCoeff(), 0);
  EXPECT_GT(after.col(1).tail(20).cwiseAbs().maxCoeff(), 0.5);
}

double correlation_of(const RowMatrix& values, Index a, Index b) {
  const Vector x = values.col(a).array() - values.col(a).mean();
  const Vector y = values.col(b).array() - values.col(b).mean();
  return x.dot(y) / (x.norm() * y.norm());
}

// A program of ten features that holds a fifth of the counts where it is active must not make the others fall together.
TEST(PrepareNormalize, AProgramDoesNotTellTheDepth) {
  constexpr Index samples = 400, features = 80, program = 10;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  RowMatrix counts(samples, features);
  for (Index i = 0; i < samples; ++i) {
    const double activity = std::exp(normal(random));
    for (Index j = 0; j < features; ++j) {
      const double rate = j < program ? 20.0 * activity : 12.0;
      counts(i, j) = static_cast<double>(std::poisson_distribution<int>(rate)(random));
    }
  }
  const auto mean_of_others = [&](const RowMatrix& values) {
    double sum = 0;
    Index pairs = 0;
    for (Index b = program; b < features; ++b) {
      for (Index a = program; a < b; ++a, ++pairs) sum += correlation_of(values, a, b);
    }
    return sum / static_cast<double>(pairs);
  };
  RowMatrix by_total(samples, features);
  for (Index i = 0; i < samples; ++i) {
    by_total.row(i) = (counts.row(i) * (1000.0 / counts.row(i).sum())).array().log1p();
  }
  EXPECT_GT(mean_of_others(by_total), 0.2);  // what is avoided
  const std::vector<Dataset> conditions{make_dataset("A", counts), make_dataset("B", counts)};
  const std::vector<Dataset> normalized = normalize_counts(conditions, Context());
  std::vector<Index> all(features);
  std::iota(all.begin(), all.end(), Index{0});
  RowMatrix values;
  normalized[0].values.copy_rows(0, samples, all, values);
  EXPECT_LT(std::abs(mean_of_others(values)), 0.05);
}

}  // namespace
}  // namespace disc
