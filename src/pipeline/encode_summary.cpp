// summary.json: what was asked, chosen and found. docs/outputs.md explains every field.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "disc/options.hpp"
#include "pipeline/encode.hpp"
#include "pipeline/encode_policy.hpp"

namespace disc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t top_features_shown = 10;

// A number whatever the locale of the process, and however small.
template <class T>
Json read_exactly(const std::string& text) {
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() ? Json(value) : Json(text);
}

// A setting with its own type: numbers as numbers, switches as true or false, "auto" of an unset one as null.
Json typed(const OptionField& field, const std::string& text) {
  const bool auto_is_a_choice = std::find(field.choices.begin(), field.choices.end(), "auto") != field.choices.end();
  if (text == "auto" && !auto_is_a_choice) return nullptr;
  if (field.type == "integer") return read_exactly<std::int64_t>(text);
  if (field.type == "number") return read_exactly<double>(text);
  if (field.type == "switch") return text == "yes";
  return text;
}

Json settings_used(const RunOptions& options) {
  Json settings = Json::object();
  for (const OptionField& field : option_table()) settings[field.name] = typed(field, field.text(options));
  return settings;
}

Json settings_given(const std::map<std::string, std::string>& given) {
  const auto& table = option_table();
  Json settings = Json::object();
  for (const auto& [name, text] : given) {
    const auto field = std::ranges::find(table, name, &OptionField::name);
    // What is not in the table (--preset, --names, ...) is text; "auto" stays as the user wrote it.
    settings[name] = field == table.end() || text == "auto" ? Json(text) : typed(*field, text);
  }
  return settings;
}

// Not finite becomes null: JSON has no NaN.
Json numbers(const Vector& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  return list;
}

Json describe(const Convergence& convergence) {
  return {{"converged", convergence.converged},
          {"iterations", convergence.iterations},
          {"applications", convergence.applications},
          {"residual", convergence.residual}};
}

Json describe_groups(const FeatureGroups& found, const std::vector<std::string>& features) {
  Json list = Json::array();
  for (std::size_t g = 0; g < found.groups.size(); ++g) {
    std::vector<Index> members = found.groups[g].features;
    double total = 0;
    for (const Index member : members) total += found.energy[member];
    std::stable_sort(members.begin(), members.end(),
                     [&](Index a, Index b) { return found.energy[a] > found.energy[b]; });
    Json top = Json::array();
    for (std::size_t i = 0; i < std::min(members.size(), top_features_shown); ++i) {
      top.push_back(features[static_cast<std::size_t>(members[i])]);
    }
    const FeatureGroup& group = found.groups[g];
    list.push_back(
        {{"id", group_name(found, g)},
         {"level", group.parent < 0 ? 1 : 2},
         {"parent", group.parent < 0 ? Json(nullptr) : Json(group_name(found, static_cast<std::size_t>(group.parent)))},
         {"size", members.size()},
         {"mean_energy", members.empty() ? 0.0 : total / static_cast<double>(members.size())},
         {"top_features", std::move(top)}});
  }
  return list;
}

// A number that may not be finite.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json names_of(const std::vector<Index>& members, const std::vector<std::string>& features) {
  Json names = Json::array();
  for (const Index member : members) names.push_back(features[static_cast<std::size_t>(member)]);
  return names;
}

// A group that was tested; evidence only of the answers.
Json describe(const FeatureGroup& group, const std::vector<ConditionResult>& conditions,
              const std::vector<std::string>& features) {
  Json json = {{"size", group.features.size()},
               {"p", group.p},
               {"q", number(group.q)},
               {"direction", group.is_lost() ? "lost" : "gained"},
               {"view", name_of(group.view)},
               {"score", number(group.score)},
               {"statistic", number(group.statistic)}};
  if (group.p_tail) json["p_tail"] = *group.p_tail;
  const GroupEvidence& evidence = group.evidence;
  if (evidence.mean_correlation.empty()) return json;
  Json per_condition = Json::array();
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    const Interval& mean = evidence.mean_correlation[m];
    per_condition.push_back({{"condition", conditions[m].name},
                             {"mean_correlation", mean.value},
                             {"mean_correlation_low", mean.low},
                             {"mean_correlation_high", mean.high},
                             {"conductance", evidence.conductance[m]}});
  }
  json["conditions"] = std::move(per_condition);
  json["stability"] = evidence.stability;
  json["mean_change"] = number(evidence.mean_change);
  json["variance_change"] = number(evidence.variance_change);
  json["hubs"] = names_of(evidence.hubs, features);
  Json edges = Json::array();
  for (const GainedEdge& edge : evidence.edges) {
    edges.push_back({{"a", features[static_cast<std::size_t>(edge.a)]},
                     {"b", features[static_cast<std::size_t>(edge.b)]},
                     {"correlation", edge.here},
                     {"elsewhere", edge.elsewhere}});
  }
  json["edges_gained"] = std::move(edges);
  json["core"] = names_of(evidence.core, features);
  json["core_size"] = evidence.core.size();
  return json;
}

Json describe(const Dimensions& dimensions) {
  return {{"chosen", dimensions.chosen},
          {"rule", dimensions.rule},
          {"noise_threshold", dimensions.edge ? Json(*dimensions.edge) : Json(nullptr)},
          {"above_noise", dimensions.above_noise},
          {"by_split_halves", dimensions.by_halves},
          {"by_largest_gap", dimensions.by_gap},
          {"computed", dimensions.available}};
}

Json describe(const std::vector<SigmaAtDimension>& path) {
  Json list = Json::array();
  for (const SigmaAtDimension& step : path) {
    list.push_back({{"eigenvectors", step.eigenvectors}, {"sigma", numbers(step.sigma)}});
  }
  return list;
}

// How samples depend on each other, and what was done about it.
Json describe(const Statistics::Sampling& sampling) {
  return {{"autocorrelation", number(sampling.autocorrelation)},
          {"block", sampling.block},
          {"gap", sampling.gap},
          {"similarity", sampling.similarity ? number(*sampling.similarity) : Json(nullptr)},
          {"centered", sampling.centered},
          {"weighted", sampling.weighted},
          {"matched", sampling.matched},
          {"samples_used", sampling.samples_used},
          {"effective_share", number(sampling.effective_share)}};
}

// How the p-values were made.
Json describe(const Statistics& statistics) {
  Json views = Json::array();
  for (const View& view : statistics.views) views.push_back(name_of(view));
  return {{"permutations", statistics.permutations},
          {"exact", statistics.exact},
          {"n_features_tested", statistics.n_features_tested},
          {"stopped_early", statistics.stopped_early},
          {"min_p", statistics.min_p},
          {"units", statistics.units},
          {"units_in_design", statistics.units_in_design},
          {"samples_are_units", statistics.samples_are_units},
          {"views", std::move(views)},
          {"sampling", describe(statistics.sampling)}};
}

Json describe(const FormChoice& form, const RunOptions& used) {
  const OptionField& field = find_option("graph");
  return {{"form", field.text(used)},
          {"why", form.why.empty() ? Json(nullptr) : Json(form.why)},
          {"prototypes", form.prototypes > 0 ? Json(form.prototypes) : Json(nullptr)},
          {"loss", form.loss ? Json(*form.loss) : Json(nullptr)}};
}

Json describe(const ConditionResult& condition, const std::string& key, const std::vector<std::string>& features) {
  return {
      {"name", condition.name},
      {"key", key},
      {"samples", condition.samples},
      {"eigenvalues", numbers(condition.pairs.values)},
      {"is_target", condition.is_target},
      {"eigenvectors_used", condition.eigenvectors.cols()},
      {"dimensions", describe(condition.dimensions)},
      {"sigma_by_eigenvectors", describe(condition.sigma_path)},
      {"eigenvalue_gap", condition.pairs.gap},
      {"components", condition.pairs.components},
      {"basis_rank", condition.vectors.basis_rank},
      {"sigma", numbers(condition.vectors.sigma)},
      {"degenerate_subspace", condition.vectors.degenerate_subspace},
      {"local_linear_residual", numbers(condition.vectors.residual)},
      {"leading_vectors", condition.vectors.leading},
      {"duplicates", condition.duplicates},
      {"recomputed_pairs", condition.recomputed_pairs},
      {"neighbor_recall", condition.neighbor_recall},
      {"convergence",
       {{"eigenvectors", describe(condition.pairs.convergence)}, {"vectors", describe(condition.vectors.convergence)}}},
      {"groups_requested", condition.groups.requested},
      {"groups", describe_groups(condition.groups, features)}};
}

// Evidence of a condition's groups, and what was no answer.
void add_statistics(const Analysis& analysis, std::size_t m, Json& json) {
  const ConditionResult& condition = analysis.conditions[m];
  json["pairs"] = nullptr;
  if (condition.pairs_changed) {
    json["pairs"] = {{"found", condition.pairs_changed->found}, {"listed", condition.pairs_changed->pairs.size()}};
  }
  const bool has_p = analysis.statistics->permutations > 0;
  for (std::size_t g = 0; g < condition.groups.groups.size(); ++g) {
    const FeatureGroup& group = condition.groups.groups[g];
    Json& entry = json["groups"][g];
    entry.update(describe(group, analysis.conditions, analysis.features));
    entry["significant"] = !has_p || group.p <= analysis.used.statistics.level;
  }
  json["candidates"] = Json::array();
  for (const FeatureGroup& candidate : condition.candidates) {
    json["candidates"].push_back(describe(candidate, analysis.conditions, analysis.features));
    json["candidates"].back()["features"] = names_of(candidate.features, analysis.features);
  }
}

Json describe(const std::vector<PreparationStep>& steps) {
  Json list = Json::array();
  for (const PreparationStep& step : steps) {
    list.push_back({{"step", step.step},
                    {"condition", step.condition.empty() ? Json(nullptr) : Json(step.condition)},
                    {"changed", step.changed},
                    {"count", step.count}});
  }
  return list;
}

// The sets that share most with each group.
void add_enrichment(const Analysis& analysis, Json& conditions) {
  constexpr std::size_t sets_shown = 5;
  for (Json& condition : conditions) {
    for (Json& group : condition["groups"]) group["sets"] = Json::array();
  }
  for (const SetOverlap& overlap : analysis.enrichment) {  // by falling significance within a group
    Json& list = conditions[static_cast<std::size_t>(overlap.condition)]["groups"]
                           [static_cast<std::size_t>(overlap.group)]["sets"];
    if (list.size() >= sets_shown) continue;
    list.push_back({{"set", overlap.set},
                    {"shared", overlap.features.size()},
                    {"set_size", overlap.set_size},
                    {"p", overlap.p},
                    {"q", overlap.q}});
  }
}

}  // namespace

std::string summary_json(const Analysis& analysis, const RunRecord& record, const std::vector<std::string>& keys) {
  Json excluded = Json::array();
  for (const Excluded& feature : analysis.excluded) {
    excluded.push_back({{"feature", feature.feature}, {"reason", feature.reason}});
  }
  Json conditions = Json::array();
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    conditions.push_back(describe(analysis.conditions[m], keys[m], analysis.features));
    if (analysis.statistics) add_statistics(analysis, m, conditions.back());
  }
  if (!analysis.used.genesets.empty()) add_enrichment(analysis, conditions);
  Json inputs = Json::array();
  for (const auto& [file, digest] : record.inputs) inputs.push_back({{"file", file}, {"digest", digest}});
  Json timings = Json::array();
  for (const StageTime& time : analysis.timings) timings.push_back({{"stage", time.stage}, {"seconds", time.seconds}});

  const Json summary = {
      {"version", version()},
      {"date", record.date.empty() ? Json(nullptr) : Json(record.date)},
      {"settings", {{"given", settings_given(record.given)}, {"used", settings_used(analysis.used)}}},
      {"features",
       {{"total", analysis.total_features}, {"used", analysis.features.size()}, {"excluded", std::move(excluded)}}},
      {"preparation", describe(analysis.preparation)},
      {"graph", describe(analysis.form, analysis.used)},
      {"component_features", analysis.figure_data.component_features},
      {"conditions", std::move(conditions)},
      {"statistics", analysis.statistics ? describe(*analysis.statistics) : Json(nullptr)},
      {"policy", analysis.statistics ? describe_policy() : Json(nullptr)},
      {"warnings", analysis.warnings},
      {"converged", analysis.converged},
      {"inputs", std::move(inputs)},
      {"seed", record.seed},
      {"threads", record.threads},
      {"timings", std::move(timings)},
      {"peak_memory_bytes", peak_memory_bytes()}};
  // Names may hold bytes that are not UTF-8; NaN and infinity are written as null.
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace disc
