#include "pipeline/model_selection.hpp"

#include <algorithm>
#include <cmath>

#include "pipeline/engine.hpp"

namespace disc {
namespace {

constexpr Index eigenvectors_when_nothing_is_known = 20;
constexpr const char* by_hand = "given";
constexpr const char* above_noise = "parallel analysis";

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

bool is_by_correlation(const RunOptions& used) { return *used.groups.grouping == Grouping::communities; }

// Where the eigenvalues, the trivial one excluded, fall most steeply.
Index largest_gap(const Vector& values) {
  Index best = 0;
  double largest = 0;
  for (Index i = 1; i + 1 < values.size(); ++i) {
    if (values[i] - values[i + 1] <= largest) continue;
    largest = values[i] - values[i + 1];
    best = i;
  }
  return best;
}

// Structure that only one half of the samples shows is not known well enough to be called explained. Where the halves agree on
// nothing there are too few samples to say so, and too many eigenvectors do less harm than too few.
void lower_to(Index agreed, Dimensions& dimensions) {
  dimensions.by_halves = agreed;
  if (agreed == 0 || agreed >= dimensions.chosen) return;
  const bool is_below_gap = agreed < dimensions.by_gap;
  dimensions.chosen = is_below_gap ? std::min(dimensions.chosen, dimensions.by_gap) : agreed;
  dimensions.rule = is_below_gap ? "eigengap" : "split halves";
}

}  // namespace

std::optional<double> noise_threshold_of(const Dataset& condition, std::span<const Index> columns,
                                         const Vector& degrees, const RunOptions& used, const Context& context,
                                         const Team* team) {
  // In the form `knn` shuffled data would need a search of their own, as long as the first: nothing is known then.
  if (!is_by_correlation(used) || used.graph.form == GraphForm::knn) return std::nullopt;
  return noise_level(condition, columns, degrees, used.graph, context, team).edge;
}

Spectrum choose_spectrum(const PairSolver& solve, const std::optional<double>& edge, Index features, Index conditions,
                         const RunOptions& used) {
  Spectrum result;
  Dimensions& dimensions = result.dimensions;
  const std::optional<Index>& given = used.differential.eigenvectors;
  const Index most = max_dimensions(features, conditions);
  dimensions.edge = edge;
  if (given) {
    result.pairs = solve(*given + 1, used.solver);
    dimensions.chosen = *given;
    dimensions.rule = by_hand;
  } else if (edge) {
    result.pairs = eigenpairs_beyond(solve, *edge, most, used.solver);
    dimensions.chosen = count_above(result.pairs.values, *edge);
    dimensions.above_noise = dimensions.chosen;
    dimensions.rule = above_noise;
  } else {
    dimensions.chosen = std::min(most, eigenvectors_when_nothing_is_known);
    dimensions.rule = "20, at most a quarter of the features";
    result.pairs = solve(dimensions.chosen + 1, used.solver);
  }
  dimensions.available = result.pairs.values.size() - 1;
  dimensions.by_gap = largest_gap(result.pairs.values);
  return result;
}

void keep_chosen(Eigenpairs& pairs, const Dimensions& dimensions) {
  const Index count = dimensions.chosen + 1;
  if (count < pairs.values.size()) pairs.gap = pairs.values[count - 1] - pairs.values[count];
  pairs.values.conservativeResize(count);
  if (pairs.vectors.cols() > count) pairs.vectors.conservativeResize(Eigen::NoChange, count);
}

void settle_dimensions(Engine& engine, Analysis& analysis, const Context& context) {
  std::vector<ConditionResult>& conditions = analysis.conditions;
  const bool by_noise = std::ranges::all_of(
      conditions, [](const ConditionResult& condition) { return condition.dimensions.rule == above_noise; });
  if (by_noise) {
    std::vector<HalfEigenvectors> halves(conditions.size());
    engine.for_each_condition([&](Index m) {
      halves[at(m)] = engine.eigenvectors_of_halves(m, conditions[at(m)].dimensions.chosen, analysis.used);
    });
    const std::vector<Index> agreed = dimensions_agreed(halves, context);
    for (std::size_t m = 0; m < conditions.size(); ++m) lower_to(agreed[m], conditions[m].dimensions);
  }
  engine.for_each_condition([&](Index m) {
    engine.keep_eigenvectors(m, conditions[at(m)].dimensions, analysis.used.differential);
    keep_chosen(conditions[at(m)].pairs, conditions[at(m)].dimensions);
  });
}

Index trivial_pairs(const DifferentialOptions& options) {
  return options.constant_vector == ConstantVector::drop ? 1 : 0;
}

Matrix basis_columns(const Matrix& all_eigenvectors, const Dimensions& dimensions, const DifferentialOptions& options) {
  const Index dropped = trivial_pairs(options);
  return all_eigenvectors.middleCols(dropped, dimensions.chosen + 1 - dropped);
}

std::vector<SigmaAtDimension> sigma_path(std::span<const Matrix> all_eigenvectors, const SigmaSolver& solve) {
  constexpr Index values_shown = 3;
  SolverOptions solver;
  solver.tolerance = 1e-5;  // for a picture
  std::vector<SigmaAtDimension> path;
  Index available = 0;
  for (const Matrix& vectors : all_eigenvectors) available = std::max(available, vectors.cols() - 1);
  for (Index d = 1; d <= available; d = d < 4 ? d + 1 : d + d / 2) {
    std::vector<Matrix> leading;
    for (const Matrix& vectors : all_eigenvectors) leading.push_back(vectors.leftCols(std::min(d + 1, vectors.cols())));
    Vector sigma = solve(leading, values_shown, solver);
    if (sigma.size() == 0) break;
    path.push_back({d, std::move(sigma)});
  }
  return path;
}

TestOptions test_options(const Study& study, const RunOptions& used) {
  TestOptions options;
  options.graph = used.graph;
  options.min_group_size = used.groups.min_group_size;
  options.is_target = study.is_target;
  options.statistics = used.statistics;
  return options;
}

void compare_with_genesets(const Study& study, Analysis& analysis) {
  std::vector<FeatureGroups> groups;
  for (const ConditionResult& condition : analysis.conditions) groups.push_back(condition.groups);
  analysis.enrichment = compare_with_sets(groups, analysis.features, study.genesets);
}

}  // namespace disc
