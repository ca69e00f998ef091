#include "disc/plan.hpp"

#include "pipeline/engine.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/resolve_options.hpp"
#include "pipeline/run_log.hpp"

namespace disc {

Plan plan_run(std::vector<Dataset> conditions, const RunOptions& options, const Context& context) {
  Engine engine(std::move(conditions), context);
  Analysis analysis;
  analysis.used = options;
  engine.read(options);
  engine.prepare(options);
  engine.design(options);
  record_features(engine.match(), engine.study(), analysis);
  resolve_options(engine, analysis, context);
  Plan plan;
  MemoryProblem problem{.features = static_cast<Index>(analysis.features.size()),
                        .conditions = static_cast<Index>(analysis.conditions.size()),
                        .is_single = analysis.used.graph.precision == Precision::single,
                        .has_permutations = analysis.used.groups.grouping == Grouping::communities};
  for (const ConditionResult& condition : analysis.conditions) {
    plan.conditions.emplace_back(condition.name, condition.samples);
    problem.samples += condition.samples;
  }
  plan.features = problem.features;
  plan.excluded = static_cast<Index>(analysis.excluded.size());
  plan.preparation = std::move(analysis.preparation);
  plan.memory = memory_needed(problem, analysis.used.graph.form);
  plan.used = std::move(analysis.used);
  plan.warnings = std::move(analysis.warnings);
  return plan;
}

}  // namespace disc
