// Leading eigenpairs of the walk on a lattice, whose eigenvalues are known and repeated: SLEPc's Krylov-Schur as it is, and ours, which
// must find every copy.
//
//   mpirun -n 2 build/release/bench_distributed_solver SIDE [PAIRS] [TOLERANCE]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "distributed/job.hpp"
#include "distributed/solve.hpp"

namespace {

using namespace disc;
using namespace disc::distributed;

const double neighbour = std::exp(-1.0);  // weight of the four next to a point; its own is 1

SparseRows torus_rows(Index side, const Partition& partition) {
  SparseRows rows;
  rows.begin.push_back(0);
  for (Index i = partition.first; i < partition.first + partition.count; ++i) {
    const Index line = i / side;
    const Index column = i % side;
    std::vector<std::pair<Index, double>> entries{{i, 1.0}};
    for (const Index step : {Index{1}, side - 1}) {
      entries.emplace_back(line * side + (column + step) % side, neighbour);
      entries.emplace_back((line + step) % side * side + column, neighbour);
    }
    std::ranges::sort(entries);
    for (const auto& [other, weight] : entries) {
      rows.others.push_back(static_cast<PetscInt>(other));
      rows.weights.push_back(weight);
    }
    rows.begin.push_back(static_cast<PetscInt>(rows.others.size()));
  }
  return rows;
}

std::vector<double> true_values(Index side, Index count) {
  std::vector<double> values;
  for (Index a = 0; a < side; ++a) {
    for (Index b = 0; b < side; ++b) {
      const auto cosine = [&](Index k) {
        return std::cos(2 * M_PI * static_cast<double>(k) / static_cast<double>(side));
      };
      values.push_back((1 + 2 * neighbour * (cosine(a) + cosine(b))) / (1 + 4 * neighbour));
    }
  }
  std::partial_sort(values.begin(), values.begin() + count, values.end(), std::greater<>());
  values.resize(static_cast<std::size_t>(count));
  return values;
}

// SLEPc with its own settings.
std::vector<double> plain(const Walk& walk, Index count, double tolerance, const MpiTeam& team) {
  OwnedSolver solver;
  check(EPSCreate(team.communicator(), solver.place()));
  check(EPSSetOperators(solver, walk.weights(), nullptr));
  check(EPSSetProblemType(solver, EPS_HEP));
  check(EPSSetWhichEigenpairs(solver, EPS_LARGEST_REAL));
  check(EPSSetDimensions(solver, static_cast<PetscInt>(count), PETSC_DEFAULT, PETSC_DEFAULT));
  check(EPSSetTolerances(solver, tolerance, 100000));
  check(EPSSetConvergenceTest(solver, EPS_CONV_ABS));
  check(EPSSolve(solver));
  PetscInt converged = 0;
  check(EPSGetConverged(solver, &converged));
  std::vector<double> values;
  for (PetscInt k = 0; k < std::min<PetscInt>(converged, static_cast<PetscInt>(count)); ++k) {
    PetscScalar value = 0;
    check(EPSGetEigenvalue(solver, k, &value, nullptr));
    values.push_back(value);
  }
  return values;
}

Index copies_missed(const std::vector<double>& found, const std::vector<double>& truth) {
  Index missed = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    missed += k >= found.size() || std::abs(found[k] - truth[k]) > 1e-7 ? 1 : 0;
  }
  return missed;
}

template <class Work>
double seconds(const MpiTeam& team, Work&& work) {
  team.sum(0.0);  // all start together
  const auto began = std::chrono::steady_clock::now();
  work();
  team.sum(0.0);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

int main(int count, char** words) {
  const Index side = count > 1 ? std::atol(words[1]) : 300;
  const Index pairs = count > 2 ? std::atol(words[2]) : 21;
  const double tolerance = count > 3 ? std::atof(words[3]) : 1e-10;
  const Job job("");
  const auto team = std::dynamic_pointer_cast<const MpiTeam>(job.team());
  const Partition partition = team->even_partition(side * side);
  GraphOptions options;
  options.degree_regularization = 0;
  const Walk walk(sparse_rows(torus_rows(side, partition), partition, *team), options, partition, *team);
  const std::vector<double> truth = true_values(side, pairs);
  SolverOptions solver;
  solver.tolerance = tolerance;
  solver.max_restarts = 100000;
  const Context context(Context::Settings{.threads = 1});

  std::vector<double> theirs, ours;
  const double their_time = seconds(*team, [&] { theirs = plain(walk, pairs, tolerance, *team); });
  const double our_time = seconds(*team, [&] {
    const Vector values = distributed::leading_eigenpairs(walk, pairs, solver, Kept(), *team, context).values;
    ours.assign(values.begin(), values.end());
  });
  if (team->rank() == 0) {
    std::printf("%td features, %td pairs, %d processes\n", side * side, pairs, team->size());
    std::printf("Krylov-Schur as it is: %8.2f s, %td of %td values missed\n", their_time, copies_missed(theirs, truth),
                pairs);
    std::printf("ours:                  %8.2f s, %td of %td values missed\n", our_time, copies_missed(ours, truth),
                pairs);
  }
  return 0;
}
