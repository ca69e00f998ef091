// The engine for several machines from inside, in a job of as many processes as mpirun started: under the sanitizers, too.
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "disc/differential.hpp"
#include "disc/distributed.hpp"
#include "distributed/solve.hpp"
#include "io/npz_writer.hpp"
#include "support/graphs.hpp"
#include "support/team_checks.hpp"

namespace disc {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

const distributed::Job& job() {
  static const distributed::Job one("");
  return one;
}
std::shared_ptr<const distributed::MpiTeam> team() {
  return std::dynamic_pointer_cast<const distributed::MpiTeam>(job().team());
}

TEST(MpiTeam, DoesWhatATeamDoes) {
  test::check_sums(*team());
  test::check_gathering(*team());
  test::check_exchange(*team());
  test::check_rows(*team());
  test::check_ring(*team());
}

// Points of a square lattice on a torus, each joined with its four neighbors: eigenvalues are known, and repeated.
Matrix lattice(Index side) {
  Matrix weights = Matrix::Identity(side * side, side * side);
  for (Index i = 0; i < side * side; ++i) {
    const Index line = i / side;
    const Index column = i % side;
    for (const Index step : {Index{1}, side - 1}) {
      weights(i, line * side + (column + step) % side) = 0.4;
      weights(i, (line + step) % side * side + column) = 0.4;
    }
  }
  return weights;
}

RandomWalk walk_of(SymmetricMatrix weights, const Context& context) {
  FeatureGraph graph;
  graph.weights = std::move(weights);
  return make_walk(std::move(graph), context);
}

struct Walks {
  RandomWalk whole, own;
};
Walks divided(const Matrix& weights, bool is_sparse, const Context& context) {
  const Partition partition = context.team().even_partition(weights.rows());
  if (is_sparse) {
    const SparseMatrix all = weights.sparseView();
    return {walk_of(SymmetricMatrix(all), Context()),
            walk_of(SymmetricMatrix(SparseMatrix(all.middleRows(partition.first, partition.count))), context)};
  }
  return {walk_of(SymmetricMatrix(weights), Context()),
          walk_of(SymmetricMatrix(Matrix(weights.middleCols(partition.first, partition.count))), context)};
}

class SlepcPairs : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(DenseAndSparse, SlepcPairs, testing::Bool());

TEST_P(SlepcPairs, AreThoseOfLapackWithEveryCopy) {
  const Context context = Context().with(team());
  const Walks walks = divided(lattice(18), GetParam(), context);
  SolverOptions options = solver(Solver::lanczos);
  options.divided = std::make_shared<const distributed::SlepcSolver>(*team(), "");
  const Eigenpairs expected = leading_eigenpairs(walks.whole, 30, solver(Solver::lapack), Context());
  const Eigenpairs found = leading_eigenpairs(walks.own, 30, options, context);
  EXPECT_TRUE(found.convergence.converged);
  ASSERT_EQ(found.values.size(), 30);
  EXPECT_LT((found.values - expected.values).cwiseAbs().maxCoeff(), 1e-8);
  const Matrix vectors = team()->rows_to_all(found.vectors);
  EXPECT_LT((vectors.transpose() * vectors - Matrix::Identity(30, 30)).cwiseAbs().maxCoeff(), 1e-8);
  const Matrix images = dense_conjugate(walks.whole) * vectors;
  EXPECT_LT((images - vectors * found.values.asDiagonal()).colwise().norm().maxCoeff(), 1e-8);
}

TEST_P(SlepcPairs, SingularVectorsStayInTheComplement) {
  const Context context = Context().with(team());
  const Walks walks = divided(block_weights(240, 4, 0.02, 3), GetParam(), context);
  const Walks others = divided(block_weights(240, 3, 0.02, 4), GetParam(), context);
  for (const Solver which : {Solver::lanczos, Solver::lapack}) {
    SolverOptions options = solver(which);
    options.divided = std::make_shared<const distributed::SlepcSolver>(*team(), "");
    const Matrix whole = walk_eigenvectors(
        others.whole, leading_eigenpairs(others.whole, 5, solver(Solver::lapack), Context()), Context());
    const Partition& partition = walks.own.partition;
    const std::vector<Matrix> of_all{Matrix(240, 0), whole};
    const std::vector<Matrix> of_own{Matrix(partition.count, 0), whole.middleRows(partition.first, partition.count)};
    const DifferentialVectors expected =
        singular_vectors(walks.whole, basis_of_others(of_all, 0), 4, solver(Solver::lapack), Context());
    const DifferentialVectors found =
        singular_vectors(walks.own, basis_of_others(of_own, 0, context), 4, options, context);
    EXPECT_LT((found.sigma - expected.sigma).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT((whole.transpose() * team()->rows_to_all(found.vectors)).cwiseAbs().maxCoeff(), 1e-8);
  }
}

Context one_thread() {
  Context::Settings settings;
  settings.threads = 1;
  return Context(settings);
}

// Two conditions in files that every process can read.
class WholeRuns : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = team()->from_first((fs::temp_directory_path() / ("disc_job_" + std::to_string(getpid()))).string());
    data_ = {make_dataset("A", grouped_values(80, 160, {{20, 25}, {60, 15}}, 1, 1.5)),
             make_dataset("B", grouped_values(80, 160, {{60, 15}}, 2, 1.5))};
    if (team()->rank() == 0) fs::create_directories(folder_);
    for (const Dataset& condition : data_) {
      const fs::path file = folder_ / (condition.name + ".npy");
      RowMatrix values;
      condition.values.copy_rows(0, 80, all_of(160), values);
      if (team()->rank() == 0) std::ofstream(file, std::ios::binary) << io::encode_npy(values);
      inputs_.manifest.rows.push_back({file, condition.name, {}});
    }
    team()->sum(0.0);  // all wait for the files
  }
  void TearDown() override {
    team()->sum(0.0);
    if (team()->rank() == 0) fs::remove_all(folder_);
  }
  // The same groups and sigma as one process finds; whole in the first process.
  void expect_same(const RunOptions& options) {
    const Analysis ours = distributed::run(job(), inputs_, options, one_thread());
    ASSERT_EQ(ours.conditions.size(), 2U);
    for (const ConditionResult& condition : ours.conditions) {
      EXPECT_EQ(condition.vectors.vectors.rows(), team()->rank() == 0 ? 160 : 0);
      EXPECT_GT(condition.vectors.sigma[0], 0);
    }
    if (team()->rank() > 0) return;
    const Analysis local = run(data_, options, one_thread());
    for (std::size_t m = 0; m < 2; ++m) {
      const ConditionResult& here = ours.conditions[m];
      const ConditionResult& there = local.conditions[m];
      ASSERT_EQ(here.vectors.sigma.size(), there.vectors.sigma.size());
      EXPECT_LT((here.vectors.sigma - there.vectors.sigma).cwiseAbs().maxCoeff(), 1e-8);
      ASSERT_EQ(here.groups.groups.size(), there.groups.groups.size());
      for (std::size_t g = 0; g < here.groups.groups.size(); ++g) {
        EXPECT_EQ(here.groups.groups[g].features, there.groups.groups[g].features);
      }
      EXPECT_LT((ours.figure_data.weights.weights[m] - local.figure_data.weights.weights[m]).cwiseAbs().maxCoeff(),
                1e-9);
    }
  }

  fs::path folder_;
  std::vector<Dataset> data_;
  distributed::Inputs inputs_;
};

RunOptions quick(GraphForm form) {
  RunOptions options;
  options.graph.form = form;
  options.statistics.permutations = 3;
  options.statistics.bootstraps = 2;
  options.differential.eigenvectors = 4;
  return options;
}

TEST_F(WholeRuns, WithAllPairs) { expect_same(quick(GraphForm::dense)); }
TEST_F(WholeRuns, WithNearestFeatures) { expect_same(quick(GraphForm::knn)); }
TEST_F(WholeRuns, WhereNoProcessHasAllValues) {
  inputs_.divide_above = 100;
  expect_same(quick(GraphForm::knn));
}

}  // namespace
}  // namespace disc

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  const int failed = [] {
    if (disc::job().rank() > 0) {
      delete testing::UnitTest::GetInstance()->listeners().Release(
          testing::UnitTest::GetInstance()->listeners().default_result_printer());
    }
    return RUN_ALL_TESTS();
  }();
  // A failure of one process is one of the job.
  return disc::team()->sum(failed) > 0 ? 1 : 0;
}
