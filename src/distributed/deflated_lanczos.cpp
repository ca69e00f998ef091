#include <Eigen/Eigenvalues>
#include <cmath>

#include "distributed/krylov.hpp"

namespace disc::distributed {
namespace {

constexpr Index steps_per_restart = 20;  // what a restart of Krylov-Schur stands for
constexpr Index first_look = 6;

// The largest eigenvalue of the tridiagonal matrix, and how far it may be from one of the operator.
struct Ritz {
  double value;
  double error;
};

Ritz largest_of(const std::vector<double>& diagonal, const std::vector<double>& below) {
  const auto size = static_cast<Index>(diagonal.size());
  Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.computeFromTridiagonal(Eigen::Map<const Vector>(diagonal.data(), size),
                                Eigen::Map<const Vector>(below.data(), size - 1));
  return {solver.eigenvalues()[size - 1], std::abs(below.back() * solver.eigenvectors()(size - 1, size - 1))};
}

}  // namespace

Found deflated_lanczos(const Problem& problem, const Attempt& attempt, const MpiTeam& team, const Context& context) {
  const Partition& partition = problem.partition;
  Matrix out(partition.count, problem.known.cols() + attempt.before.cols());
  out << problem.known, attempt.before;
  const FilteredOperator op(problem.op, attempt.filter, problem.kept_out(), partition, team);

  Vector next = random_start(partition, context.seed(), attempt.start);
  leave_out(out, next, team);
  double length = std::sqrt(team.sum(next.squaredNorm()));
  Vector now = Vector::Zero(partition.count);
  Vector last;
  std::vector<double> diagonal;
  std::vector<double> below;
  Found found;
  const Index most = std::min(partition.total() - out.cols(), attempt.max_restarts * steps_per_restart);
  for (Index step = 1, look = first_look; step <= most && !found.converged; ++step) {
    context.check_stop();
    last.swap(now);
    now = next / length;
    next.resize(partition.count);
    check(MatMult(op.matrix(), vector_on(now.data(), partition, team), vector_on(next.data(), partition, team)));
    if (step > 1) next.noalias() -= length * last;
    diagonal.push_back(team.sum(next.dot(now)));
    next.noalias() -= diagonal.back() * now;
    leave_out(out, next, team);
    length = std::sqrt(team.sum(next.squaredNorm()));
    below.push_back(length);
    if (step < look && step < most) continue;
    look = step + std::max<Index>(2, step / 10);
    const Ritz ritz = largest_of(diagonal, below);
    found.values = Vector::Constant(1, attempt.filter != nullptr ? attempt.filter->unfiltered(ritz.value) : ritz.value);
    found.converged = ritz.error <= attempt.tolerance;
  }
  return found;
}

}  // namespace disc::distributed
