// What the report draws: weights at the size of a picture, and where the samples lie.
#include <gtest/gtest.h>

#include <algorithm>

#include "disc/options.hpp"
#include "pipeline/figure_data.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr Index features = 60;

// A group of ten in A only.
std::vector<Dataset> two_conditions(Index count = features) {
  return {make_dataset("A", grouped_values(120, count, {{20, 10}}, 1, 2.0)),
          make_dataset("B", normal_values(120, count, 2))};
}

RunOptions quick() { return make_options("", {{"permutations", "39"}, {"bootstraps", "5"}}); }

// Parts of a group are no groups of their own.
Index groups_in(const ConditionResult& condition) {
  return std::ranges::count_if(condition.groups.groups, [](const FeatureGroup& group) { return group.parent < 0; });
}

TEST(FigureData, SmallWeightsAreShownAsTheyAre) {
  const std::vector<Dataset> data = two_conditions();
  const Analysis analysis = run(data, quick(), threads(2));
  const WeightFigure& picture = analysis.figure_data.weights;
  ASSERT_EQ(picture.order.size(), std::size_t{features});
  ASSERT_EQ(picture.bin_start.size(), std::size_t{features + 1});
  const FeatureGraph graph = build_graph(data[0], all_of(features), analysis.used.graph, threads(1));
  for (Index i = 0; i < features; ++i) {
    for (Index j = 0; j < features; ++j) {
      const double expected = i == j ? 0.0
                                     : graph.weights(picture.order[static_cast<std::size_t>(i)],
                                                     picture.order[static_cast<std::size_t>(j)]);
      ASSERT_NEAR(picture.weights[0](i, j), expected, 1e-12) << i << " " << j;
    }
  }
}

TEST(FigureData, FeaturesOfAGroupStandFirstAndTogether) {
  const std::vector<Dataset> data = two_conditions();
  const Analysis analysis = run(data, quick(), threads(1));
  ASSERT_EQ(groups_in(analysis.conditions[0]), 1);
  std::vector<Index> first(analysis.figure_data.weights.order.begin(), analysis.figure_data.weights.order.begin() + 10);
  std::ranges::sort(first);
  EXPECT_EQ(first, analysis.conditions[0].groups.groups[0].features);
  ASSERT_GE(analysis.figure_data.weights.groups.size(), 1U);
  const GroupFigure& group = analysis.figure_data.weights.groups[0];
  EXPECT_EQ(group.features.size(), 10U);
  EXPECT_GT(group.weights[0].sum(), 10 * group.weights[1].sum());
}

TEST(FigureData, MembersThatChangedMostComeFirst) {
  // Ten features that vary together in A, of which the first five do in B as well: the others are the news.
  const std::vector<Dataset> data{make_dataset("A", grouped_values(300, features, {{20, 10}}, 1, 2.0)),
                                  make_dataset("B", grouped_values(300, features, {{20, 5}}, 2, 2.0))};
  const Analysis analysis = run(data, quick(), threads(1));
  ASSERT_GE(analysis.figure_data.weights.groups.size(), 1U);
  const GroupFigure& group = analysis.figure_data.weights.groups[0];
  ASSERT_EQ(group.correlations.size(), 2U);
  ASSERT_GE(group.features.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_GE(group.features[i], 25) << i;
  EXPECT_NEAR(group.correlations[0](0, 0), 1.0, 1e-12);
  EXPECT_GT(group.correlations[0](0, 1), 0.6);
  EXPECT_LT(group.correlations[1](0, 1), 0.3);
  EXPECT_GT(group.core_correlation[0], group.core_correlation[1]);
}

TEST(FigureData, ValuesAreThoseOfTheData) {
  const std::vector<Dataset> data = two_conditions();
  const Analysis analysis = run(data, quick(), threads(1));
  const ValueFigure& figure = analysis.figure_data.values;
  ASSERT_GE(figure.features.size(), 10U);
  for (std::size_t m = 0; m < 2; ++m) {
    ASSERT_EQ(figure.samples[m].size(), 120U);
    EXPECT_EQ(figure.values[m](7, 2), data[m].values.at(figure.samples[m][7], figure.features[2]));
  }
}

TEST(FigureData, PartnersAreTheStrongestConnections) {
  const std::vector<Dataset> data = two_conditions();
  const Analysis analysis = run(data, quick(), threads(2));
  const FeatureGraph graph = build_graph(data[0], all_of(features), analysis.used.graph, threads(1));
  ASSERT_EQ(analysis.figure_data.partners.size(), 2U);
  const PartnerFigure& partners = analysis.figure_data.partners[0];
  ASSERT_EQ(partners.features[22].size(), 5U);
  double weakest = 1e9;
  for (std::size_t k = 0; k < 5; ++k) {
    const Index partner = partners.features[22][k];
    EXPECT_NEAR(partners.weights[22][k], graph.weights(22, partner), 1e-12);
    EXPECT_LE(partners.weights[22][k], weakest);
    weakest = partners.weights[22][k];
  }
  Index stronger = 0;
  for (Index j = 0; j < features; ++j) stronger += j != 22 && graph.weights(22, j) > weakest + 1e-12 ? 1 : 0;
  EXPECT_EQ(stronger, 4);
}

TEST(FigureData, FewFeaturesBesideLargeGroupsGetNoMoreThanTheirShare) {
  constexpr Index many = 500;
  constexpr Index grouped = 450;
  const std::vector<Dataset> data{make_dataset("A", grouped_values(120, many, {{20, grouped}}, 1, 2.0)),
                                  make_dataset("B", normal_values(120, many, 2))};
  const Analysis analysis = run(data, quick(), threads(2));
  ASSERT_GE(groups_in(analysis.conditions[0]), 1);
  const Index members = static_cast<Index>(analysis.conditions[0].groups.groups[0].features.size());
  ASSERT_GE(members, grouped);
  const std::vector<Index>& begins = analysis.figure_data.weights.bin_start;
  const auto of_group = std::ranges::lower_bound(begins, members) - begins.begin();
  EXPECT_NEAR(static_cast<double>(of_group), 400.0 * static_cast<double>(members) / many, 2.0);
}

TEST(FigureData, LinesThatShareFeaturesShowTheMeanOfTheirPairs) {
  constexpr Index many = 500;
  const std::vector<Dataset> data = two_conditions(many);
  const Analysis analysis = run(data, quick(), threads(2));
  const WeightFigure& picture = analysis.figure_data.weights;
  const std::size_t lines = picture.bin_start.size() - 1;
  EXPECT_LE(lines, 400U);
  EXPECT_GT(lines, 390U);
  EXPECT_EQ(picture.bin_start.back(), many);
  for (std::size_t line = 0; line < 10; ++line) EXPECT_LE(picture.bin_start[line + 1] - picture.bin_start[line], 2);
  const FeatureGraph graph = build_graph(data[1], all_of(many), analysis.used.graph, threads(1));
  for (const auto& [a, b] :
       {std::pair<std::size_t, std::size_t>{3, lines - 1}, {lines - 1, lines - 1}, {lines - 2, lines - 1}}) {
    double sum = 0;
    Index pairs = 0;
    for (Index i = picture.bin_start[a]; i < picture.bin_start[a + 1]; ++i) {
      for (Index j = picture.bin_start[b]; j < picture.bin_start[b + 1]; ++j) {
        const Index one = picture.order[static_cast<std::size_t>(i)];
        const Index other = picture.order[static_cast<std::size_t>(j)];
        if (one == other) continue;
        sum += graph.weights(one, other);
        ++pairs;
      }
    }
    const double mean = pairs > 0 ? sum / static_cast<double>(pairs) : 0.0;
    EXPECT_NEAR(picture.weights[1](static_cast<Index>(a), static_cast<Index>(b)), mean, 1e-12);
  }
}

TEST(FigureData, MetaFeaturesAreMeansOfStandardizedFeatures) {
  const std::vector<Dataset> data = two_conditions();
  const Analysis analysis = run(data, quick(), threads(1));
  const std::vector<Index>& members = analysis.conditions[0].groups.groups[0].features;
  Vector expected = Vector::Zero(120);
  for (const Index member : members) {
    Vector values(240);
    for (Index i = 0; i < 120; ++i) {
      values[i] = data[0].values.at(i, member);
      values[120 + i] = data[1].values.at(i, member);
    }
    values.array() -= values.mean();
    values /= std::sqrt(values.squaredNorm() / 240);
    expected += values.head(120) / static_cast<double>(members.size());
  }
  EXPECT_LT((analysis.figure_data.samples[0].meta_features.col(0) - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(FigureData, ComponentsAreUncorrelatedAndByFallingVariance) {
  const Analysis analysis = run(two_conditions(), quick(), threads(1));
  EXPECT_EQ(analysis.figure_data.component_features, features);
  Matrix all(240, 2);
  all << analysis.figure_data.samples[0].components, analysis.figure_data.samples[1].components;
  EXPECT_LT(all.colwise().mean().cwiseAbs().maxCoeff(), 1e-10);
  const Matrix covariance = all.transpose() * all;
  EXPECT_LT(std::abs(covariance(0, 1)), 1e-8 * covariance(0, 0));
  EXPECT_GT(covariance(0, 0), covariance(1, 1));
}

TEST(FigureData, AreTheSameForAnyNumberOfThreads) {
  const Analysis one = run(two_conditions(), quick(), threads(1));
  const Analysis four = run(two_conditions(), quick(), threads(4));
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(one.figure_data.weights.weights[m], four.figure_data.weights.weights[m]);
    EXPECT_EQ(one.figure_data.samples[m].components, four.figure_data.samples[m].components);
  }
}

TEST(FigureData, ShapeMustHaveAsManyPixelsAsThereAreFeatures) {
  RunOptions options = quick();
  find_option("shape").set(options, "6x10");
  EXPECT_NO_THROW(run(two_conditions(), options, threads(1)));
  find_option("shape").set(options, "7x10");
  EXPECT_THROW(run(two_conditions(), options, threads(1)), OptionError);
}

}  // namespace
}  // namespace disc
