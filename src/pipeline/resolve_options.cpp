#include "pipeline/resolve_options.hpp"

#include <algorithm>

#include "disc/plan.hpp"
#include "graph/neighbor_graph.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/run_log.hpp"
#include "stats/policy.hpp"

namespace disc {
namespace {

constexpr Index min_features = 4;

// Communities are found from correlations, which only some graphs are made of.
bool is_made_of_correlations(const GraphOptions& graph) {
  return graph.kernel == Kernel::association && graph.association_cut != AssociationCut::fdr &&
         (!graph.distance || graph.distance == Distance::correlation || graph.distance == Distance::spearman ||
          graph.distance == Distance::normal_scores);
}

// Ranks of a few bands say too little: their values enter the correlations. A shape makes an array an image.
void resolve_scores(std::span<const Dataset> conditions, bool has_shape, GraphOptions& graph) {
  if (graph.kernel != Kernel::association || graph.distance || graph.scores) return;
  const bool few = std::ranges::all_of(conditions, [&](const Dataset& condition) {
    return (condition.is_image || has_shape) && condition.values.rows() < policy::few_bands;
  });
  if (few) graph.scores = Scores::values;
}

void resolve_grouping(RunOptions& used) {
  const bool possible = is_made_of_correlations(used.graph);
  std::optional<Grouping>& grouping = used.groups.grouping;
  if (!grouping) {
    const bool wanted = possible && !used.groups.groups && !used.groups.threshold_size;
    grouping = wanted ? Grouping::communities : Grouping::kmeans;
  }
  if (grouping == Grouping::communities && !possible) {
    throw OptionError(
        "grouping", "communities",
        "needs the association kernel with distance correlation, spearman or normal-scores and the soft or hard cut");
  }
}

// As given, or as the first file says. Pixels that were excluded since still have their places.
void resolve_shape(std::optional<ImageShape>& shape, const Dataset& first) {
  const Index features = first.features_before > 0 ? first.features_before : first.values.cols();
  if (!shape && first.shape.size() == 2 && first.shape[0] * first.shape[1] == features) {
    shape = ImageShape{first.shape[0], first.shape[1]};
  }
  if (!shape || shape->height * shape->width == features) return;
  throw OptionError("shape", std::to_string(shape->height) + "x" + std::to_string(shape->width),
                    "must have as many pixels as the first file has features, " + std::to_string(features));
}

// What prototypes cannot do.
void check_prototypes(const RunOptions& used) {
  if (!is_made_of_correlations(used.graph)) {
    throw OptionError("graph", "prototypes",
                      "needs the association kernel with distance correlation, spearman or normal-scores and the soft "
                      "or hard cut");
  }
  if (used.differential.method != Method::disc) throw OptionError("graph", "prototypes", "needs the method disc");
}

std::string described(GraphForm form) {
  if (form == GraphForm::prototypes) return " with prototypes";
  return form == GraphForm::dense ? " with matrices" : " with graphs of neighbors";
}

std::string sized(const MemoryProblem& problem, GraphForm form) {
  return std::to_string(problem.features) + " features and " + std::to_string(problem.samples) +
         " samples need about " + memory_text(memory_needed(problem, form)) + described(form);
}

// BLAS would wait for its memory for ever.
void check_address_space(const MemoryProblem& problem, GraphForm form, int threads) {
  const double left = address_space_left();
  if (memory_needed(problem, form) + threads * blas_buffer <= left) return;
  throw OutOfMemory("out of memory: the address space of the process is limited (ulimit -v), " +
                    memory_text(std::max(left, 0.0)) + " are left, and " + sized(problem, form) + " and " +
                    std::to_string(threads) + " threads " + memory_text(threads * blas_buffer));
}

// Prototypes where they lose little of the features, for they hold all pairs; else the nearest of every feature.
GraphForm form_of_many(Engine& engine, Analysis& analysis, const MemoryProblem& problem, int threads) {
  const bool can = is_made_of_correlations(analysis.used.graph) && analysis.used.differential.method == Method::disc;
  if (can) check_address_space(problem, GraphForm::prototypes, threads);
  const std::optional<double> loss = can ? engine.try_prototypes(analysis.used.graph) : std::nullopt;
  if (!loss) return GraphForm::knn;
  analysis.form.loss = loss;
  const bool is_small = *loss <= policy::max_loss_of_prototypes;
  analysis.form.why = "prototypes would lose " + in_percent(*loss) + " of the variance of the features, " +
                      (is_small ? "no more than " : "more than ") + in_percent(policy::max_loss_of_prototypes) +
                      (is_small ? ": all pairs are looked at through prototypes"
                                : ": features are too different, and each keeps its nearest");
  return is_small ? GraphForm::prototypes : GraphForm::knn;
}

// All pairs as long as matrices of them are affordable. What needs the matrices themselves gets them.
void resolve_form(Engine& engine, Analysis& analysis, const MemoryProblem& problem, const Context& context) {
  RunOptions& used = analysis.used;
  const Index features = problem.features;
  // The permutations of the association kernel take their time on matrices; the paper's kernels are run once.
  const Index max_features = used.graph.kernel == Kernel::association ? 5'000 : 20'000;
  GraphForm& form = used.graph.form;
  const bool needs_matrix = used.graph.kernel == Kernel::precomputed || used.differential.method != Method::disc ||
                            used.solver.solver == Solver::lapack || used.graph.association_cut == AssociationCut::fdr;
  const bool dense_fits = !used.memory_limit || memory_needed(problem, GraphForm::dense) <= *used.memory_limit;
  if (form == GraphForm::automatic) {
    const bool many = features > max_features || !dense_fits;
    form = many && !needs_matrix ? form_of_many(engine, analysis, problem, context.threads()) : GraphForm::dense;
    if (!analysis.form.why.empty()) context.info(analysis.form.why);
  } else if (form == GraphForm::prototypes) {
    check_prototypes(used);
    check_address_space(problem, form, context.threads());
    if (!engine.try_prototypes(used.graph)) {
      throw OptionError("graph", "prototypes", "is for the engine local; use --graph knn with the engine mpi");
    }
  }
  // An approximate graph has no more digits to give.
  constexpr double tolerance_of_neighbors = 1e-6;
  const bool is_approximate = !is_search_exact(used.graph, features, problem.samples / problem.conditions);
  if (form == GraphForm::knn && is_approximate && features > max_features) {
    used.solver.tolerance = std::max(used.solver.tolerance, tolerance_of_neighbors);
  }
  if (form == GraphForm::knn && used.graph.kernel == Kernel::precomputed) {
    throw OptionError("graph", "knn", "precomputed weights are a graph already");
  }
}

// Before the work begins: the machine would say so hours later.
void check_memory(RunOptions& used, const MemoryProblem& problem, Analysis& analysis, int threads) {
  const double needed = memory_needed(problem, used.graph.form);
  const std::string size = sized(problem, used.graph.form);
  if (used.memory_limit && needed > *used.memory_limit) {
    throw OptionError("memory-limit", memory_text(*used.memory_limit),
                      "is not enough: " + size + "; allow more, or choose features (--select)");
  }
  check_address_space(problem, used.graph.form, threads);
  if (used.memory_limit) {  // the sums of the units get what is left
    const double left = std::max(0.1, (*used.memory_limit - needed) / gibibyte + 1.0);
    used.statistics.memory_limit = std::min(used.statistics.memory_limit, left);
  } else if (const double available = memory_available(); needed > available) {
    analysis.warnings.push_back(size + ", and the machine has " + memory_text(available) +
                                " left; --memory-limit refuses what does not fit");
  }
}

}  // namespace

void resolve_options(Engine& engine, Analysis& analysis, const Context& context) {
  const Study& study = engine.study();
  const Index p = static_cast<Index>(analysis.features.size());
  const Index conditions = static_cast<Index>(study.conditions.size());
  if (p < min_features) {
    std::string why;
    if (!analysis.excluded.empty()) {
      const Excluded& first = analysis.excluded.front();
      why = " (" + std::to_string(analysis.excluded.size()) + " excluded, e.g. '" + first.feature +
            "': " + first.reason + ")";
    }
    throw InputError("only " + plural(p, "feature") + " can be used" + why + "; at least " +
                     std::to_string(min_features) + " are needed");
  }
  DifferentialOptions& options = analysis.used.differential;
  resolve_scores(study.conditions, analysis.used.shape.has_value(), analysis.used.graph);
  resolve_grouping(analysis.used);
  Index samples = 0;
  for (const Dataset& condition : study.conditions) samples += condition.values.rows();
  const MemoryProblem problem{p,
                              samples,
                              conditions,
                              analysis.used.graph.precision == Precision::single,
                              analysis.used.groups.grouping == Grouping::communities,
                              engine.processes()};
  resolve_form(engine, analysis, problem, context);
  check_memory(analysis.used, problem, analysis, context.threads());
  analysis.used.statistics = resolved(analysis.used.statistics);
  if (analysis.used.graph.kernel == Kernel::association && !analysis.used.graph.distance) {
    analysis.used.graph.distance = correlation_of(analysis.used.graph.scores);
  }
  resolve_shape(analysis.used.shape, study.conditions.front());
  const Index most = (p - 1) / (conditions - 1) - 1;
  if (options.eigenvectors && (*options.eigenvectors < 1 || *options.eigenvectors > most)) {
    throw OptionError("eigenvectors", std::to_string(*options.eigenvectors),
                      "must be between 1 and " + std::to_string(most) + " for " + plural(p, "feature") + " and " +
                          std::to_string(conditions) + " conditions, or nothing is left to differ");
  }
  if (options.vectors && (*options.vectors < 1 || *options.vectors > p - 1)) {
    throw OptionError("vectors", std::to_string(*options.vectors),
                      "must be between 1 and " + std::to_string(p - 1) + " (features used - 1)");
  }
  const std::optional<Index>& k = analysis.used.graph.bandwidth_neighbors;
  if (k && (*k < 1 || *k > p - 1)) {
    throw OptionError("bandwidth-neighbors", std::to_string(*k),
                      "must be between 1 and " + std::to_string(p - 1) + " (features used - 1)");
  }
  const std::optional<Index>& groups = analysis.used.groups.groups;
  if (groups && *groups > p - 1) {
    throw OptionError("groups", std::to_string(*groups),
                      "must be at most " + std::to_string(p - 1) + " (features used - 1)");
  }
}

}  // namespace disc
