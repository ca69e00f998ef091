#include "pipeline/run_log.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "pipeline/engine.hpp"
#include "stats/policy.hpp"

namespace disc {

std::string plural(Index count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string in_percent(double share) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, 100.0 * share, std::chars_format::fixed, 1).ptr;
  return std::string(text, end) + " %";
}

void Stopwatch::start(const std::string& stage) {
  stop();
  stage_ = stage;
  began_ = std::chrono::steady_clock::now();
  context_.progress(stage, 0.0);
}

void Stopwatch::stop() {
  if (stage_.empty()) return;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
  analysis_.timings.push_back({stage_, passed.count()});
  context_.progress(stage_, 1.0);
  stage_.clear();
}

void record_features(const FeatureMatch& match, const Study& study, Analysis& analysis) {
  analysis.features = match.features;
  analysis.excluded = study.preparation.excluded;
  analysis.excluded.insert(analysis.excluded.end(), match.excluded.begin(), match.excluded.end());
  analysis.total_features = static_cast<Index>(analysis.features.size() + analysis.excluded.size());
  analysis.preparation = study.preparation.steps;
  analysis.warnings = study.preparation.hints;
  analysis.used.prepare.normalization = study.preparation.normalization;
  analysis.used.prepare.select = study.preparation.select;
  analysis.used.prepare.standardize_files = study.preparation.files_standardized;
  analysis.used.prepare.remove_global_signal = study.preparation.common_removed;
  if (!study.unit.empty()) analysis.used.design.unit = study.unit;
  if (study.is_scored) analysis.used.graph.distance = Distance::correlation;
  if (!study.paired.empty()) analysis.used.design.paired = study.paired;
  for (std::size_t m = 0; m < study.conditions.size(); ++m) {
    ConditionResult result;
    result.name = study.conditions[m].name;
    result.samples = study.conditions[m].values.rows();
    result.is_target = study.is_target[m];
    analysis.conditions.push_back(std::move(result));
  }
}

void record_prototypes(const FormChoice& found, Analysis& analysis, const Context& context) {
  analysis.form.prototypes = found.prototypes;
  analysis.form.loss = found.loss;
  analysis.used.graph.prototypes = found.prototypes;
  const double loss = found.loss.value_or(0.0);
  context.info(std::to_string(found.prototypes) + " prototypes stand for " +
               plural(static_cast<Index>(analysis.features.size()), "feature") + " and lose " + in_percent(loss) +
               " of their variance");
  if (loss <= policy::max_loss_of_prototypes) return;
  analysis.warnings.push_back(
      "prototypes lose " + in_percent(loss) +
      " of the variance of the features: what is found among them may not be true of the features; --graph knn "
      "or dense keeps single features");
}

void record_graph(const FeatureGraph& graph, Index condition, Analysis& analysis) {
  ConditionResult& result = analysis.conditions[static_cast<std::size_t>(condition)];
  result.duplicates = graph.duplicates;
  result.recomputed_pairs = graph.recomputed_pairs;
  result.neighbor_recall = graph.recall;
  if (condition == 0) {  // chosen alike for all conditions, but for the bandwidth of rbf, which the data decide
    analysis.used.graph = graph.used;
  }
}

void record_spectrum(Spectrum&& spectrum, Index condition, Analysis& analysis) {
  ConditionResult& result = analysis.conditions[static_cast<std::size_t>(condition)];
  result.dimensions = std::move(spectrum.dimensions);
  result.pairs = std::move(spectrum.pairs);
  result.pairs.vectors.resize(0, 0);  // U is kept instead
}

void drop_unless_converged(ConditionResult& result) {
  DifferentialVectors& found = result.vectors;
  if (found.convergence.converged) return;
  found.vectors.resize(found.vectors.rows(), 0);
  found.sigma.resize(0);
  found.degenerate_subspace.clear();
  found.leading = 0;
}

void record_dimensions(Analysis& analysis) {
  Index most = 0;
  for (ConditionResult& condition : analysis.conditions) {
    most = std::max(most, condition.dimensions.chosen);
    Vector& values = condition.pairs.values;
    values = values.tail(values.size() - trivial_pairs(analysis.used.differential)).eval();
  }
  analysis.used.differential.eigenvectors = most;
}

void record_groups(TestResult&& tested, Analysis& analysis, const Context& context) {
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    ConditionResult& condition = analysis.conditions[m];
    condition.groups.groups = std::move(tested.conditions[m].groups);
    condition.groups.requested =
        static_cast<Index>(condition.groups.groups.size() + tested.conditions[m].candidates.size());
    condition.candidates = std::move(tested.conditions[m].candidates);
    condition.pairs_changed = std::move(tested.conditions[m].pairs);
    // Diffusion maps of noise have no vector at all.
    condition.vectors.leading = std::min(condition.vectors.leading, condition.vectors.vectors.cols());
    if (condition.vectors.vectors.cols() == 0) condition.vectors.sigma.resize(0);
    condition.vectors.residual =
        local_linear_residuals(condition.vectors.vectors.leftCols(condition.vectors.leading), context);
    // Without any leading vector the first is still worth a picture.
    condition.groups.energy = differential_energy(
        condition.vectors, std::min(std::max<Index>(1, condition.vectors.leading), condition.vectors.vectors.cols()));
  }
  analysis.statistics = std::move(tested.statistics);
}

// What helps where the solver does not converge: it depends on the number of features.
static std::string advice_of_size(const Analysis& analysis) {
  constexpr std::size_t features_of_lapack = 10'000;  // a few minutes
  if (analysis.used.graph.form != GraphForm::knn || analysis.features.size() <= features_of_lapack)
    return "and its vectors are not used; raise --max-restarts or use --solver lapack";
  return "and its vectors are not used: a graph of so many neighbors may have no clear leading vectors; --graph "
         "prototypes looks at all "
         "pairs, --tolerance 1e-4 asks for fewer digits";
}

void collect_warnings(const Study& study, Analysis& analysis, const Context& context) {
  for (const ConditionResult& condition : analysis.conditions) {
    const auto warn = [&](const std::string& text) {
      analysis.warnings.push_back("condition " + condition.name + ": " + text);
    };
    if (!condition.pairs.convergence.converged || !condition.vectors.convergence.converged) {
      analysis.converged = false;
      warn("the solver did not reach its tolerance, " + advice_of_size(analysis));
    }
    if (condition.pairs.components > 1) {
      warn("the graph falls into " + std::to_string(condition.pairs.components) +
           " components; features without connection hide groups, --degree-regularization 1 helps");
    }
    if (condition.duplicates > 0) {
      warn(plural(condition.duplicates, "feature") + " duplicate others; they got the smallest positive bandwidth");
    }
  }
  for (const std::string& warning : analysis.warnings) context.warn(warning);
  // Those from before the work were said then.
  analysis.warnings.insert(analysis.warnings.begin(), study.warnings.begin(), study.warnings.end());
}

}  // namespace disc
