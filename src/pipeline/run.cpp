// The method on one page. Each step is a verb of the public interface; method (n) is the equation it computes.
#include <algorithm>

#include "disc/pipeline.hpp"
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

Analysis run(std::span<const Dataset> conditions, const RunOptions& options, const Context& context) {
  Analysis analysis;
  analysis.used = options;
  Stopwatch stopwatch(analysis, context);

  stopwatch.start("match features");
  const MatchOptions matching{options.missing, options.graph.kernel == Kernel::precomputed};
  FeatureMatch match = match_features(conditions, matching, context);
  record_features(match, conditions, analysis);
  resolve_and_check(static_cast<Index>(conditions.size()), analysis);

  const Index count = static_cast<Index>(conditions.size());
  const Index p = static_cast<Index>(match.features.size());
  const Index pairs_needed = *analysis.used.differential.eigenvectors + 1;  // and the trivial one
  std::vector<RandomWalk> walks(conditions.size());
  std::vector<Eigenpairs> pairs(conditions.size());
  std::vector<Matrix> eigenvectors(conditions.size());

  stopwatch.start("graphs");
  for_each_condition(count, p, context, [&](Index m) {
    const auto i = static_cast<std::size_t>(m);
    FeatureGraph graph = build_graph(conditions[i], match.columns[i], options.graph, context);  // method (1) to (4)
    record_graph(graph, m, analysis);
    walks[i] = make_walk(std::move(graph), context);
  });

  stopwatch.start("eigenpairs");
  for_each_condition(count, p, context, [&](Index m) {
    const auto i = static_cast<std::size_t>(m);
    pairs[i] = leading_eigenpairs(walks[i], pairs_needed, options.solver, context);  // method (5)
    eigenvectors[i] = walk_eigenvectors(walks[i], pairs[i]);
    if (options.differential.constant_vector == ConstantVector::drop) drop_first_column(eigenvectors[i]);
    record_eigenpairs(pairs[i], eigenvectors[i], m, analysis);
  });

  stopwatch.start("differential vectors");
  const ConditionSpectra spectra{walks, pairs, eigenvectors};
  for_each_condition(count, p, context, [&](Index m) {
    analysis.conditions[static_cast<std::size_t>(m)].vectors =
        differential_vectors(spectra, m, options.differential, options.solver, context);  // method (6) to (8)
  });

  stopwatch.start("groups");
  for_each_condition(count, p, context, [&](Index m) {
    ConditionResult& result = analysis.conditions[static_cast<std::size_t>(m)];
    result.groups = group_features(result.vectors, options.groups, context);  // method (18)
  });

  stopwatch.stop();
  collect_warnings(analysis, context);
  return analysis;
}

}  // namespace disc
