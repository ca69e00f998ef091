// Nearest features against a plain search, and the graph of them against the dense one.
#include "graph/nearest_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "graph/cells.hpp"
#include "graph/neighbor_graph.hpp"
#include "support/graphs.hpp"

namespace disc {
namespace {

using namespace testing_support;

// Clusters with some noise: near features exist, and a search that looks at near ones only can find them.
FeaturePoints clustered(Index dimensions, Index features, Index clusters, std::uint64_t seed) {
  const MatrixF centers = normal_values(dimensions, clusters, seed).cast<float>();
  const MatrixF noise = normal_values(dimensions, features, seed + 1).cast<float>();
  FeaturePoints points{MatrixF(dimensions, features)};
  for (Index j = 0; j < features; ++j) points.values.col(j) = centers.col((j * 7) % clusters) + 0.3F * noise.col(j);
  return points;
}

std::vector<Index> plain_search(const FeaturePoints& points, Index feature, Index count) {
  std::vector<std::pair<double, Index>> all;
  for (Index j = 0; j < points.values.cols(); ++j) {
    if (j == feature) continue;
    const auto apart = (points.values.col(j) - points.values.col(feature)).cast<double>().squaredNorm();
    const auto mirrored = (points.values.col(j) + points.values.col(feature)).cast<double>().squaredNorm();
    all.emplace_back(points.sign_free ? std::min(apart, mirrored) : apart, j);
  }
  std::ranges::sort(all);
  std::vector<Index> nearest;
  for (Index k = 0; k < count; ++k) nearest.push_back(all[static_cast<std::size_t>(k)].second);
  return nearest;
}

double measured_recall(const FeaturePoints& points, const NearestFeatures& found) {
  Index hits = 0;
  Index looked_at = 0;
  for (Index j = 0; j < points.values.cols(); j += 37) {
    const std::vector<Index> truth = plain_search(points, j, found.count);
    const std::set<Index> have(found.row(j).begin(), found.row(j).end());
    hits += std::ranges::count_if(truth, [&](Index other) { return have.contains(other); });
    looked_at += found.count;
  }
  return static_cast<double>(hits) / static_cast<double>(looked_at);
}

TEST(NearestFeatures, ComparisonFindsWhatAPlainSearchFinds) {
  const FeaturePoints points = clustered(11, 700, 9, 1);
  const NearestFeatures found = nearest_by_comparison(points, 13, Context());
  for (Index j = 0; j < 700; j += 23) {
    const std::vector<Index> truth = plain_search(points, j, 13);
    EXPECT_TRUE(std::ranges::equal(found.row(j), truth)) << "feature " << j;
  }
  EXPECT_EQ(found.recall, 1.0);
}

TEST(NearestFeatures, MirrorImagesAreNearWhereTheSignDoesNotCount) {
  FeaturePoints points = clustered(9, 300, 5, 2);
  points.values.colwise().normalize();
  for (Index j = 0; j < 300; j += 2) points.values.col(j) = -points.values.col(j).eval();
  points.sign_free = true;
  EXPECT_EQ(measured_recall(points, nearest_by_comparison(points, 5, Context())), 1.0);
}

TEST(NearestFeatures, NoMoreThanThereAre) {
  const FeaturePoints points = clustered(4, 6, 2, 3);
  EXPECT_EQ(nearest_by_comparison(points, 20, Context()).count, 5);
}

TEST(NearestFeatures, LeavesFindTheShareAskedFor) {
  const FeaturePoints points = clustered(16, 12'000, 40, 4);
  const NearestFeatures found = nearest_by_cells(points, 10, 0.97, Context());
  EXPECT_FALSE(found.exact);
  EXPECT_GE(found.recall, 0.97);
  EXPECT_GE(measured_recall(points, found), 0.96);  // measured on other features than the program looked at
  std::vector<Index> order = found.locality_order;
  std::ranges::sort(order);
  EXPECT_EQ(order, all_of(12'000));
}

TEST(NearestFeatures, LeavesAreGivenUpWhereNoFeaturesAreNear) {
  const FeaturePoints noise{normal_values(200, 6000, 6).cast<float>()};
  const NearestFeatures found = nearest_by_cells(noise, 10, 0.99, Context());
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.recall, 1.0);
  EXPECT_EQ(found.of, nearest_by_comparison(noise, 10, Context()).of);
}

TEST(NearestFeatures, TheSameForAnyNumberOfThreads) {
  const FeaturePoints points = clustered(8, 9000, 30, 5);
  EXPECT_EQ(nearest_by_cells(points, 8, 0.95, threads(1)).of, nearest_by_cells(points, 8, 0.95, threads(4)).of);
}

TEST(Cells, FeaturesThatCannotBeToldApartAreCutAnyway) {
  MatrixF points = MatrixF::Ones(5, 5000);
  points.col(17) *= 3.0F;
  const Cells cells = make_cells(points, 256, Context());
  for (Index cell = 0; cell < cells.count(); ++cell) EXPECT_LE(cells.size(cell), 384);
}

TEST(PairLists, ListEveryPairBothWaysOnce) {
  NearestFeatures nearest;
  nearest.features = 4;
  nearest.count = 1;
  nearest.of = {1, 0, 1, 2};
  const PairLists pairs = both_ways(nearest, Context());
  EXPECT_EQ(std::vector<std::int32_t>(pairs.row(0).begin(), pairs.row(0).end()), (std::vector<std::int32_t>{1}));
  EXPECT_EQ(std::vector<std::int32_t>(pairs.row(1).begin(), pairs.row(1).end()), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(std::vector<std::int32_t>(pairs.row(2).begin(), pairs.row(2).end()), (std::vector<std::int32_t>{1, 3}));
  EXPECT_EQ(std::vector<std::int32_t>(pairs.row(3).begin(), pairs.row(3).end()), (std::vector<std::int32_t>{2}));
}

// method section 2: both forms must give the same answer when K = p - 1.
class AllNeighbors : public testing::TestWithParam<Kernel> {};

TEST_P(AllNeighbors, IsTheDenseGraph) {
  constexpr Index p = 120;
  const Dataset data = make_dataset("A", grouped_values(80, p, {{0, 20}, {30, 15}}, 6, 0.7));
  GraphOptions options;
  options.kernel = GetParam();
  options.form = GraphForm::dense;
  const FeatureGraph dense = build_graph(data, all_of(p), options, Context());
  options.form = GraphForm::knn;
  options.knn = p - 1;
  const FeatureGraph sparse = build_graph(data, all_of(p), options, Context());
  EXPECT_NEAR(sparse.uniform_weight, dense.uniform_weight, 1e-12);
  double worst = 0;
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < p; ++i) worst = std::max(worst, std::abs(sparse.weights(i, j) - dense.weights(i, j)));
  }
  EXPECT_LT(worst, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Kernels, AllNeighbors,
                         testing::Values(Kernel::association, Kernel::self_tuning, Kernel::adaptive, Kernel::rbf));

TEST(NeighborGraph, IsSymmetricAndHoldsTheNearest) {
  constexpr Index p = 200;
  const Dataset data = make_dataset("A", grouped_values(60, p, {{0, 30}}, 7));
  GraphOptions options;
  options.form = GraphForm::knn;
  options.knn = 7;
  options.bandwidth_neighbors = 5;
  options.kernel = Kernel::self_tuning;
  const FeatureGraph graph = build_graph(data, all_of(p), options, Context());
  Index stored = 0;
  for (Index j = 0; j < p; ++j) {
    Index in_row = 0;
    for (Index i = 0; i < p; ++i) {
      EXPECT_EQ(graph.weights(i, j), graph.weights(j, i));
      in_row += i != j && graph.weights(i, j) > 0 ? 1 : 0;
    }
    EXPECT_GE(in_row, 7);
    stored += in_row;
  }
  EXPECT_LE(stored, 2 * 7 * p);
}

TEST(NeighborGraph, TooFewNearestForTheBandwidthIsAnError) {
  const Dataset data = make_dataset("A", normal_values(20, 50, 8));
  GraphOptions options;
  options.form = GraphForm::knn;
  options.kernel = Kernel::adaptive;
  options.bandwidth_neighbors = 9;
  options.knn = 5;
  EXPECT_THROW(build_graph(data, all_of(50), options, Context()), OptionError);
}

}  // namespace
}  // namespace disc
