// The method on one page. Each step is asked of the engine that does the work, on this machine or on several; method (n) is the
// equation it computes, and engine.cpp says by which verbs of the public interface. What a labeling of the samples shows is
// found by one function, `analyze` in src/stats/analyze.cpp: the true labels and all permutations go through it.
#include "pipeline/cautions.hpp"
#include "pipeline/engine.hpp"
#include "pipeline/resolve_options.hpp"
#include "pipeline/run_log.hpp"

namespace disc {
namespace {

// Features that go together in one condition as they do in no other: directions over all features.
void find_vectors(Engine& engine, const RunOptions& options, Analysis& analysis, Stopwatch& stopwatch,
                  const Context& context) {
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
}

// Groups of features, and whether chance makes such groups too.
void find_groups(Engine& engine, const RunOptions& options, Analysis& analysis, const Context& context) {
  if (*analysis.used.groups.grouping == Grouping::communities) {
    const auto test = engine.group_test(test_options(engine.study(), analysis.used));
    test->analyze_truth();  // method (18), (21) to (26): `analyze` of the true labels
    test->permute();        // method (16), (25): `analyze` of exchanged labels; p and q
    test->compare_pairs();
    record_groups(test->evidence(), analysis, context);  // method (19)
    return;
  }
  engine.for_each_condition([&](Index m) {
    ConditionResult& result = analysis.conditions[static_cast<std::size_t>(m)];
    result.groups = engine.group_features(result.vectors, options.groups);  // the paper's way, without p
  });
}

}  // namespace

Analysis run(Engine& engine, const RunOptions& options, const Context& context) {
  Analysis analysis;
  analysis.used = options;
  Stopwatch stopwatch(analysis, context);

  stopwatch.start("match features");
  engine.read(options);     // and choose the conditions
  engine.prepare(options);  // what is done to the values: depth, logarithms, missing values
  engine.design(options);   // who may be exchanged with whom; what covariates explain is taken out
  record_features(engine.match(), engine.study(), analysis);
  resolve_options(engine, analysis, context);
  if (analysis.used.graph.form == GraphForm::prototypes) {
    stopwatch.start("prototypes");
    record_prototypes(engine.take_prototypes(), analysis, context);  // method (27)
  }
  find_vectors(engine, options, analysis, stopwatch, context);

  stopwatch.start("groups");
  find_groups(engine, options, analysis, context);
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
  return analysis;  // write_outputs writes it
}

Analysis run(std::vector<Dataset> data, const RunOptions& options, const Context& context) {
  if (options.engine.kind != EngineKind::local) {
    throw OptionError("engine", "mpi", "is for the program, started by mpirun; in C++ it is disc::distributed::run");
  }
  Engine engine(std::move(data), context);
  return run(engine, options, context);
}

}  // namespace disc
