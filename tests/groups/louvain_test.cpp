#include "groups/louvain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "disc/groups.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

SparseMatrix sparse(const Matrix& weights) { return weights.sparseView(); }

void connect(Matrix& weights, Index i, Index j, double weight) { weights(i, j) = weights(j, i) = weight; }

void add_clique(Matrix& weights, Index first, Index size, double weight = 1.0) {
  for (Index j = first; j < first + size; ++j) {
    for (Index i = first; i < j; ++i) connect(weights, i, j, weight);
  }
}

// Newman's modularity by its definition.
double modularity(const Matrix& weights, const std::vector<Index>& labels) {
  const Vector degree = weights.rowwise().sum();
  const double total = degree.sum();
  double sum = 0;
  for (Index j = 0; j < weights.cols(); ++j) {
    for (Index i = 0; i < weights.rows(); ++i) {
      if (labels[at(i)] == labels[at(j)]) sum += weights(i, j) - degree[i] * degree[j] / total;
    }
  }
  return sum / total;
}

Matrix ring_of_cliques(Index cliques, Index size) {
  Matrix weights = Matrix::Zero(cliques * size, cliques * size);
  for (Index c = 0; c < cliques; ++c) {
    add_clique(weights, c * size, size);
    connect(weights, c * size, ((c + 1) % cliques) * size + 1, 1.0);
  }
  return weights;
}

std::vector<Index> equal_groups(Index count, Index size) {
  std::vector<Index> labels;
  for (Index i = 0; i < count * size; ++i) labels.push_back(i / size);
  return labels;
}

// Four groups of 30; an edge inside with probability 0.5, across with 0.05.
Matrix planted_partition(std::uint64_t seed) {
  std::mt19937_64 random = random_stream(seed, "test/planted");
  std::uniform_real_distribution<double> uniform;
  Matrix weights = Matrix::Zero(120, 120);
  for (Index j = 0; j < 120; ++j) {
    for (Index i = 0; i < j; ++i) {
      if (uniform(random) < (i / 30 == j / 30 ? 0.5 : 0.05)) connect(weights, i, j, 0.2 + uniform(random));
    }
  }
  return weights;
}

TEST(Louvain, SeparatesTwoCliquesJoinedByAWeakEdge) {
  Matrix weights = Matrix::Zero(11, 11);
  add_clique(weights, 0, 5);
  add_clique(weights, 5, 6);
  connect(weights, 4, 5, 0.1);
  EXPECT_EQ(louvain(sparse(weights)), (std::vector<Index>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
}

TEST(Louvain, NumbersLabelsByFirstNode) {
  Matrix weights = Matrix::Zero(6, 6);
  connect(weights, 0, 5, 1.0);
  connect(weights, 1, 4, 1.0);
  connect(weights, 2, 3, 1.0);
  EXPECT_EQ(louvain(sparse(weights)), (std::vector<Index>{0, 1, 2, 2, 1, 0}));
}

TEST(Louvain, FindsAPlantedPartition) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    EXPECT_EQ(louvain(sparse(planted_partition(seed))), equal_groups(4, 30)) << "seed " << seed;
  }
}

TEST(Louvain, FindsTheCliquesOfARing) { EXPECT_EQ(louvain(sparse(ring_of_cliques(12, 5))), equal_groups(12, 5)); }

// Beyond the resolution limit two cliques together have a larger modularity than each alone.
TEST(Louvain, IsNoWorseThanTheCliquesOfALongRingAndTearsNoneApart) {
  const Matrix weights = ring_of_cliques(40, 5);
  const std::vector<Index> labels = louvain(sparse(weights));
  EXPECT_GE(modularity(weights, labels), modularity(weights, equal_groups(40, 5)) - 1e-12);
  for (Index i = 0; i < 200; ++i) EXPECT_EQ(labels[at(i)], labels[at(i - i % 5)]);
}

TEST(Louvain, NeverGainsByMovingOneNode) {
  Matrix weights = planted_partition(4);
  weights = 0.5 * weights + 0.5 * planted_partition(5);
  connect(weights, 3, 77, 2.0);
  const std::vector<Index> labels = louvain(sparse(weights));
  const double reached = modularity(weights, labels);
  EXPECT_GT(reached, modularity(weights, std::vector<Index>(120, 0)));
  const std::set<Index> communities(labels.begin(), labels.end());
  // The definition of a local optimum holds for the last level, whose nodes are whole communities.
  for (const Index a : communities) {
    for (const Index b : communities) {
      std::vector<Index> merged = labels;
      std::replace(merged.begin(), merged.end(), a, b);
      EXPECT_LE(modularity(weights, merged), reached + 1e-12);
    }
  }
}

// Who met whom in Zachary's karate club (1977). The largest modularity there is 0.4198, found by going through all divisions; igraph's
// multilevel gives 0.392 to 0.4198, depending on the order of its moves.
TEST(Louvain, OfTheKarateClubIsNearTheLargestThereIs) {
  const std::vector<std::pair<Index, Index>> met{
      {0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 10},  {0, 11},
      {0, 12},  {0, 13},  {0, 17},  {0, 19},  {0, 21},  {0, 31},  {1, 2},   {1, 3},   {1, 7},   {1, 13},
      {1, 17},  {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 27},  {2, 28},  {2, 32},  {2, 9},
      {2, 8},   {2, 13},  {3, 7},   {3, 12},  {3, 13},  {4, 6},   {4, 10},  {5, 6},   {5, 10},  {5, 16},
      {6, 16},  {8, 30},  {8, 32},  {8, 33},  {9, 33},  {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33},
      {18, 32}, {18, 33}, {19, 33}, {20, 32}, {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 32},
      {23, 33}, {23, 29}, {24, 25}, {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31},
      {28, 33}, {29, 32}, {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33}};
  Matrix weights = Matrix::Zero(34, 34);
  for (const auto& [i, j] : met) connect(weights, i, j, 1.0);
  const double found = modularity(weights, louvain(sparse(weights)));
  EXPECT_GT(found, 0.415);
  EXPECT_LT(found, 0.4197897);
}

TEST(Louvain, LeavesNodesWithoutEdgesAlone) {
  EXPECT_EQ(louvain(SparseMatrix(4, 4)), (std::vector<Index>{0, 1, 2, 3}));
  Matrix weights = Matrix::Zero(5, 5);
  connect(weights, 1, 3, 0.5);
  EXPECT_EQ(louvain(sparse(weights)), (std::vector<Index>{0, 1, 2, 1, 3}));
}

TEST(Louvain, TakesNoNodeAndASingleNode) {
  EXPECT_TRUE(louvain(SparseMatrix(0, 0)).empty());
  EXPECT_EQ(louvain(SparseMatrix(1, 1)), (std::vector<Index>{0}));
}

TEST(Louvain, DoesNotDependOnTheUnitOfTheWeights) {
  const Matrix weights = planted_partition(6);
  for (const double scale : {1e-6, 1e6}) EXPECT_EQ(louvain(sparse(scale * weights)), louvain(sparse(weights)));
}

TEST(Louvain, DoesNotDependOnTheOrderOfTheNodesOfAClearGraph) {
  std::vector<Index> order(120);
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 random = random_stream(7, "test/order");
  for (const Matrix& weights : {planted_partition(7), ring_of_cliques(12, 10)}) {
    const std::vector<Index> expected = louvain(sparse(weights));
    for (int round = 0; round < 5; ++round) {
      std::shuffle(order.begin(), order.end(), random);
      const std::vector<Index> found = louvain(sparse(weights(order, order)));
      std::vector<Index> in_order(120);
      for (std::size_t i = 0; i < 120; ++i) in_order[i] = expected[at(order[i])];
      EXPECT_DOUBLE_EQ(adjusted_rand_index(found, in_order), 1.0);
    }
  }
}

}  // namespace
}  // namespace disc
