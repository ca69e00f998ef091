// The whole method on one labelling of the units, by the verbs of the stages. The true labelling and the relabelled ones go
// through the same code, or the comparison would not be fair.
#include <algorithm>

#include "stats/labelling.hpp"

namespace disc {
namespace {

constexpr double tolerance = 1e-3;           // relabelled values are compared with others that differ by far more
constexpr Index most_eigenvectors = 60;      // of one condition
constexpr Index eigenvectors_at_first = 16;  // if no more are expected

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Leading pairs above the noise, the trivial one first.
Eigenpairs pairs_above(const RandomWalk& walk, double edge, Index expected, Index most, const SolverOptions& solver,
                       const Context& context) {
  const PairSolver solve = [&](Index count, const SolverOptions& options) {
    return leading_eigenpairs(walk, count, options, context);
  };
  Eigenpairs pairs = eigenpairs_beyond(solve, edge, expected, most, solver);
  const Index kept = 1 + count_above(pairs.values, edge);
  pairs.values.conservativeResize(kept);
  pairs.vectors.conservativeResize(Eigen::NoChange, kept);
  return pairs;
}

Vector energy_of(const Eigenpairs& pairs) {
  const Index count = pairs.values.size() - 1;
  return pairs.vectors.rightCols(count).array().square().matrix() * pairs.values.tail(count).array().square().matrix();
}

}  // namespace

Index most_dimensions(Index features, Index conditions) {
  return std::clamp<Index>(features / (4 * std::max<Index>(1, conditions - 1)), 1, most_eigenvectors);
}

Index count_above(const Vector& eigenvalues, double edge) {
  Index count = 0;
  while (count + 1 < eigenvalues.size() && eigenvalues[count + 1] > edge) ++count;
  return count;
}

Eigenpairs eigenpairs_beyond(const PairSolver& solve, double edge, Index expected, Index most,
                             const SolverOptions& solver) {
  Index count = std::min(std::max(eigenvectors_at_first, expected + expected / 4), most);
  SolverOptions above = solver;
  above.floor = edge;
  for (;;) {
    Eigenpairs pairs = solve(count + 1, above);
    if (count_above(pairs.values, edge) < count || count >= most) return pairs;
    count = std::min(2 * count, most);
  }
}

namespace {

// Without matrices: communities and contrasts only, no eigenvectors.
Labelling analyse_without_matrices(std::span<const Correlations> conditions, const TestOptions& options,
                                   const Context& context) {
  Labelling result;
  for (const Correlations& condition : conditions) {
    context.check_stop();
    result.communities.push_back(
        find_communities(condition, Vector(), options.graph.association_z, options.smallest_group, context));
  }
  result.sigma.resize(conditions.size());
  result.contrasts.resize(conditions.size());
  for (std::size_t m = 0; m < conditions.size() && conditions.size() > 1; ++m) {
    if (!options.is_target.empty() && !options.is_target[m]) continue;
    result.contrasts[m] = contrast_groups(conditions, result.communities, static_cast<Index>(m));
  }
  return result;
}

}  // namespace

Labelling analyse_labelling(std::span<const Correlations> conditions, const TestOptions& options,
                            const Context& context) {
  if (!conditions[0].has_matrix()) return analyse_without_matrices(conditions, options, context);
  const Index count = static_cast<Index>(conditions.size());
  const Index p = conditions[0].values.rows();
  const Index most = most_dimensions(p, count);
  SolverOptions solver;
  solver.tolerance = tolerance;
  const auto is_target = [&](Index m) { return options.is_target.empty() || options.is_target[at(m)]; };

  std::vector<RandomWalk> walks;
  std::vector<Matrix> eigenvectors;
  Labelling result;
  for (Index m = 0; m < count; ++m) {
    context.check_stop();
    walks.push_back(make_walk(graph_from_correlations(conditions[at(m)], options.graph, context), context));
    const Eigenpairs pairs =
        pairs_above(walks.back(), options.noise_edges[at(m)], options.dimensions_expected, most, solver, context);
    eigenvectors.push_back(walk_eigenvectors(walks.back(), pairs));
    result.communities.push_back(find_communities(conditions[at(m)], energy_of(pairs), options.graph.association_z,
                                                  options.smallest_group, context));
  }
  for (Index m = 0; m < count; ++m) {
    context.check_stop();
    result.sigma.emplace_back();
    result.contrasts.emplace_back();
    if (!is_target(m)) continue;
    if (options.vectors > 0) {
      const Basis basis = basis_of_others(eigenvectors, m);
      const Index room = p - basis.vectors.cols();
      result.sigma.back() =
          singular_vectors(walks[at(m)], basis, std::min(options.vectors, room), solver, context).sigma;
    }
    if (count > 1) result.contrasts.back() = contrast_groups(conditions, result.communities, m);
  }
  return result;
}

}  // namespace disc
