#include <gtest/gtest.h>

#include <cmath>

#include "disc/graph.hpp"
#include "graph/selection.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

// The definitions of method (1), slowly.
double slow_distance(const RowMatrix& x, Index i, Index j, Distance distance) {
  const auto ranks = [](const Vector& column) {
    Vector result(column.size());
    for (Index a = 0; a < column.size(); ++a) {
      result[a] =
          (column.array() < column[a]).count() + 0.5 * static_cast<double>((column.array() == column[a]).count());
    }
    return result;
  };
  Vector a = x.col(i);
  Vector b = x.col(j);
  if (distance == Distance::euclidean) return (a - b).norm();
  if (distance == Distance::spearman) {
    a = ranks(a);
    b = ranks(b);
  }
  if (distance != Distance::cosine) {
    a.array() -= a.mean();
    b.array() -= b.mean();
  }
  double r = a.dot(b) / (a.norm() * b.norm());
  if (distance == Distance::abs_correlation) r = std::abs(r);
  return std::sqrt(2.0 * std::max(0.0, 1.0 - r));
}

class DistanceTest : public testing::TestWithParam<Distance> {};

TEST_P(DistanceTest, IsItsDefinition) {
  RowMatrix x = grouped_values(150, 30, {{0, 10}}, 3);
  x.col(4) *= 50.0;
  x.col(7) = -x.col(8);
  x.row(3).array() = x.row(3).array().round();
  const Matrix found = pair_distances(make_dataset("A", x), all_of(30), GetParam(), Context());
  for (Index i = 0; i < 30; ++i) {
    EXPECT_EQ(found(i, i), 0.0);
    for (Index j = 0; j < 30; ++j) {
      if (i == j) continue;
      EXPECT_NEAR(found(i, j), slow_distance(x, i, j, GetParam()), 2e-8 + 1e-9 * found(i, j)) << i << ", " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DistanceTest,
                         testing::Values(Distance::euclidean, Distance::correlation, Distance::abs_correlation,
                                         Distance::spearman, Distance::cosine));

// Features far from zero and nearly equal: the Gram form alone would have no digit left.
TEST(Distances, KeepTheirDigitsForTwinsAndOffsets) {
  RowMatrix x = normal_values(300, 20, 5);
  x = (0.01 * x).array() + 1000.0;
  x.col(1) = x.col(0) + 1e-9 * normal_values(300, 1, 6);
  const Matrix found = pair_distances(make_dataset("A", x), all_of(20), Distance::euclidean, Context());
  for (Index i = 0; i < 20; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double exact = (x.col(i) - x.col(j)).norm();
      EXPECT_NEAR(found(i, j), exact, 1e-9 * exact) << i << ", " << j;
    }
  }
}

TEST(Distances, SinglePrecisionIsAccurateForClosePairsToo) {
  RowMatrix x = normal_values(3000, 300, 7);
  x.col(1) = x.col(0) + 1e-4 * normal_values(3000, 1, 8);
  GraphOptions options;
  options.kernel = Kernel::rbf;
  options.bandwidth = 1.0;
  options.precision = Precision::single;
  x *= 0.01;
  const auto data = make_dataset("A", x);
  const FeatureGraph single = build_graph(data, all_of(300), options, Context());
  options.precision = Precision::full;
  const FeatureGraph full = build_graph(data, all_of(300), options, Context());
  double worst = 0;
  for (Index j = 0; j < 300; ++j) {
    for (Index i = 0; i < 300; ++i) worst = std::max(worst, std::abs(single.weights(i, j) - full.weights(i, j)));
  }
  EXPECT_LT(worst, 1e-6);
  EXPECT_GE(single.recomputed_pairs, 1);
}

TEST(Bandwidth, IsTheDistanceToTheKthNearestOther) {
  const RowMatrix x = normal_values(50, 40, 9);
  const Matrix distances = pair_distances(make_dataset("A", x), all_of(40), Distance::euclidean, Context());
  for (const Index k : {1, 5, 39}) {
    GraphOptions options;
    options.kernel = Kernel::self_tuning;
    options.bandwidth_neighbors = k;
    const FeatureGraph graph = build_graph(make_dataset("A", x), all_of(40), options, Context());
    for (Index i = 0; i < 40; ++i) {
      Vector row = distances.col(i);
      std::sort(row.begin(), row.end());
      EXPECT_NEAR(graph.bandwidths[i], row[k], 1e-12);
    }
  }
}

TEST(Selection, KthSmallestAndMedianMatchSorting) {
  std::vector<double> scratch;
  Vector values = normal_values(5000, 1, 10).cwiseAbs();
  values.head(100).setConstant(values[0]);
  for (const Index k : {1, 7, 100, 2500, 4999}) {
    Vector others(4999);
    others << values.head(17), values.tail(4982);
    std::sort(others.begin(), others.end());
    EXPECT_EQ(kth_smallest(values.data(), 5000, 17, k, scratch), others[k - 1]);
  }
  const Matrix square = normal_values(31, 31, 11).cwiseAbs();
  std::vector<double> below;
  for (Index j = 0; j < 31; ++j) {
    for (Index i = j + 1; i < 31; ++i) below.push_back(square(i, j));
  }
  std::sort(below.begin(), below.end());
  EXPECT_EQ(median_below_diagonal(square), below[(below.size() - 1) / 2]);
}

// The definitions of method (2), slowly.
TEST(Kernels, AreTheirDefinitions) {
  const RowMatrix x = grouped_values(100, 130, {{0, 20}}, 12);
  const auto data = make_dataset("A", x);
  const Matrix d = pair_distances(data, all_of(130), Distance::euclidean, Context());
  const Matrix c = pair_distances(data, all_of(130), Distance::correlation, Context());
  GraphOptions options;
  options.bandwidth_neighbors = 7;
  options.scores = Scores::values;
  const auto graph = [&](Kernel kernel) {
    options.kernel = kernel;
    return build_graph(data, all_of(130), options, Context());
  };
  const FeatureGraph self = graph(Kernel::self_tuning);
  const FeatureGraph adaptive = graph(Kernel::adaptive);
  const FeatureGraph rbf = graph(Kernel::rbf);
  const FeatureGraph association = graph(Kernel::association);
  const Vector s = self.bandwidths;
  const double e = *rbf.used.bandwidth;
  for (Index i = 0; i < 130; ++i) {
    EXPECT_EQ(self.weights(i, i), 1.0);
    EXPECT_EQ(association.weights(i, i), 0.0);
    for (Index j = 0; j < 130; ++j) {
      if (i == j) continue;
      const double d2 = d(i, j) * d(i, j);
      EXPECT_NEAR(self.weights(i, j), std::exp(-d2 / (s[i] * s[j])), 1e-13);
      EXPECT_NEAR(adaptive.weights(i, j), 0.5 * (std::exp(-d2 / (s[i] * s[i])) + std::exp(-d2 / (s[j] * s[j]))), 1e-13);
      EXPECT_NEAR(rbf.weights(i, j), std::exp(-d2 / (e * e)), 1e-13);
      const double r = 1.0 - 0.5 * c(i, j) * c(i, j);
      EXPECT_NEAR(association.weights(i, j), std::max(0.0, r - 1.5 / 10.0), 1e-13);
    }
  }
}

TEST(Kernels, FalseDiscoveryCutKeepsGroupsAndDropsNoise) {
  GraphOptions options;
  options.kernel = Kernel::association;
  options.association_cut = AssociationCut::fdr;
  const auto data = make_dataset("A", grouped_values(200, 200, {{0, 20}}, 13));
  const FeatureGraph graph = build_graph(data, all_of(200), options, Context());
  Index kept = 0;
  for (Index j = 0; j < 200; ++j) {
    for (Index i = j + 1; i < 200; ++i) {
      if (i < 20) {
        EXPECT_GT(graph.weights(i, j), 0.3);
      } else if (graph.weights(i, j) > 0) {
        ++kept;
      }
    }
  }
  EXPECT_LE(kept, 40);  // 190 true edges; 5 % false ones would be 10
}

TEST(Kernels, DuplicatesGetTheSmallestPositiveBandwidth) {
  RowMatrix x = normal_values(60, 80, 14);
  for (Index j = 1; j < 20; ++j) x.col(j) = x.col(0);
  GraphOptions options;
  options.kernel = Kernel::self_tuning;
  options.bandwidth_neighbors = 6;
  const FeatureGraph graph = build_graph(make_dataset("A", x), all_of(80), options, Context());
  EXPECT_EQ(graph.duplicates, 20);
  EXPECT_EQ(graph.bandwidths[3], graph.bandwidths.minCoeff());
  EXPECT_GT(graph.bandwidths.minCoeff(), 0.0);
  EXPECT_EQ(graph.weights(3, 4), 1.0);
  EXPECT_TRUE(std::isfinite(graph.weights(3, 50)));
}

TEST(Walk, RowsOfTheWalkSumToOne) {
  for (const double exponent : {0.0, 0.5, 1.0}) {
    for (const double regularization : {0.0, 1.0}) {
      GraphOptions options;
      options.density_exponent = exponent;
      options.degree_regularization = regularization;
      const auto data = make_dataset("A", normal_values(50, 70, 15));
      FeatureGraph graph = build_graph(data, all_of(70), options, Context());
      Matrix w(70, 70);
      for (Index j = 0; j < 70; ++j) {
        for (Index i = 0; i < 70; ++i) w(i, j) = graph.weights(i, j) + graph.uniform_weight;
      }
      const double mean_degree = (w.sum() - 70.0 * 70.0 * graph.uniform_weight) / 70.0;
      EXPECT_NEAR(graph.uniform_weight, regularization * mean_degree / 70.0, 1e-12);
      const RandomWalk walk = make_walk(std::move(graph), Context());
      for (Index i = 0; i < 70; ++i) {
        EXPECT_NEAR(walk.degrees[i], w.row(i).sum(), 1e-10);
        double row = 0;
        for (Index j = 0; j < 70; ++j) {
          const double s = walk.conjugate(i, j) + walk.uniform_weight / std::sqrt(walk.degrees[i] * walk.degrees[j]);
          row += s * std::sqrt(walk.degrees[j] / walk.degrees[i]);
        }
        EXPECT_NEAR(row, 1.0, 1e-12);
      }
    }
  }
}

TEST(Graph, IsTheSameBitsForAnyNumberOfThreadsAndForSparseInput) {
  const RowMatrix x = grouped_values(1500, 600, {{0, 50}}, 16);
  GraphOptions options;
  const FeatureGraph one = build_graph(make_dataset("A", x), all_of(600), options, threads(1));
  Dataset sparse = make_dataset("A", x);
  sparse.values = SampleMatrix(SparseMatrix(x.sparseView()));
  for (const FeatureGraph& other : {build_graph(make_dataset("A", x), all_of(600), options, threads(4)),
                                    build_graph(sparse, all_of(600), options, threads(2))}) {
    bool same = true;
    for (Index j = 0; j < 600; ++j) {
      for (Index i = 0; i < 600; ++i) same &= one.weights(i, j) == other.weights(i, j);
    }
    EXPECT_TRUE(same);
  }
}

TEST(Graph, RefusesOptionsOutOfRange) {
  const auto data = make_dataset("A", normal_values(10, 5, 17));
  GraphOptions options;
  options.bandwidth_neighbors = 5;
  EXPECT_THROW(build_graph(data, all_of(5), options, Context()), OptionError);
  options.bandwidth_neighbors = 0;
  EXPECT_THROW(build_graph(data, all_of(5), options, Context()), OptionError);
  options = {};
  options.kernel = Kernel::association;
  options.distance = Distance::euclidean;
  EXPECT_THROW(build_graph(data, all_of(5), options, Context()), OptionError);
}

TEST(Graph, PrecomputedWeightsMustBeSquareSymmetricAndNotNegative) {
  GraphOptions options;
  options.kernel = Kernel::precomputed;
  RowMatrix w = RowMatrix::Constant(4, 4, 0.5);
  const FeatureGraph graph = build_graph(make_dataset("A", w), all_of(4), options, Context());
  EXPECT_EQ(graph.weights(0, 3), 0.5);
  w(1, 2) = 0.7;
  EXPECT_THROW(build_graph(make_dataset("A", w), all_of(4), options, Context()), InputError);
  w(1, 2) = w(2, 1) = -0.1;
  EXPECT_THROW(build_graph(make_dataset("A", w), all_of(4), options, Context()), InputError);
  EXPECT_THROW(build_graph(make_dataset("A", RowMatrix::Ones(3, 4)), all_of(4), options, Context()), InputError);
}

}  // namespace
}  // namespace disc
