// The method on one page. Each step is asked of the engine that does the work, on this machine or on several; method (n) is the
// equation it computes, and local_engine.cpp says by which verbs of the public interface.
#include "pipeline/cautions.hpp"
#include "pipeline/engine.hpp"
#include "pipeline/record.hpp"

namespace disc {

Analysis run(Engine& engine, const RunOptions& options, const Context& context) {
  Analysis analysis;
  analysis.used = options;
  Stopwatch stopwatch(analysis, context);

  stopwatch.start("match features");
  engine.open(options);
  record_features(engine.match(), engine.study(), analysis);
  resolve_and_check(engine, analysis, context);
  if (analysis.used.graph.form == GraphForm::prototypes) {
    stopwatch.start("prototypes");
    record_prototypes(engine.take_prototypes(), analysis, context);  // method (27)
  }
  const GraphOptions graph_options = analysis.used.graph;

  stopwatch.start("graphs");
  engine.for_each_condition([&](Index m) {
    record_graph(engine.build_graph(m, graph_options), m, analysis);  // method (1) to (4)
  });

  stopwatch.start("eigenpairs");
  engine.for_each_condition([&](Index m) {
    record_spectrum(engine.leading_spectrum(m, analysis.used), m, analysis);  // method (5), (14)
  });
  settle_dimensions(engine, analysis, context);  // method (15)
  record_dimensions(analysis);

  stopwatch.start("differential vectors");
  engine.for_each_condition([&](Index m) {
    ConditionResult& result = analysis.conditions[static_cast<std::size_t>(m)];
    result.vectors = engine.differential_vectors(m, options.differential, analysis.used.solver);  // method (6) to (8)
    drop_unless_converged(result);
    if (!options.differential.eigenvectors && graph_options.form != GraphForm::knn)
      result.sigma_path = engine.sigma_path(m);
  });

  stopwatch.start("groups");
  if (*analysis.used.groups.grouping == Grouping::communities) {
    find_groups(engine, analysis, context);  // method (16) to (19)
  } else {
    engine.for_each_condition([&](Index m) {
      ConditionResult& result = analysis.conditions[static_cast<std::size_t>(m)];
      result.groups = engine.group_features(result.vectors, options.groups);  // method (18), the paper's way
    });
  }

  compare_with_genesets(engine.study(), analysis);
  stopwatch.start("figure_data");
  analysis.figure_data = engine.make_figure_data(analysis);
  engine.for_each_condition(
      [&](Index m) { analysis.conditions[static_cast<std::size_t>(m)].eigenvectors = engine.take_eigenvectors(m); });

  stopwatch.stop();
  if (engine.processes() == 1) {  // else nobody has all values
    for (std::string& caution : cautions(engine.study(), engine.match(), analysis, context)) {
      analysis.warnings.push_back(std::move(caution));
    }
  }
  collect_warnings(engine.study(), analysis, context);
  return analysis;
}

Analysis run(std::vector<Dataset> data, const RunOptions& options, const Context& context) {
  if (options.engine.kind != EngineKind::local) {
    throw OptionError("engine", "mpi", "is for the program, started by mpirun; in C++ it is disc::distributed::run");
  }
  return run(*local_engine(std::move(data), context), options, context);
}

}  // namespace disc
