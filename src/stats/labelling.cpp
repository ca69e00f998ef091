// The whole method on one labelling of the units, by the verbs of the stages. The true labelling and the permuted ones go
// through the same code, or the comparison would not be fair.
#include <algorithm>

#include "stats/labelling.hpp"

namespace disc {
namespace {

constexpr double tolerance = 1e-3;           // permuted values are compared with others that differ by far more
constexpr Index max_eigenvectors = 60;       // of one condition
constexpr Index eigenvectors_at_first = 16;  // if no more are expected

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// What a condition's leading eigenpairs are used for, the trivial one first.
struct Structure {
  Eigenpairs above_noise;
  Matrix explained;  // right eigenvectors that belong to the bases
};

Structure structure_of(const RandomWalk& walk, Index condition, Index most, const TestOptions& options,
                       const SolverOptions& solver, const Context& context) {
  const PairSolver solve = [&](Index count, const SolverOptions& settings) {
    return leading_eigenpairs(walk, count, settings, context);
  };
  const double edge = options.noise_thresholds[at(condition)];
  Eigenpairs pairs = eigenpairs_beyond(solve, edge, options.dimensions_expected, most, solver);
  const Index above = count_above(pairs.values, edge);
  const Index explained = options.dimensions.empty() ? above : options.dimensions[at(condition)];
  if (explained > above) pairs = solve(1 + explained, solver);  // those below the noise were not made to converge
  Structure result;
  const Index kept = 1 + std::max(above, explained);
  pairs.values.conservativeResize(kept);
  pairs.vectors.conservativeResize(Eigen::NoChange, kept);
  result.explained = walk_eigenvectors(walk, pairs).leftCols(1 + explained);
  pairs.values.conservativeResize(1 + above);
  pairs.vectors.conservativeResize(Eigen::NoChange, 1 + above);
  result.above_noise = std::move(pairs);
  return result;
}

Vector energy_of(const Eigenpairs& pairs) {
  const Index count = pairs.values.size() - 1;
  return pairs.vectors.rightCols(count).array().square().matrix() * pairs.values.tail(count).array().square().matrix();
}

}  // namespace

Index max_dimensions(Index features, Index conditions) {
  return std::clamp<Index>(features / (4 * std::max<Index>(1, conditions - 1)), 1, max_eigenvectors);
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
        find_communities(condition, Vector(), options.graph.association_z, options.min_group_size, context));
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
  const Index most = max_dimensions(p, count);
  SolverOptions solver;
  solver.tolerance = tolerance;
  const auto is_target = [&](Index m) { return options.is_target.empty() || options.is_target[at(m)]; };

  std::vector<RandomWalk> walks;
  std::vector<Matrix> eigenvectors;
  Labelling result;
  for (Index m = 0; m < count; ++m) {
    context.check_stop();
    walks.push_back(make_walk(graph_from_correlations(conditions[at(m)], options.graph, context), context));
    Structure structure = structure_of(walks.back(), m, most, options, solver, context);
    eigenvectors.push_back(std::move(structure.explained));
    result.communities.push_back(find_communities(conditions[at(m)], energy_of(structure.above_noise),
                                                  options.graph.association_z, options.min_group_size, context));
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
