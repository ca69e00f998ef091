#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "disc/groups.hpp"
#include "groups/silhouette.hpp"

namespace disc {
namespace {

Context context_with(int threads, std::uint64_t seed = 7) {
  Context::Settings settings;
  settings.threads = threads;
  settings.seed = seed;
  return Context(settings);
}

/// `sizes[c]` points about centers that are `distance` apart, unit spread.
Matrix blobs(const std::vector<Index>& sizes, Index dimensions, double distance, std::uint64_t seed,
             std::vector<Index>* truth = nullptr) {
  std::mt19937_64 random = random_stream(seed, "test");
  std::normal_distribution<double> normal;
  Matrix points(std::accumulate(sizes.begin(), sizes.end(), Index{0}), dimensions);
  Index row = 0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    for (Index i = 0; i < sizes[c]; ++i, ++row) {
      for (Index d = 0; d < dimensions; ++d) points(row, d) = normal(random);
      points(row, static_cast<Index>(c) % dimensions) +=
          distance * (1 + static_cast<double>(static_cast<Index>(c) / dimensions));
      if (truth) truth->push_back(static_cast<Index>(c));
    }
  }
  return points;
}

double inertia_by_definition(const Matrix& points, const KMeansResult& result) {
  double sum = 0;
  for (Index i = 0; i < points.rows(); ++i) {
    sum += (points.row(i) - result.centers.row(result.labels[static_cast<std::size_t>(i)])).squaredNorm();
  }
  return sum;
}

TEST(KMeans, FindsSeparatedBlobs) {
  std::vector<Index> truth;
  const Matrix points = blobs({300, 25, 25, 10, 40}, 4, 20, 1, &truth);
  const KMeansResult result = kmeans(points, 5, 20, context_with(2));
  EXPECT_EQ(result.labels, truth);  // truth is numbered by first occurrence, too
  EXPECT_NEAR(result.inertia, inertia_by_definition(points, result), 1e-9 * result.inertia);
}

TEST(KMeans, IsAFixedPointOfLloyd) {
  const Matrix points = blobs({200, 200}, 3, 2, 2);
  const KMeansResult result = kmeans(points, 6, 10, context_with(2));
  ASSERT_EQ(result.centers.rows(), 6);
  Matrix sums = Matrix::Zero(6, 3);
  Vector sizes = Vector::Zero(6);
  for (Index i = 0; i < points.rows(); ++i) {
    Index nearest = 0;
    (result.centers.rowwise() - points.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
    EXPECT_EQ(result.labels[static_cast<std::size_t>(i)], nearest);
    sums.row(nearest) += points.row(i);
    sizes[nearest] += 1;
  }
  for (Index c = 0; c < 6; ++c) EXPECT_LT((sums.row(c) / sizes[c] - result.centers.row(c)).norm(), 1e-12);
}

TEST(KMeans, SameBitsForAnyNumberOfThreads) {
  const Matrix points = blobs({5000, 300, 300}, 5, 3, 3);
  const KMeansResult one = kmeans(points, 7, 6, context_with(1));
  const KMeansResult four = kmeans(points, 7, 6, context_with(4));
  EXPECT_EQ(one.labels, four.labels);
  EXPECT_EQ(one.inertia, four.inertia);
  EXPECT_TRUE(one.centers == four.centers);
}

TEST(KMeans, MoreRestartsAreNeverWorse) {
  const Matrix points = blobs({50, 50, 50, 50, 50, 50, 50, 50}, 2, 6, 4);
  double before = std::numeric_limits<double>::infinity();
  for (const Index restarts : {1, 2, 5, 20}) {
    const double inertia = kmeans(points, 8, restarts, context_with(2)).inertia;
    EXPECT_LE(inertia, before);
    before = inertia;
  }
}

TEST(KMeans, PermutedPointsGiveThePermutedPartition) {
  const Matrix points = blobs({400, 20, 20, 20}, 3, 15, 5);
  std::vector<Index> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::uint64_t shuffle = 0; shuffle < 5; ++shuffle) {
    std::mt19937_64 random = random_stream(shuffle, "shuffle");
    std::shuffle(order.begin(), order.end(), random);
    const KMeansResult plain = kmeans(points, 4, 20, context_with(2));
    const KMeansResult permuted = kmeans(Matrix(points(order, Eigen::all)), 4, 20, context_with(2));
    std::vector<Index> expected;
    for (const Index i : order) expected.push_back(plain.labels[static_cast<std::size_t>(i)]);
    EXPECT_DOUBLE_EQ(adjusted_rand_index(expected, permuted.labels), 1.0);
  }
}

TEST(KMeans, AnOffsetDoesNotMatter) {
  const Matrix points = blobs({100, 30, 30}, 3, 5, 6);
  const Matrix moved = points.array() + 1e6;
  EXPECT_EQ(kmeans(points, 3, 10, context_with(1)).labels, kmeans(moved, 3, 10, context_with(1)).labels);
}

TEST(KMeans, OneClusterIsTheMean) {
  const Matrix points = blobs({20}, 3, 1, 7);
  const KMeansResult result = kmeans(points, 1, 1, context_with(1));
  EXPECT_LT((result.centers.row(0) - points.colwise().mean()).norm(), 1e-13);
}

TEST(KMeans, EveryPointItsOwnCluster) {
  const Matrix points = blobs({12}, 2, 1, 8);
  const KMeansResult result = kmeans(points, 12, 3, context_with(1));
  EXPECT_EQ(std::set<Index>(result.labels.begin(), result.labels.end()).size(), 12u);
  EXPECT_NEAR(result.inertia, 0, 1e-25);
}

TEST(KMeans, FewerDistinctPointsThanClusters) {
  Matrix points(9, 2);
  for (Index i = 0; i < 9; ++i) points.row(i) << static_cast<double>(i % 3), 0.5;
  const KMeansResult result = kmeans(points, 5, 4, context_with(2));
  EXPECT_EQ(result.centers.rows(), 3);
  EXPECT_EQ(result.labels, (std::vector<Index>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
  const KMeansResult equal = kmeans(Matrix::Constant(4, 3, 2.5), 3, 2, context_with(1));
  EXPECT_EQ(equal.centers.rows(), 1);
  EXPECT_EQ(equal.inertia, 0);
}

TEST(KMeans, RefusesWhatCannotBe) {
  const Matrix points = blobs({5}, 2, 1, 9);
  EXPECT_THROW(kmeans(points, 0, 1, context_with(1)), OptionError);
  EXPECT_THROW(kmeans(points, 6, 1, context_with(1)), OptionError);
  EXPECT_THROW(kmeans(points, 2, 0, context_with(1)), OptionError);
  Matrix bad = points;
  bad(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(kmeans(bad, 2, 1, context_with(1)), InputError);
}

TEST(Silhouette, HandComputed) {
  // Points 0, 1 | 5, 6 on a line: s = (5.5 - 1) / 5.5, (4.5 - 1) / 4.5 and their mirror images.
  Matrix points(4, 1);
  points << 0, 1, 5, 6;
  const std::vector<Index> labels{0, 0, 1, 1};
  EXPECT_NEAR(mean_silhouette(points, labels, 2, context_with(1)), (4.5 / 5.5 + 3.5 / 4.5) / 2, 1e-14);
  // A cluster of one counts 0.
  const std::vector<Index> single{0, 0, 0, 1};
  const double first = (6 - 3.0) / 6;
  const double second = (5 - 2.5) / 5;
  const double third = (1 - 4.5) / 4.5;
  EXPECT_NEAR(mean_silhouette(points, single, 2, context_with(1)), (first + second + third) / 3 / 2, 1e-14);
}

TEST(Silhouette, SampleIsCloseAndRepeatable) {
  std::vector<Index> truth;
  const Matrix large = blobs({6000, 400, 30}, 3, 6, 10, &truth);
  const double sampled = mean_silhouette(large, truth, 3, context_with(1));
  EXPECT_EQ(sampled, mean_silhouette(large, truth, 3, context_with(4)));
  std::vector<Index> small_truth;
  const Matrix small = blobs({1500, 400, 30}, 3, 6, 10, &small_truth);
  EXPECT_NEAR(sampled, mean_silhouette(small, small_truth, 3, context_with(1)), 0.05);
}

}  // namespace
}  // namespace disc
