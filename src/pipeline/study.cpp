#include "pipeline/study.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "disc/plan.hpp"
#include "disc/where.hpp"
#include "io/name_hints.hpp"
#include "pipeline/sample_columns.hpp"
#include "pipeline/within.hpp"
#include "prepare/covariates.hpp"
#include "prepare/scale.hpp"
#include "stats/policy.hpp"

namespace disc {
namespace {

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    const auto first = part.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    parts.push_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
  }
  return parts;
}

std::size_t find_condition(std::span<const Dataset> conditions, const std::string& name, const std::string& contrast) {
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    if (conditions[m].name == name) return m;
  }
  std::string known;
  for (const Dataset& condition : conditions) known += (known.empty() ? "" : ", ") + condition.name;
  throw OptionError("contrast", contrast, "there is no condition '" + name + "'; there are " + known);
}

// "B, C vs A": the targets are before the word, what they are compared with after it.
void choose_conditions(std::vector<Dataset> conditions, const std::string& contrast, Study& study) {
  if (contrast.empty()) {
    study.is_target.assign(conditions.size(), true);
    study.conditions = std::move(conditions);
    return;
  }
  const std::size_t middle = contrast.find(" vs ");
  const std::vector<std::string> targets = split_at(contrast.substr(0, middle), ',');
  const std::vector<std::string> others =
      middle == std::string::npos ? std::vector<std::string>() : split_at(contrast.substr(middle + 4), ',');
  if (targets.size() != 1 || others.empty()) {
    throw OptionError("contrast", contrast, "must be one condition, the word vs, and one or more others: \"B vs A,C\"");
  }
  std::set<std::size_t> taken;
  const auto take = [&](const std::string& name, bool is_target) {
    const std::size_t m = find_condition(conditions, name, contrast);
    if (!taken.insert(m).second) throw OptionError("contrast", contrast, "names '" + name + "' twice");
    study.conditions.push_back(conditions[m]);
    study.is_target.push_back(is_target);
  };
  take(targets.front(), true);
  for (const std::string& name : others) take(name, false);
}

// The label of all samples, or nothing if a condition does not have it.
std::vector<std::vector<std::string>> labels_of(const Study& study, const std::string& name) {
  std::vector<std::vector<std::string>> values;
  for (const Dataset& condition : study.conditions) {
    const auto column = std::ranges::find(condition.labels, name, &LabelColumn::name);
    if (column == condition.labels.end()) return {};
    values.push_back(column->values);
  }
  return values;
}

// Where several files make a condition, the samples of a file belong together: they are one unit, unless a column `unit` of the
// manifest says otherwise.
void take_files_as_units(Study& study) {
  study.design.units = labels_of(study, "file");
  if (study.design.units.empty()) return;
  auto units = labels_of(study, "unit");
  study.unit = units.empty() ? "file" : "unit";
  if (!units.empty()) study.design.units = std::move(units);
}

// Scenes of a few bands, the same in all conditions: a band of one date is to be exchanged with the same band of the other one, for
// another band is another quantity. Many bands are left alone: neighbors are alike, and are exchanged in blocks.
bool have_same_few_bands(std::span<const Dataset> conditions) {
  const std::vector<std::string>& bands = conditions.front().samples;
  const auto count = static_cast<Index>(bands.size());
  if (count < policy::min_bands_to_pair || count >= policy::few_bands) return false;
  return std::ranges::all_of(conditions, [&](const Dataset& condition) {
    return condition.is_image && condition.samples == bands && io::has_sample_names(condition);
  });
}

void pair_bands(Study& study, const DesignOptions& options, const Context& context) {
  const bool is_designed = !options.unit.empty() || !options.strata.empty() || !options.paired.empty();
  if (is_designed || !study.design.units.empty() || !have_same_few_bands(study.conditions)) return;
  study.paired = "sample";
  for (const Dataset& condition : study.conditions) study.design.units.push_back(condition.samples);
  study.design.strata = study.design.units;
  context.info("all conditions have the same " + std::to_string(study.conditions.front().samples.size()) +
               " bands: a band is exchanged with the same band only, as by --paired sample");
}

bool compares_by_correlation(const GraphOptions& options) {
  if (options.kernel == Kernel::precomputed) return false;
  return options.distance ? *options.distance != Distance::euclidean : options.kernel == Kernel::association;
}

// As what values enter correlations within each kind.
Distance scores_within(const RunOptions& options) {
  const Distance distance = options.graph.distance.value_or(correlation_of(options.graph.scores));
  const bool is_known =
      distance == Distance::normal_scores || distance == Distance::spearman || distance == Distance::correlation;
  if (options.graph.kernel != Kernel::association || !is_known) {
    throw OptionError("within", options.design.within,
                      "is for correlations: the association kernel with normal-scores, correlation or spearman");
  }
  return distance;
}

// Where no units are given, samples are exchanged within their kind: then every labeling has the same mixture.
void exchange_within(const std::vector<std::vector<std::string>>& kinds, Design& design) {
  if (!design.units.empty()) return;
  if (design.strata.empty()) {
    design.strata = kinds;
    return;
  }
  for (std::size_t m = 0; m < kinds.size(); ++m) {
    for (std::size_t i = 0; i < kinds[m].size(); ++i) design.strata[m][i] += "\t" + kinds[m][i];
  }
}

using Cells = std::vector<std::vector<std::string>>;

// A column of the table, or a label of the samples, for all conditions.
Cells column_of(const Study& study, const SampleColumns& known, const std::string& name, const std::string& option) {
  Cells cells;
  for (const Dataset& condition : study.conditions) cells.push_back(known.of(condition, name, option));
  return cells;
}

// Samples of few kinds are thinned so that every condition has the same mixture; and the kind of each that is left.
Cells choose_kinds(Study& study, const SampleColumns& known, const DesignOptions& options, const Context& context) {
  Cells kinds;
  if (options.within.empty()) return kinds;
  for (const Dataset& condition : study.conditions)
    kinds.push_back(known.of(condition, options.within, "within", false));
  return balance_kinds(study.conditions, std::move(kinds), options.within, study.preparation.steps, context);
}

// Who is exchanged with whom: units, within strata; the samples of a pair are units of a stratum of their own.
void choose_units(Study& study, const SampleColumns& known, const DesignOptions& options) {
  if (options.unit.empty() && options.paired.empty()) take_files_as_units(study);
  if (!options.paired.empty() && !options.unit.empty()) {
    throw OptionError("paired", options.paired, "cannot be combined with --unit: a pair's samples are its units");
  }
  if (!options.unit.empty()) study.design.units = column_of(study, known, options.unit, "unit");
  if (!options.strata.empty()) study.design.strata = column_of(study, known, options.strata, "strata");
  if (options.paired.empty()) return;
  study.design.units = column_of(study, known, options.paired, "paired");
  const Cells outer = study.design.strata;
  study.design.strata = study.design.units;
  for (std::size_t m = 0; m < outer.size(); ++m) {
    for (std::size_t i = 0; i < outer[m].size(); ++i) study.design.strata[m][i] += "\t" + outer[m][i];
  }
}

// What covariates and strata explain is taken out of the values.
void take_out_covariates(Study& study, const SampleColumns& known, const DesignOptions& options) {
  std::vector<Covariate> covariates;
  for (const std::string& name : split_at(options.covariate, ','))
    covariates.push_back({name, column_of(study, known, name, "covariate")});
  // Units are exchanged within strata only, and what strata differ in is no connection either.
  if (!options.strata.empty()) {
    Covariate strata{options.strata, column_of(study, known, options.strata, "strata")};
    if (can_be_centered(strata)) covariates.push_back(std::move(strata));
  }
  remove_covariates(study.conditions, covariates, study.preparation.steps);
}

}  // namespace

Study choose_study(std::vector<Dataset> conditions, const RunOptions& options, const Context& context,
                   const Team* team) {
  Study study;
  for (const Dataset& condition : conditions) {  // nothing below has to think of this
    if (condition.values.rows() > 0) continue;
    throw InputError({.file = condition.source},
                     "condition '" + condition.name + "' has 0 samples; at least 2 are needed");
  }
  if (options.design.by.empty()) conditions = select_where(std::move(conditions), options.design, context);
  choose_conditions(std::move(conditions), options.design.contrast, study);
  if (!options.genesets.empty()) study.genesets = read_gmt(options.genesets);
  if (team == nullptr) {
    study.warnings = check_conditions(study.conditions, options, study.genesets);
    for (const std::string& warning : study.warnings) context.warn(warning);  // before the work, which may be long
  }
  return study;
}

void prepare_study(Study& study, const RunOptions& options, const Context& context, const Team* team) {
  std::vector<PreparationStep> scaled;
  // Depths of counts stay what they are.
  if (options.prepare.normalization != Normalization::log_cpm) {
    scaled = scale_extremes(study.conditions, compares_by_correlation(options.graph), context, team);
  }
  study.preparation = prepare(std::move(study.conditions), options.prepare, context, team);
  study.preparation.steps.insert(study.preparation.steps.begin(), scaled.begin(), scaled.end());
  study.conditions = std::move(study.preparation.conditions);
}

void design_study(Study& study, const RunOptions& run_options, const Context& context) {
  const DesignOptions& options = run_options.design;
  const SampleColumns known(options.metadata, options.by.empty());
  const Cells kinds = choose_kinds(study, known, options, context);
  for (Dataset& condition : study.conditions) known.add_labels(condition);
  choose_units(study, known, options);
  take_out_covariates(study, known, options);
  if (!kinds.empty()) {
    score_within_kinds(study.conditions, kinds, study.design.units, scores_within(run_options), context);
    exchange_within(kinds, study.design);
    study.is_scored = true;
  }
  pair_bands(study, options, context);
}

Study make_study(std::vector<Dataset> conditions, const RunOptions& options, const Context& context) {
  Study study = choose_study(std::move(conditions), options, context);
  prepare_study(study, options, context);
  design_study(study, options, context);
  return study;
}

}  // namespace disc
