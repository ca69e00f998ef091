#include "distributed/krylov.hpp"

#include <algorithm>

namespace disc::distributed {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

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

Vector norms_of_columns(const Matrix& own, const MpiTeam& team) {
  Vector squares = own.colwise().squaredNorm().transpose();
  team.sum(squares.data(), squares.size());
  return squares.cwiseSqrt();
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
  if (!problem.known_are_eigenvectors) {
    Matrix shares = problem.known.transpose() * images;
    team.sum(shares.data(), shares.size());
    images.noalias() -= problem.known * shares;
  }
  return images;
}

void judge(const Problem& problem, Found& found, const MpiTeam& team) {
  const Matrix images = images_of(problem, found.vectors, team);
  found.values = found.vectors.cwiseProduct(images).colwise().sum().transpose();
  team.sum(found.values.data(), found.values.size());
  const Vector residuals = norms_of_columns(images - found.vectors * found.values.asDiagonal(), team);
  found.residual = residuals.size() > 0 ? residuals.maxCoeff() : 0.0;
}

namespace {

// Columns that the solver stays orthogonal to, as PETSc's vectors.
class Deflated {
 public:
  Deflated(const Partition& partition, const MpiTeam& team) : partition_(partition), team_(team) {}
  void add(const Matrix& columns) {
    for (Index c = 0; c < columns.cols(); ++c) {
      held_.push_back(vector_on(columns.col(c).data(), partition_, team_));
      vectors_.push_back(held_.back());
    }
  }
  std::vector<Vec>& vectors() { return vectors_; }

 private:
  const Partition& partition_;
  const MpiTeam& team_;
  std::vector<OwnedVec> held_;
  std::vector<Vec> vectors_;
};

// Krylov-Schur for the largest eigenvalues, in a space of this size. `progress` must outlive the solver.
void set_up(EPS solver, Mat op, const Problem& problem, const Attempt& attempt, Index space, Progress& progress) {
  check(EPSSetOperators(solver, op, nullptr));
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

// Own rows of the pairs that have converged.
Found take_pairs(EPS solver, Index wanted, const Partition& partition, const MpiTeam& team) {
  PetscInt converged = 0;
  PetscInt rounds = 0;
  check(EPSGetConverged(solver, &converged));
  check(EPSGetIterationNumber(solver, &rounds));
  EPSConvergedReason reason = EPS_CONVERGED_ITERATING;
  check(EPSGetConvergedReason(solver, &reason));
  const Index kept = std::min<Index>(converged, wanted);
  Found found;
  found.converged = reason > 0;
  found.restarts = rounds;
  found.values.resize(kept);
  found.vectors.resize(partition.count, kept);
  for (Index k = 0; k < kept; ++k) {
    const OwnedVec column = vector_on(found.vectors.col(k).data(), partition, team);
    PetscScalar value = 0;
    PetscReal error = 0;
    check(EPSGetEigenpair(solver, static_cast<PetscInt>(k), &value, nullptr, column, nullptr));
    check(EPSGetErrorEstimate(solver, static_cast<PetscInt>(k), &error));
    found.values[k] = value;
    found.residual = std::max(found.residual, error);
  }
  return found;
}

}  // namespace

Found solve_once(const Problem& problem, const Attempt& attempt, const MpiTeam& team, const Context& context) {
  const Partition& partition = problem.partition;
  Deflated deflated(partition, team);
  deflated.add(problem.known);
  deflated.add(attempt.before);
  std::optional<FilteredOperator> filtered;
  if (attempt.filter != nullptr) {
    filtered.emplace(problem.op, *attempt.filter, problem.known_are_eigenvectors ? nullptr : &problem.known, partition,
                     team);
  }
  std::vector<Vec>& known = deflated.vectors();
  const Index room = partition.total() - static_cast<Index>(known.size());
  // Products with a polynomial are dear, so that a larger space pays.
  const Index beyond = attempt.filter != nullptr ? attempt.wanted + 40 : std::max<Index>(20, attempt.wanted);
  Progress progress{
      {}, attempt.filter != nullptr ? attempt.filter->filtered(attempt.floor) : attempt.floor, attempt.half_by};
  OwnedSolver solver;
  check(EPSCreate(team.communicator(), solver.place()));
  set_up(solver, filtered ? filtered->matrix() : problem.op.matrix(), problem, attempt,
         std::min(room, attempt.wanted + beyond), progress);
  if (!known.empty()) check(EPSSetDeflationSpace(solver, static_cast<PetscInt>(known.size()), known.data()));
  const Vector random = random_start(partition, context.seed(), attempt.start);
  const OwnedVec first = vector_on(random.data(), partition, team);
  Vec initial[1] = {first};
  check(EPSSetInitialSpace(solver, 1, initial));
  check(EPSSolve(solver));

  Found found = take_pairs(solver, attempt.wanted, partition, team);
  found.seen = std::move(progress.values);
  if (attempt.filter != nullptr) {
    for (double& value : found.seen) value = attempt.filter->unfiltered(value);
    judge(problem, found, team);
  }
  return found;
}

}  // namespace disc::distributed
