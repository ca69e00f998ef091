// Graphs, components and bases of which each process has its own rows: threads take the place of the processes.
#include <gtest/gtest.h>

#include "disc/differential.hpp"
#include "graph/nearest_features.hpp"
#include "graph/neighbor_graph.hpp"
#include "matrix/checkpoint.hpp"
#include "support/graphs.hpp"
#include "support/thread_team.hpp"

namespace disc {
namespace {

using namespace testing_support;
using test::work_together;

constexpr Index p = 150;

Dataset some_data() { return make_dataset("A", grouped_values(60, p, {{0, 20}, {30, 15}, {90, 25}}, 6, 0.7)); }

std::vector<Index> own_columns(const Partition& partition) {
  std::vector<Index> columns(static_cast<std::size_t>(partition.count));
  std::iota(columns.begin(), columns.end(), partition.first);
  return columns;
}

// Rows of the own features, all columns.
Matrix own_rows(const SymmetricMatrix& matrix) {
  return matrix.visit([](const auto& values) -> Matrix {
    if constexpr (std::is_same_v<std::decay_t<decltype(values)>, SparseMatrix>)
      return Matrix(values);
    else
      return Matrix(values.template cast<double>().transpose());
  });
}

struct Case {
  Kernel kernel;
  GraphForm form;
  Distance distance;
  int processes;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << "kernel " << static_cast<int>(c.kernel) << ", form " << static_cast<int>(c.form) << ", distance "
       << static_cast<int>(c.distance) << ", processes " << c.processes;
}

class DividedGraph : public testing::TestWithParam<Case> {};

TEST_P(DividedGraph, HasTheRowsOfTheWholeOne) {
  const Case& c = GetParam();
  const Dataset data = some_data();
  GraphOptions options;
  options.kernel = c.kernel;
  options.form = c.form;
  options.distance = c.distance;
  if (c.form == GraphForm::knn) options.knn = 9;
  const FeatureGraph whole = build_graph(data, all_of(p), options, Context());
  const Matrix expected = own_rows(whole.weights);
  const RandomWalk walk = make_walk(build_graph(data, all_of(p), options, Context()), Context());
  work_together(c.processes, [&](const Context& context) {
    const Partition partition = context.team().even_partition(p);
    const std::vector<Index> columns = c.form == GraphForm::knn ? own_columns(partition) : all_of(p);
    FeatureGraph graph = build_graph(data, columns, options, context);
    EXPECT_EQ(graph.weights.size(), p);
    const Matrix rows = own_rows(graph.weights);
    ASSERT_EQ(rows.rows(), partition.count);
    EXPECT_LT((rows - expected.middleRows(partition.first, partition.count)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(graph.uniform_weight, whole.uniform_weight, 1e-15);
    EXPECT_EQ(graph.duplicates, whole.duplicates);
    if (whole.used.bandwidth) {
      EXPECT_NEAR(*graph.used.bandwidth, *whole.used.bandwidth, 1e-12);
    }
    const RandomWalk own = make_walk(std::move(graph), context);
    EXPECT_EQ(own.size(), p);
    EXPECT_LT((own.degrees - walk.degrees.segment(partition.first, partition.count)).cwiseAbs().maxCoeff(), 1e-11);
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, DividedGraph,
                         testing::Values(Case{Kernel::association, GraphForm::knn, Distance::normal_scores, 3},
                                         Case{Kernel::association, GraphForm::dense, Distance::correlation, 2},
                                         Case{Kernel::self_tuning, GraphForm::knn, Distance::euclidean, 2},
                                         Case{Kernel::self_tuning, GraphForm::dense, Distance::euclidean, 4},
                                         Case{Kernel::adaptive, GraphForm::knn, Distance::abs_correlation, 4},
                                         Case{Kernel::adaptive, GraphForm::dense, Distance::cosine, 3},
                                         Case{Kernel::rbf, GraphForm::knn, Distance::euclidean, 3},
                                         Case{Kernel::rbf, GraphForm::dense, Distance::euclidean, 2}));

TEST(DividedGraph, TheFalseDiscoveryCutCountsPairsOfAllProcesses) {
  const Dataset data = some_data();
  GraphOptions options;
  options.form = GraphForm::dense;
  options.association_cut = AssociationCut::fdr;
  const Matrix expected = own_rows(build_graph(data, all_of(p), options, Context()).weights);
  work_together(3, [&](const Context& context) {
    const Partition partition = context.team().even_partition(p);
    const Matrix rows = own_rows(build_graph(data, all_of(p), options, context).weights);
    EXPECT_LT((rows - expected.middleRows(partition.first, partition.count)).cwiseAbs().maxCoeff(), 1e-12);
  });
}

// An offset that all features share costs digits unless all processes subtract the same.
TEST(DividedGraph, SubtractsWhatTheFeaturesOfAllProcessesShare) {
  RowMatrix values = grouped_values(50, p, {{0, 20}}, 3);
  values.array().colwise() += 1e5 * normal_values(50, 1, 4).col(0).array();
  const Dataset data = make_dataset("A", values);
  const PreparedColumns whole(data, all_of(p), Distance::euclidean, Context());
  MatrixF expected(50, p);
  whole.fill_points(expected, 0, Context());
  EXPECT_LT(expected.cwiseAbs().maxCoeff(), 100);
  work_together(3, [&](const Context& context) {
    const Partition partition = context.team().even_partition(p);
    const PreparedColumns own(data, own_columns(partition), Distance::euclidean, context);
    MatrixF points(50, partition.count);
    own.fill_points(points, 0, context);
    EXPECT_LT((points - expected.middleCols(partition.first, partition.count)).cwiseAbs().maxCoeff(), 1e-4F);
  });
}

// Clusters of some hundred features each, so that there are cells enough to leave some out.
FeaturePoints clusters_of_points(Index features) {
  const MatrixF centers = normal_values(8, 40, 1).cast<float>();
  const MatrixF noise = normal_values(8, features, 2).cast<float>();
  FeaturePoints points{MatrixF(8, features)};
  for (Index j = 0; j < features; ++j) points.values.col(j) = centers.col((j * 7) % 40) + 0.3F * noise.col(j);
  return points;
}

TEST(DividedSearch, FindsWhatOneProcessFinds) {
  constexpr Index features = 6000;
  const FeaturePoints points = clusters_of_points(features);
  const NearestFeatures truth = nearest_by_comparison(points, 8, Context());
  for (const int processes : {2, 3}) {
    Index hits = 0;
    std::mutex mutex;
    work_together(processes, [&](const Context& context) {
      const Partition partition = context.team().even_partition(features);
      const FeaturePoints own{points.values.middleCols(partition.first, partition.count)};
      const NearestFeatures compared = nearest_by_comparison(own, 8, context);
      const auto first = truth.of.begin() + partition.first * 8;
      EXPECT_EQ(compared.of, std::vector<std::int32_t>(first, first + partition.count * 8));
      const NearestFeatures found = nearest_by_cells(own, 8, 0.97, context);
      ASSERT_EQ(found.features, partition.count);
      EXPECT_FALSE(found.exact);
      EXPECT_GE(found.recall, 0.97);
      const std::lock_guard lock(mutex);
      for (Index j = 0; j < partition.count; ++j) {
        const std::span<const std::int32_t> row = found.row(j);
        const std::span<const std::int32_t> true_row = truth.row(partition.first + j);
        hits +=
            std::ranges::count_if(true_row, [&](Index other) { return std::ranges::find(row, other) != row.end(); });
      }
    });
    EXPECT_GE(static_cast<double>(hits), 0.95 * 8 * features) << processes << " processes";
  }
}

TEST(DividedSearch, ComparesWithAllWhereMostCellsAreWanted) {
  constexpr Index features = 6000;
  const FeaturePoints noise{normal_values(40, features, 3).cast<float>()};
  const NearestFeatures truth = nearest_by_comparison(noise, 6, Context());
  work_together(2, [&](const Context& context) {
    const Partition partition = context.team().even_partition(features);
    const FeaturePoints own{noise.values.middleCols(partition.first, partition.count)};
    const NearestFeatures found = nearest_by_cells(own, 6, 0.99, context);
    EXPECT_TRUE(found.exact);
    const auto first = truth.of.begin() + partition.first * 6;
    EXPECT_EQ(found.of, std::vector<std::int32_t>(first, first + partition.count * 6));
  });
}

// Chains of features of which no process sees more than a part.
SparseMatrix chains(Index features, Index count) {
  Matrix weights = Matrix::Identity(features, features);
  for (Index j = 0; j + count < features; ++j) weights(j, j + count) = weights(j + count, j) = 1;
  return weights.sparseView();
}

TEST(DividedComponents, AreThoseOfTheWholeGraph) {
  for (const Index count : {1, 7}) {
    FeatureGraph graph;
    graph.weights = SymmetricMatrix(chains(p, count));
    const RandomWalk whole = make_walk(std::move(graph), Context());
    const Components expected = find_components(whole, Context());
    EXPECT_EQ(expected.count, count);
    work_together(3, [&](const Context& context) {
      const Partition partition = context.team().even_partition(p);
      FeatureGraph own;
      own.weights = SymmetricMatrix(SparseMatrix(chains(p, count).middleRows(partition.first, partition.count)));
      const Components found = find_components(make_walk(std::move(own), context), context);
      EXPECT_EQ(found.count, expected.count);
      const auto first = expected.labels.begin() + partition.first;
      EXPECT_EQ(found.labels, std::vector<Index>(first, first + partition.count));
    });
  }
}

TEST(DividedBasis, SpansWhatTheWholeOneSpans) {
  std::vector<Matrix> eigenvectors;
  for (std::uint64_t k = 0; k < 3; ++k) {
    Matrix vectors = normal_values(p, 5, 20 + k);
    vectors.col(0).setOnes();  // in all of them: nearly dependent ones are dropped
    eigenvectors.push_back(vectors.colwise().normalized());
  }
  const Basis expected = basis_of_others(eigenvectors, 0);
  EXPECT_EQ(expected.vectors.cols(), 9);
  for (const int processes : {2, 4}) {
    work_together(processes, [&](const Context& context) {
      const Partition partition = context.team().even_partition(p);
      std::vector<Matrix> own;
      for (const Matrix& vectors : eigenvectors) own.push_back(vectors.middleRows(partition.first, partition.count));
      const Basis basis = basis_of_others(own, 0, context);
      EXPECT_EQ(basis.stacked, expected.stacked);
      const Matrix z = context.team().rows_to_all(basis.vectors);
      ASSERT_EQ(z.cols(), expected.vectors.cols());
      EXPECT_LT((z.transpose() * z - Matrix::Identity(9, 9)).norm(), 1e-12);
      EXPECT_LT((expected.vectors - z * (z.transpose() * expected.vectors)).norm(), 1e-11);
    });
  }
}

// What the first process keeps, in memory.
class Kept final : public Checkpoints {
 public:
  std::optional<std::string> find(const std::string& name) const override {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  double checkpoint_after() const override { return 0; }
  void keep(const std::string& name, std::string_view bytes) noexcept override { values_[name] = bytes; }
  std::size_t size() const { return values_.size(); }

 private:
  std::map<std::string, std::string> values_;
};

TEST(DividedCheckpoints, AreFoundByAnotherNumberOfProcesses) {
  const FeaturePoints points = clusters_of_points(300);
  const auto kept = std::make_shared<Kept>();
  GraphOptions options;
  options.knn_search = NeighborSearch::exact;
  const NearestFeatures truth = nearest_by_comparison(points, 5, Context());
  for (const int processes : {3, 2, 4}) {
    const auto search = [&](const Context& context) {
      const Partition partition = context.team().even_partition(300);
      const FeaturePoints own{points.values.middleCols(partition.first, partition.count)};
      const NearestFeatures found = find_nearest(own, 5, options, context);
      const auto first = truth.of.begin() + partition.first * 5;
      EXPECT_EQ(found.of, std::vector<std::int32_t>(first, first + partition.count * 5));
    };
    work_together(processes, search, kept);
    EXPECT_EQ(kept->size(), 1U) << processes << " processes have another name for it";
  }
}

}  // namespace
}  // namespace disc
