#include "distributed/krylov.hpp"

#include <algorithm>
#include <cmath>

namespace disc::distributed {
namespace {

// What a solver saw last: its Ritz values in falling order, converged or not.
struct Progress {
  std::vector<double> values;
  double floor;   // pairs below are of no interest
  Index half_by;  // the restart by which half of the pairs must have converged
};

PetscErrorCode look(EPS /*solver*/, PetscInt /*restart*/, PetscInt /*converged*/, PetscScalar* values,
                    PetscScalar* /*imaginary*/, PetscReal* /*errors*/, PetscInt count, void* context) {
  static_cast<Progress*>(context)->values.assign(values, values + count);
  return 0;
}

// As SLEPc's own test; done as well once a pair below the floor has converged, for larger ones converge before smaller ones; and
// given up where it would take too long.
PetscErrorCode is_done(EPS solver, PetscInt restart, PetscInt most, PetscInt converged, PetscInt wanted,
                       EPSConvergedReason* reason, void* context) {
  PetscCall(EPSStoppingBasic(solver, restart, most, converged, wanted, reason, nullptr));
  const auto& progress = *static_cast<Progress*>(context);
  const bool looked = converged > 0 && static_cast<std::size_t>(converged) <= progress.values.size();
  if (*reason == EPS_CONVERGED_ITERATING && looked && progress.values[at(converged - 1)] < progress.floor) {
    *reason = EPS_CONVERGED_USER;
  }
  if (*reason == EPS_CONVERGED_ITERATING && restart >= progress.half_by && 2 * converged < wanted) {
    *reason = EPS_DIVERGED_ITS;
  }
  return 0;
}

}  // namespace

Vector random_start(const Partition& partition, std::uint64_t seed, std::uint64_t item) {
  constexpr Index run = 1024;
  Vector values(partition.count);
  std::normal_distribution<double> normal;
  for (Index first = partition.first / run * run; first < partition.first + partition.count; first += run) {
    std::mt19937_64 stream = random_stream(seed, "distributed/start", (item << 40) + static_cast<std::uint64_t>(first));
    normal.reset();
    for (Index i = first; i < first + run; ++i) {
      const double value = normal(stream);
      if (i >= partition.first && i < partition.first + partition.count) values[i - partition.first] = value;
    }
  }
  return values;
}

Matrix images_of(const Problem& problem, const Matrix& vectors, const MpiTeam& team) {
  Matrix images(vectors.rows(), vectors.cols());
  for (Index k = 0; k < images.cols(); ++k) {
    const OwnedVec in = vector_on(vectors.col(k).data(), problem.partition, team);
    const OwnedVec out = vector_on(images.col(k).data(), problem.partition, team);
    check(MatMult(problem.op.matrix(), in, out));
  }
  if (!problem.known_are_eigenvectors) leave_out(problem.known, images, team);
  return images;
}

namespace {

// Values and residuals of the operator itself, for vectors that came from its polynomial.
void judge(const Problem& problem, Found& found, const MpiTeam& team) {
  const Matrix images = images_of(problem, found.vectors, team);
  found.values = found.vectors.cwiseProduct(images).colwise().sum().transpose();
  team.sum(found.values.data(), found.values.size());
  Vector squares = (images - found.vectors * found.values.asDiagonal()).colwise().squaredNorm();
  team.sum(squares.data(), squares.size());
  found.residual = squares.size() > 0 ? std::sqrt(squares.maxCoeff()) : 0.0;
}

void set_up(EPS solver, const Problem& problem, const Attempt& attempt, Index room, Progress& progress) {
  // Products with a polynomial are dear, so that a larger space pays.
  const Index beyond = attempt.filter != nullptr ? attempt.wanted + 40 : std::max<Index>(20, attempt.wanted);
  const Index space = std::min(room, attempt.wanted + beyond);
  check(EPSSetProblemType(solver, EPS_HEP));
  check(EPSSetType(solver, EPSKRYLOVSCHUR));
  check(EPSSetWhichEigenpairs(solver, EPS_LARGEST_REAL));
  check(EPSSetDimensions(solver, static_cast<PetscInt>(attempt.wanted), static_cast<PetscInt>(space), PETSC_DEFAULT));
  check(EPSSetConvergenceTest(solver, EPS_CONV_ABS));
  check(EPSSetTolerances(solver, attempt.tolerance, static_cast<PetscInt>(attempt.max_restarts)));
  BV space_of_solver = nullptr;
  check(EPSGetBV(solver, &space_of_solver));
  check(BVSetOrthogonalization(space_of_solver, BV_ORTHOG_CGS, BV_ORTHOG_REFINE_IFNEEDED, problem.repeat_below,
                               BV_ORTHOG_BLOCK_GS));
  check(EPSMonitorSet(solver, look, &progress, nullptr));
  check(EPSSetStoppingTestFunction(solver, is_done, &progress, nullptr));
  check(EPSSetFromOptions(solver));
}

Found found_by(EPS solver, Index wanted, const Partition& partition, const MpiTeam& team) {
  PetscInt converged = 0;
  PetscInt rounds = 0;
  EPSConvergedReason reason = EPS_CONVERGED_ITERATING;
  check(EPSGetConverged(solver, &converged));
  check(EPSGetIterationNumber(solver, &rounds));
  check(EPSGetConvergedReason(solver, &reason));
  const Index kept = std::min<Index>(converged, wanted);
  Found found;
  found.values.resize(kept);
  found.vectors.resize(partition.count, kept);
  found.converged = reason > 0;
  found.restarts = rounds;
  for (Index k = 0; k < kept; ++k) {
    const OwnedVec column = vector_on(found.vectors.col(k).data(), partition, team);
    PetscReal error = 0;
    check(EPSGetEigenpair(solver, static_cast<PetscInt>(k), &found.values[k], nullptr, column, nullptr));
    check(EPSGetErrorEstimate(solver, static_cast<PetscInt>(k), &error));
    found.residual = std::max(found.residual, error);
  }
  return found;
}

}  // namespace

Found solve_once(const Problem& problem, const Attempt& attempt, const MpiTeam& team, const Context& context) {
  const Partition& partition = problem.partition;
  std::vector<OwnedVec> held;
  std::vector<Vec> deflated;
  const auto deflate = [&](const Matrix& columns) {
    for (Index c = 0; c < columns.cols(); ++c) {
      held.push_back(vector_on(columns.col(c).data(), partition, team));
      deflated.push_back(held.back());
    }
  };
  deflate(problem.known);
  deflate(attempt.before);
  const Vector random = random_start(partition, context.seed(), attempt.start);
  const OwnedVec first = vector_on(random.data(), partition, team);
  Vec initial[1] = {first};
  const FilteredOperator op(problem.op, attempt.filter, problem.kept_out(), partition, team);
  const auto count = static_cast<PetscInt>(deflated.size());
  Progress progress{
      {}, attempt.filter != nullptr ? attempt.filter->filtered(attempt.floor) : attempt.floor, attempt.half_by};
  OwnedSolver solver;
  check(EPSCreate(team.communicator(), solver.place()));
  check(EPSSetOperators(solver, op.matrix(), nullptr));
  if (count > 0) check(EPSSetDeflationSpace(solver, count, deflated.data()));
  check(EPSSetInitialSpace(solver, 1, initial));
  set_up(solver, problem, attempt, partition.total() - count, progress);
  check(EPSSolve(solver));

  Found found = found_by(solver, attempt.wanted, partition, team);
  found.seen = std::move(progress.values);
  if (attempt.filter != nullptr) {
    for (double& value : found.seen) value = attempt.filter->unfiltered(value);
    judge(problem, found, team);
  }
  return found;
}

}  // namespace disc::distributed
