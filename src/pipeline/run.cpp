// The method on one page. Each step is a verb of the public interface; method (n) is the equation it computes.
#include <algorithm>

#include "pipeline/choices.hpp"
#include "pipeline/pictures.hpp"
#include "pipeline/record.hpp"

namespace disc {
namespace {

// With few features one condition cannot keep all threads busy, so the conditions run side by side; with many, each step
// uses all threads itself. The bits are the same either way.
constexpr Index side_by_side_below = 1500;

void for_each_condition(Index conditions, Index features, const Context& context,
                        const std::function<void(Index)>& step) {
  if (features < side_by_side_below) {
    context.parallel_for(conditions, step);
  } else {
    for (Index m = 0; m < conditions; ++m) step(m);
  }
}

}  // namespace

Analysis run(std::vector<Dataset> data, const RunOptions& options, const Context& context) {
  Analysis analysis;
  analysis.used = options;
  Stopwatch stopwatch(analysis, context);

  stopwatch.start("match features");
  const Study study = make_study(std::move(data), options, context);
  const std::vector<Dataset>& conditions = study.conditions;
  const MatchOptions matching{options.prepare.missing, options.graph.kernel == Kernel::precomputed};
  const FeatureMatch match = match_features(conditions, matching, context);
  record_features(match, study, analysis);
  resolve_and_check(study, match, analysis, context);

  const Index count = static_cast<Index>(conditions.size());
  const Index p = static_cast<Index>(match.features.size());
  std::vector<RandomWalk> walks(conditions.size());
  std::vector<Eigenpairs> pairs(conditions.size());
  std::vector<Matrix> all_eigenvectors(conditions.size()), eigenvectors(conditions.size());

  stopwatch.start("graphs");
  const GraphOptions graph_options = analysis.used.graph;
  for_each_condition(count, p, context, [&](Index m) {
    const auto i = static_cast<std::size_t>(m);
    FeatureGraph graph = build_graph(conditions[i], match.columns[i], graph_options, context);  // method (1) to (4)
    record_graph(graph, m, analysis);
    walks[i] = make_walk(std::move(graph), context);
  });

  stopwatch.start("eigenpairs");
  for_each_condition(count, p, context, [&](Index m) {
    const auto i = static_cast<std::size_t>(m);
    Spectrum spectrum = leading_spectrum(conditions[i], match.columns[i], walks[i], analysis.used, count,
                                         context);  // method (5), (14), (15)
    analysis.conditions[i].dimensions = spectrum.dimensions;
    pairs[i] = std::move(spectrum.pairs);
    eigenvectors[i] = spectrum.all_eigenvectors.leftCols(pairs[i].values.size());
    all_eigenvectors[i] = std::move(spectrum.all_eigenvectors);
    if (options.differential.constant_vector == ConstantVector::drop) drop_first_column(eigenvectors[i]);
    record_eigenpairs(pairs[i], eigenvectors[i], m, analysis);
  });
  record_dimensions(analysis);

  stopwatch.start("differential vectors");
  const ConditionSpectra spectra{walks, pairs, eigenvectors};
  for_each_condition(count, p, context, [&](Index m) {
    ConditionResult& result = analysis.conditions[static_cast<std::size_t>(m)];
    result.vectors =
        differential_vectors(spectra, m, options.differential, analysis.used.solver, context);  // method (6) to (8)
    if (!options.differential.eigenvectors && graph_options.form == GraphForm::dense)
      result.sigma_path = sigma_path(spectra, all_eigenvectors, m, context);
  });

  stopwatch.start("groups");
  if (*analysis.used.groups.grouping == Grouping::communities) {
    find_groups(study, match, analysis, context);  // method (16) to (19)
  } else {
    for_each_condition(count, p, context, [&](Index m) {
      ConditionResult& result = analysis.conditions[static_cast<std::size_t>(m)];
      result.groups = group_features(result.vectors, options.groups, context);  // method (18), the paper's way
    });
  }

  compare_with_genesets(study, analysis);
  stopwatch.start("pictures");
  analysis.pictures = make_pictures(study, match, walks, analysis, context);

  stopwatch.stop();
  collect_warnings(analysis, context);
  return analysis;
}

}  // namespace disc
