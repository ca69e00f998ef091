#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "disc/groups.hpp"

namespace disc {
namespace {

Context test_context() {
  Context::Settings settings;
  settings.threads = 2;
  settings.seed = 3;
  return Context(settings);
}

/// Vector i lives on features first[i] .. first[i] + size[i] - 1 with a little noise elsewhere; unit columns.
DifferentialVectors vectors_on(Index features, const std::vector<std::pair<Index, Index>>& places, double noise) {
  std::mt19937_64 random = random_stream(11, "test");
  std::normal_distribution<double> normal;
  DifferentialVectors result;
  const Index count = static_cast<Index>(places.size());
  result.vectors.resize(features, count);
  result.sigma.resize(count);
  for (Index i = 0; i < count; ++i) {
    const auto [first, size] = places[static_cast<std::size_t>(i)];
    for (Index j = 0; j < features; ++j) result.vectors(j, i) = noise * normal(random);
    for (Index j = first; j < first + size; ++j) result.vectors(j, i) += 1;
    result.vectors.col(i).normalize();
    result.sigma[i] = 0.9 - 0.1 * static_cast<double>(i);
  }
  result.leading = count;
  return result;
}

std::vector<Index> range(Index first, Index size) {
  std::vector<Index> values(static_cast<std::size_t>(size));
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(GroupFeatures, FindsGivenNumberAndDropsBackground) {
  const DifferentialVectors vectors = vectors_on(250, {{150, 25}, {175, 25}}, 0.03);
  GroupOptions options;
  options.groups = 2;
  const FeatureGroups result = group_features(vectors, options, test_context());
  ASSERT_EQ(result.groups.size(), 2u);
  EXPECT_EQ(result.requested, 2);
  EXPECT_EQ(result.groups[0].features, range(150, 25));  // sigma, hence energy, is larger
  EXPECT_EQ(result.groups[1].features, range(175, 25));
}

TEST(GroupFeatures, KeepsBackgroundOnRequest) {
  const DifferentialVectors vectors = vectors_on(250, {{150, 25}, {175, 25}}, 0.03);
  GroupOptions options;
  options.groups = 3;
  options.drop_largest = false;
  const FeatureGroups result = group_features(vectors, options, test_context());
  ASSERT_EQ(result.groups.size(), 3u);
  EXPECT_EQ(result.groups[2].features.size(), 200u);  // the least energy comes last
}

TEST(GroupFeatures, FindsTheNumberOfGroups) {
  const std::vector<std::pair<Index, Index>> places{{200, 25}, {225, 25}, {250, 30}, {280, 20}};
  for (std::size_t count = 2; count <= places.size(); ++count) {
    const DifferentialVectors vectors =
        vectors_on(400, {places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count)}, 0.05);
    const FeatureGroups result = group_features(vectors, {}, test_context());
    EXPECT_EQ(result.requested, static_cast<Index>(count));
    EXPECT_EQ(result.groups.size(), count);
  }
}

TEST(GroupFeatures, FindsTheNumberAmongManyFeatures) {
  const DifferentialVectors vectors = vectors_on(6000, {{100, 40}, {200, 60}, {300, 50}}, 0.05);
  const FeatureGroups result = group_features(vectors, {}, test_context());
  ASSERT_EQ(result.groups.size(), 3u);
  EXPECT_EQ(result.groups[0].features, range(100, 40));
}

TEST(GroupFeatures, EnergyIsItsDefinitionOverLeadingVectors) {
  DifferentialVectors vectors = vectors_on(30, {{0, 5}, {5, 5}, {10, 5}}, 0.1);
  vectors.leading = 2;
  GroupOptions options;
  options.groups = 2;
  const FeatureGroups result = group_features(vectors, options, test_context());
  for (Index j = 0; j < 30; ++j) {
    double energy = 0;
    for (Index i = 0; i < 2; ++i) energy += std::pow(vectors.sigma[i] * vectors.vectors(j, i), 2);
    EXPECT_NEAR(result.energy[j], energy, 1e-15);
  }
  for (std::size_t g = 1; g < result.groups.size(); ++g) {
    EXPECT_GE(result.energy(result.groups[g - 1].features).mean(), result.energy(result.groups[g].features).mean());
  }
}

TEST(GroupFeatures, PermutingFeaturesPermutesTheGroups) {
  const DifferentialVectors vectors = vectors_on(200, {{100, 25}, {140, 25}, {170, 20}}, 0.05);
  std::vector<Index> order = range(0, 200);
  std::mt19937_64 random = random_stream(5, "shuffle");
  for (const Grouping grouping : {Grouping::kmeans, Grouping::threshold}) {
    GroupOptions options;
    options.grouping = grouping;
    const FeatureGroups plain = group_features(vectors, options, test_context());
    std::shuffle(order.begin(), order.end(), random);
    DifferentialVectors permuted = vectors;
    permuted.vectors = vectors.vectors(order, Eigen::all);
    const FeatureGroups result = group_features(permuted, options, test_context());
    ASSERT_EQ(result.groups.size(), plain.groups.size());
    for (std::size_t g = 0; g < plain.groups.size(); ++g) {
      std::vector<Index> back;
      for (const Index j : result.groups[g].features) back.push_back(order[static_cast<std::size_t>(j)]);
      std::ranges::sort(back);
      EXPECT_EQ(back, plain.groups[g].features);
    }
  }
}

TEST(GroupFeatures, SmallGroupsAreDropped) {
  const DifferentialVectors vectors = vectors_on(100, {{0, 20}, {20, 2}}, 0.01);
  GroupOptions options;
  options.groups = 2;
  const FeatureGroups dropped = group_features(vectors, options, test_context());
  ASSERT_EQ(dropped.groups.size(), 1u);
  EXPECT_EQ(dropped.groups[0].features, range(0, 20));
  EXPECT_EQ(dropped.requested, 2);
  options.min_group_size = 2;
  EXPECT_EQ(group_features(vectors, options, test_context()).groups.size(), 2u);
}

TEST(GroupFeatures, ThresholdTakesBothSigns) {
  // 16 features at +0.2, 9 at -0.2: squares sum to 1; s = 25 gives the threshold 0.1.
  DifferentialVectors vectors;
  vectors.vectors = Matrix::Zero(60, 1);
  vectors.vectors.col(0).segment(10, 16).setConstant(0.2);
  vectors.vectors.col(0).segment(40, 9).setConstant(-0.2);
  vectors.sigma = Vector::Ones(1);
  vectors.leading = 1;
  GroupOptions options;
  options.grouping = Grouping::threshold;
  for (const std::optional<Index> size : {std::optional<Index>(25), std::optional<Index>()}) {
    options.threshold_size = size;
    const FeatureGroups result = group_features(vectors, options, test_context());
    ASSERT_EQ(result.groups.size(), 2u);
    EXPECT_EQ(result.groups[0].features, range(10, 16));
    EXPECT_EQ(result.groups[1].features, range(40, 9));
  }
  options.threshold_size = 6;  // 1 / (2 sqrt 6) = 0.204 is above every entry
  EXPECT_TRUE(group_features(vectors, options, test_context()).groups.empty());
  options.threshold_size.reset();
  options.min_group_size = 10;
  EXPECT_EQ(group_features(vectors, options, test_context()).groups.size(), 1u);
}

TEST(GroupFeatures, ThresholdGivesAFeatureToItsLargestVector) {
  DifferentialVectors vectors;
  vectors.vectors = Matrix::Zero(40, 2);
  vectors.vectors.col(0).segment(0, 10).setConstant(0.3);
  vectors.vectors.col(1).segment(8, 10).setConstant(0.28);
  vectors.vectors(9, 1) = 0.4;
  vectors.sigma = Vector::Constant(2, 0.5);
  vectors.leading = 2;
  GroupOptions options;
  options.grouping = Grouping::threshold;
  options.threshold_size = 10;
  const FeatureGroups result = group_features(vectors, options, test_context());
  ASSERT_EQ(result.groups.size(), 2u);
  EXPECT_EQ(result.groups[0].features, range(0, 9));
  EXPECT_EQ(result.groups[1].features, range(9, 9));
}

TEST(GroupFeatures, NoLeadingVectorNoGroup) {
  DifferentialVectors vectors = vectors_on(30, {{0, 5}}, 0.1);
  vectors.leading = 0;
  const FeatureGroups result = group_features(vectors, {}, test_context());
  EXPECT_TRUE(result.groups.empty());
  EXPECT_EQ(result.energy, Vector::Zero(30));
}

TEST(GroupFeatures, FewFeatures) {
  for (Index features = 1; features <= 6; ++features) {
    const DifferentialVectors vectors = vectors_on(features, {{0, 1}}, 0.1);
    const FeatureGroups result = group_features(vectors, {}, test_context());
    for (const FeatureGroup& group : result.groups) EXPECT_GE(group.features.size(), 3u);
  }
}

TEST(GroupFeatures, RefusesOptionsOutOfRange) {
  const DifferentialVectors vectors = vectors_on(30, {{0, 5}}, 0.1);
  const auto refused = [&](auto change) {
    GroupOptions options;
    change(options);
    EXPECT_THROW(group_features(vectors, options, test_context()), OptionError);
  };
  refused([](GroupOptions& options) { options.groups = 0; });
  refused([](GroupOptions& options) { options.groups = 30; });
  refused([](GroupOptions& options) { options.restarts = 0; });
  refused([](GroupOptions& options) { options.min_group_size = 0; });
  refused([](GroupOptions& options) { options.threshold_size = 0; });
}

}  // namespace
}  // namespace disc
