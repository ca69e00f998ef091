#include "pipeline/choices.hpp"

#include <algorithm>
#include <cmath>

#include "stats/labelling.hpp"

namespace disc {
namespace {

constexpr Index eigenvectors_when_nothing_is_known = 20;
constexpr double heavy_tails = 1.5;                // excess kurtosis; 0 for the normal distribution, 3 for Laplace's
constexpr double clear_without_relabelling = 4.0;  // statistic of a group that is believed without p-values

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

bool is_by_correlation(const RunOptions& used) { return *used.groups.grouping == Grouping::communities; }

// Where the eigenvalues, the trivial one left out, fall most steeply.
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

void keep_leading(Eigenpairs& pairs, Index count) {
  if (count < pairs.values.size()) pairs.gap = pairs.values[count - 1] - pairs.values[count];
  pairs.values.conservativeResize(count);
  pairs.vectors.conservativeResize(Eigen::NoChange, count);
}

FeatureGroups significant_groups(const ConditionStatistics& tested, const StatisticsOptions& options) {
  FeatureGroups result;
  for (const TestedGroup& group : tested.groups) {
    const bool is_clear =
        *options.relabellings > 0 ? group.p <= options.level : group.contrast.statistic() > clear_without_relabelling;
    if (!is_clear) continue;
    result.groups.push_back(
        {group.contrast.features, std::vector<double>(group.membership.begin(), group.membership.end())});
  }
  result.requested = static_cast<Index>(tested.groups.size());
  return result;
}

Index significant_vectors(const Vector& p, double level) {
  Index count = 0;
  while (count < p.size() && p[count] <= level) ++count;
  return count;
}

// Median over features of the excess kurtosis, from some of the samples.
double median_kurtosis(const Dataset& condition, std::span<const Index> columns) {
  constexpr Index samples_looked_at = 2000;
  const Index all = condition.values.rows();
  const Index step = (all + samples_looked_at - 1) / samples_looked_at;
  const Index used = (all + step - 1) / step;
  RowMatrix values(used, static_cast<Index>(columns.size()));
  RowMatrix row;
  for (Index i = 0; i < used; ++i) {
    condition.values.copy_rows(i * step, 1, columns, row);
    values.row(i) = row;
  }
  const Eigen::RowVectorXd mean = values.colwise().mean();
  const Eigen::ArrayXXd squares = (values.rowwise() - mean).array().square();
  const Eigen::ArrayXd variance = squares.colwise().mean().transpose();
  const Eigen::ArrayXd fourth = squares.square().colwise().mean().transpose();
  Vector kurtosis = (variance > 0).select(fourth / variance.square() - 3.0, 0.0);
  std::nth_element(kurtosis.begin(), kurtosis.begin() + kurtosis.size() / 2, kurtosis.end());
  return kurtosis[kurtosis.size() / 2];
}

}  // namespace

CorrelationChoice choose_correlation(std::span<const Dataset> conditions, const FeatureMatch& match) {
  CorrelationChoice choice;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    choice.excess_kurtosis = std::max(choice.excess_kurtosis, median_kurtosis(conditions[m], match.columns[m]));
  }
  if (choice.excess_kurtosis > heavy_tails) choice.distance = Distance::spearman;
  return choice;
}

Spectrum leading_spectrum(const Dataset& condition, std::span<const Index> columns, const RandomWalk& walk,
                          const RunOptions& used, Index conditions, const Context& context) {
  Spectrum result;
  Dimensions& dimensions = result.dimensions;
  const std::optional<Index>& given = used.differential.eigenvectors;
  const Index most = most_dimensions(walk.size(), conditions);
  // In the form `neighbors` shuffled data would need a search of their own, as long as the first: nothing is known then.
  if (is_by_correlation(used) && used.graph.form == GraphForm::dense)
    dimensions.edge = noise_level(condition, columns, walk.degrees, used.graph, context).edge;
  if (given) {
    result.pairs = leading_eigenpairs(walk, *given + 1, used.solver, context);
    dimensions.chosen = *given;
    dimensions.rule = "given";
  } else if (dimensions.edge) {
    result.pairs = eigenpairs_beyond(walk, *dimensions.edge, 0, most, used.solver, context);
    dimensions.chosen = count_above(result.pairs.values, *dimensions.edge);
    dimensions.rule = "parallel analysis";
  } else {
    dimensions.chosen = std::min(most, eigenvectors_when_nothing_is_known);
    dimensions.rule = "20, at most a quarter of the features";
    result.pairs = leading_eigenpairs(walk, dimensions.chosen + 1, used.solver, context);
  }
  dimensions.available = result.pairs.values.size() - 1;
  dimensions.by_gap = largest_gap(result.pairs.values);
  result.all_eigenvectors = walk_eigenvectors(walk, result.pairs);
  keep_leading(result.pairs, dimensions.chosen + 1);
  return result;
}

std::vector<SigmaAtDimension> sigma_path(const ConditionSpectra& spectra, std::span<const Matrix> all_eigenvectors,
                                         Index condition, const Context& context) {
  constexpr Index values_shown = 3;
  SolverOptions solver;
  solver.tolerance = 1e-5;  // for a picture
  std::vector<SigmaAtDimension> path;
  Index available = 0;
  for (const Matrix& vectors : all_eigenvectors) available = std::max(available, vectors.cols() - 1);
  for (Index d = 1; d <= available; d = d < 4 ? d + 1 : d + d / 2) {
    std::vector<Matrix> leading;
    for (const Matrix& vectors : all_eigenvectors) leading.push_back(vectors.leftCols(std::min(d + 1, vectors.cols())));
    const Basis basis = basis_of_others(leading, condition);
    const Index room = basis.vectors.rows() - basis.vectors.cols();
    if (room < values_shown) break;
    const RandomWalk& walk = spectra.walks[at(condition)];
    path.push_back({d, singular_vectors(walk, basis, values_shown, solver, context).sigma});
  }
  return path;
}

void find_groups(const Study& study, const FeatureMatch& match, Analysis& analysis, const Context& context) {
  const RunOptions& used = analysis.used;
  TestOptions test;
  test.graph = used.graph;
  test.smallest_group = used.groups.smallest_group;
  test.is_target = study.is_target;
  test.statistics = used.statistics;
  for (const ConditionResult& condition : analysis.conditions) {
    test.noise_edges.push_back(condition.dimensions.edge.value_or(0.0));
    test.dimensions_expected = std::max(test.dimensions_expected, condition.dimensions.chosen);
  }
  Statistics statistics = test_groups(study.conditions, match, study.design, test, context);

  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    ConditionResult& condition = analysis.conditions[m];
    const ConditionStatistics& tested = statistics.conditions[m];
    condition.groups = significant_groups(tested, used.statistics);
    if (tested.vector_p.size() > 0 && *used.statistics.relabellings > 0 && !used.differential.vectors) {
      condition.vectors.leading = significant_vectors(tested.vector_p, used.statistics.level);
    }
    condition.vectors.residual = redundancy(condition.vectors.vectors.leftCols(condition.vectors.leading), context);
    // Without any significant vector the first is still worth a picture.
    condition.groups.energy = differential_energy(condition.vectors, std::max<Index>(1, condition.vectors.leading));
  }
  analysis.statistics = std::move(statistics);
}

void compare_with_genesets(const Study& study, Analysis& analysis) {
  std::vector<FeatureGroups> groups;
  for (const ConditionResult& condition : analysis.conditions) groups.push_back(condition.groups);
  analysis.enrichment = compare_with_sets(groups, analysis.features, study.genesets);
}

}  // namespace disc
