// SLEPc's Krylov-Schur finds one copy of a repeated eigenvalue for certain and further ones by luck: it works on one vector. So
// components, whose copies of 1 are known, are deflated; and when it is done, the complement of what it found is searched again
// from a fresh random vector, until nothing above the last value is left. Where it does not converge at once, it works on a
// polynomial of the operator.
#include "distributed/solve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "distributed/krylov.hpp"
#include "matrix/checkpoint.hpp"
#include "spectral/eigenpair_facts.hpp"

namespace disc::distributed {
namespace {

constexpr Index lapack_below = 200;     // features: LAPACK on the whole matrix in every process takes no time
constexpr Index features_per_pair = 8;  // with fewer the Krylov space would be most of all there is
constexpr double rough = 1e-2;          // tolerance for pairs that did not converge
constexpr double search_accuracy =
    0.3;  // of a search, beside the mean distance between values: its error is the square of it
// Without a polynomial: until half of the pairs must have converged, and three times as many for all of them.
constexpr Index restarts_of_easy_problems = 40;
constexpr Index restarts_of_easy_normal_problems = 16;  // products with A^T A cost more than twice as much
// In place of repeat_safely: a third of the time on a sparse graph goes into repeating. Errors may then grow from step to step: see
// is_sound.
constexpr double repeat_rarely = 0.3;
constexpr double orthogonal_to = 1e-9;  // for vectors that came of it
constexpr Index mixtures = 3;           // of them that are looked at
constexpr Index tries = 3;              // until the residuals are those of the operator, not of its polynomial

// Calls the solver as often as it takes. A polynomial is only made where the problem is not easy, and kept for what follows.
class PatientSolver {
 public:
  PatientSolver(const Problem& problem, const MpiTeam& team, const Context& context)
      : problem_(problem), team_(team), context_(context) {}

  // `wanted` leading pairs, or fewer if one below `floor` is among them.
  Found operator()(const Matrix& before, Index wanted, double tolerance, double floor = no_floor) {
    if (!filter_) {
      const Index easy = problem_.known_are_eigenvectors ? restarts_of_easy_problems : restarts_of_easy_normal_problems;
      const Index restarts = std::min(problem_.max_restarts, 3 * easy);
      Found found = once({before, wanted, tolerance, restarts, floor, easy});
      if (found.converged || found.restarts >= problem_.max_restarts) return found;
      choose_filter(found.seen, {before, wanted, tolerance, 1, floor});
    }
    Found found = once({before, wanted, tolerance, problem_.max_restarts, floor, never, 0, &*filter_});
    double asked = tolerance;
    for (Index i = 1; i < tries && found.converged && found.residual > tolerance; ++i) {
      asked *= std::max(1e-3, 0.5 * tolerance / found.residual);
      found = once({before, wanted, asked, problem_.max_restarts, floor, never, 0, &*filter_});
    }
    found.converged = found.converged && found.residual <= 10 * tolerance;
    return found;
  }

  // The largest value of what is left. Its error is about the square of the tolerance.
  Found search(const Matrix& before, double tolerance) {
    const double asked = filter_ ? tolerance * filter_->steepness() : tolerance;
    const FilterShape* const filter = filter_ ? &*filter_ : nullptr;
    return deflated_lanczos(problem_, {before, 1, asked, problem_.max_restarts, no_floor, never, start_++, filter},
                            team_, context_);
  }

 private:
  // From rough values, and again from the better ones that this polynomial gives.
  void choose_filter(const std::vector<double>& seen, Attempt attempt) {
    // Below `low` a polynomial grows as well. A^T A has no value below 0, and what is kept out of it is at 0. Of the walk the
    // smallest is nearly found beside the largest ones.
    const double low = problem_.known_are_eigenvectors ? seen.back() - 0.05 * (seen.front() - seen.back()) : 0.0;
    filter_ = shape_for(seen, 2, low, attempt);
    attempt.filter = &*filter_;
    filter_ = shape_for(once(attempt).seen, attempt.wanted / 2 + 5, low, attempt);
  }

  // All that may be wanted stays above the cut: those above the floor, and `more`, so that what is just below is found as well.
  static FilterShape shape_for(const std::vector<double>& seen, Index more, double low, const Attempt& attempt) {
    if (attempt.floor == no_floor) return filter_for(seen, attempt.wanted + more, low);
    const Index above = std::ranges::count_if(seen, [&](double value) { return value > attempt.floor; });
    FilterShape shape = filter_for(seen, std::max(attempt.wanted, above) + more, low);
    shape.cut = std::min(shape.cut, attempt.floor);
    return shape;
  }

  Found once(Attempt attempt) {
    context_.check_stop();
    attempt.start = start_++;
    return solve_once(problem_, attempt, team_, context_);
  }

  const Problem& problem_;
  const MpiTeam& team_;
  const Context& context_;
  std::optional<FilterShape> filter_;
  std::uint64_t start_ = 0;
};

// All pairs in falling order; at most `most` of them.
void merge(Found& all, const Found& more, Index most) {
  const Index total = all.values.size() + more.values.size();
  Vector values(total);
  values << all.values, more.values;
  Matrix vectors(std::max(all.vectors.rows(), more.vectors.rows()), total);
  vectors << all.vectors, more.vectors;
  std::vector<Index> order(at(total));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](Index i) { return values[i]; });
  order.resize(at(std::min(total, most)));
  all.values = values(order);
  all.vectors = vectors(Eigen::all, order);
}

// How well a search must know the largest value in the complement to tell whether it belongs to those wanted.
double search_tolerance(const Vector& values, double tolerance) {
  const Index count = values.size();
  const double mean_distance = (values[0] - values[count - 1]) / static_cast<double>(std::max<Index>(1, count - 1));
  return std::max(tolerance, search_accuracy * mean_distance);
}

// All pairs wanted, and the largest value beyond them if it was looked for.
struct Complete {
  Found pairs;
  double next = -std::numeric_limits<double>::infinity();
};

Complete find_all(const Problem& problem, const MpiTeam& team, const Context& context) {
  const Index room = problem.partition.total() - problem.known.cols();
  PatientSolver solve(problem, team, context);
  Complete result;
  Found& all = result.pairs;
  all = solve(Matrix(problem.partition.count, 0), problem.count, problem.tolerance);
  if (!all.converged) {  // the rest as they are, so that there is a result; it says that it did not converge
    merge(all, solve(all.vectors, problem.count - all.values.size(), rough), problem.count);
  }
  // A quick look at what is left; where a copy was missed, there may be more of it, found one after the other.
  const bool is_all = all.values.size() >= room;
  const auto lowest = [&] { return all.values[all.values.size() - 1]; };
  const auto is_below = [&](const Found& found) {
    return found.values.size() > 0 && found.values[0] <= lowest() + problem.tolerance;
  };
  if (all.converged && !is_all) {
    context.progress("eigenpairs", 0.5);
    Found left = solve.search(all.vectors, search_tolerance(all.values, problem.tolerance));
    while (all.converged && left.converged && !is_below(left)) {
      const Index most = std::min(std::max<Index>(1, problem.count / 2), room - all.values.size());
      left = solve(all.vectors, most, problem.tolerance, lowest());
      all.restarts += left.restarts;
      all.residual = std::max(all.residual, left.residual);
      if (!is_below(left)) merge(all, left, problem.count);
    }
    all.converged = left.converged;
    if (left.values.size() > 0) result.next = left.values[0];
  }
  return result;
}

// Whether vectors that were rarely made orthogonal are orthogonal, and what the solver says they are. The residuals of a few random
// mixtures of them tell as much as those of all, for fewer products.
bool is_sound(const Problem& problem, const Found& found, const MpiTeam& team, const Context& context) {
  if (!found.converged) return false;
  const Index count = found.vectors.cols();
  Matrix products(problem.known.cols() + count, count);
  products << problem.known.transpose() * found.vectors, found.vectors.transpose() * found.vectors;
  team.sum(products.data(), products.size());
  products.bottomRows(count).diagonal().array() -= 1;
  if (products.cwiseAbs().maxCoeff() > orthogonal_to) return false;
  std::mt19937_64 random = random_stream(context.seed(), "distributed/mixtures");
  std::normal_distribution<double> normal;
  const Matrix mixture = Matrix::NullaryExpr(count, std::min(count, mixtures), [&] { return normal(random); });
  const Matrix images = images_of(problem, found.vectors * mixture, team);
  Vector squares = (images - found.vectors * (found.values.asDiagonal() * mixture)).colwise().squaredNorm();
  team.sum(squares.data(), squares.size());
  const double mean = std::sqrt(squares.mean() / static_cast<double>(count));
  return mean <= 10 * problem.tolerance;
}

Eigenpairs by_slepc(Problem problem, const MpiTeam& team, const Context& context) {
  std::optional<Complete> complete;
  if (problem.op.is_sparse()) {
    problem.repeat_below = repeat_rarely;
    complete = find_all(problem, team, context);
    if (!is_sound(problem, complete->pairs, team, context)) complete.reset();
  }
  if (!complete) {
    problem.repeat_below = repeat_safely;
    complete = find_all(problem, team, context);
  }
  Found& all = complete->pairs;
  if (all.values.size() < problem.count) {
    throw Error("SLEPc found only " + std::to_string(all.values.size()) + " of " + std::to_string(problem.count) +
                " eigenpairs; raise --max-restarts or --tolerance");
  }
  Eigenpairs pairs;
  pairs.values = all.values;
  pairs.vectors = std::move(all.vectors);
  if (std::isfinite(complete->next)) {
    pairs.gap = std::max(0.0, pairs.values[pairs.values.size() - 1] - complete->next);
  }
  pairs.convergence = {all.converged, all.restarts, problem.op.applications(), all.residual};
  return pairs;
}

// The rows of all processes, in every one: for LAPACK.
RandomWalk whole_of(const RandomWalk& own, const Team& team) {
  const Matrix rows = own.conjugate.visit([](const auto& values) -> Matrix {
    if constexpr (std::is_same_v<std::decay_t<decltype(values)>, SparseMatrix>)
      return Matrix(values);
    else
      return values.transpose().template cast<double>();
  });
  RandomWalk whole;
  whole.conjugate = SymmetricMatrix(team.rows_to_all(rows));
  whole.degrees = team.rows_to_all(own.degrees);
  whole.uniform_weight = own.uniform_weight;
  return whole;
}

Eigenpairs by_lapack(const RandomWalk& walk, WalkProduct product, Index count, const Matrix& known,
                     const Context& context) {
  const Team& team = context.team();
  SolverOptions lapack;
  lapack.solver = Solver::lapack;
  Eigenpairs pairs =
      walk_eigenpairs(whole_of(walk, team), product, count, team.rows_to_all(known), lapack, context.with(nullptr));
  pairs.vectors = pairs.vectors.middleRows(walk.partition.first, walk.partition.count).eval();
  return pairs;
}

}  // namespace

Eigenpairs SlepcSolver::solve(const RandomWalk& walk, WalkProduct product, Index count, const Matrix& known,
                              const SolverOptions& options, const Context& context) const {
  count = std::min(count, walk.size() - known.cols());
  const bool is_small = walk.size() < lapack_below || walk.size() < features_per_pair * (count + known.cols());
  const bool use_lapack = options.solver == Solver::lapack || (options.solver == Solver::automatic && is_small) ||
                          2 * count > walk.size() - known.cols();
  const auto found = [&] {
    if (use_lapack) return by_lapack(walk, product, count, known, context);
    const auto op = product_with(walk, product, team_);
    return by_slepc(
        {*op, walk.partition, known, product == WalkProduct::conjugate, count, options.tolerance, options.max_restarts},
        team_, context);
  };
  if (name_.empty()) return found();
  return load_or_compute(
      context, walk.partition, [&] { return name_ + "-" + std::to_string(count); }, found);
}

}  // namespace disc::distributed
