// The files of a test of given sets. docs/outputs.md explains every column.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "disc/follow_up.hpp"

namespace disc {
namespace {

using Json = nlohmann::ordered_json;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::string joined_names(const std::vector<Index>& features, const std::vector<std::string>& names) {
  std::string text;
  for (const Index j : features) text += (text.empty() ? "" : ",") + names[at(j)];
  return text;
}

std::string distinct_members(const GivenSet& set) {
  return std::to_string(std::set<std::string>(set.members.begin(), set.members.end()).size());
}

Json sampling_of(const Statistics::Sampling& sampling) {
  return {{"autocorrelation", sampling.autocorrelation},
          {"block", sampling.block},
          {"gap", sampling.gap},
          {"similarity", sampling.similarity ? Json(*sampling.similarity) : Json(nullptr)},
          {"centered", sampling.centered},
          {"weighted", sampling.weighted},
          {"effective_share", sampling.effective_share}};
}

}  // namespace

bool is_for_sets(const OptionField& option) {
  static const std::set<std::string_view> others{"distance", "scores", "permutations", "block"};
  if (option.name == "shape") return false;
  return option.section == "Data" || option.section == "Design" || others.contains(option.name);
}

std::string sets_tsv(const SetStudy& study, std::span<const GivenSet> sets, const SetTests& tests) {
  TextTable table{{"set", "description", "condition", "direction", "p", "q", "statistic", "mean_correlation",
                   "elsewhere", "compared_with", "members", "found"},
                  {}};
  for (const std::string& name : study.conditions) table.columns.push_back("correlation_" + name);
  table.columns.emplace_back("features");
  for (const SetTest& test : tests.tests) {
    const GivenSet& set = sets[at(test.set)];
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{
        set.name, set.description, study.conditions[at(test.condition)], test.is_gained() ? "gained" : "lost",
        format_number(test.p), format_number(test.q), format_number(test.statistic),
        format_number(test.mean_correlation[at(test.condition)]), format_number(test.mean_correlation[at(test.like)]),
        study.conditions[at(test.like)], distinct_members(set), std::to_string(test.features.size())});
    for (const double mean : test.mean_correlation) row.push_back(format_number(mean));
    row.push_back(joined_names(test.features, study.tester.features()));
  }
  for (const Index s : tests.not_tested) {
    std::vector<std::string>& row = table.rows.emplace_back(table.columns.size());
    row[0] = sets[at(s)].name;
    row[1] = sets[at(s)].description;
    row[10] = distinct_members(sets[at(s)]);
  }
  return encode_tsv(table);
}

std::string sets_json(const SetStudy& study, const SetTests& tests, const RunRecord& record) {
  Json given = Json::object(), used = Json::object(), conditions = Json::array(), inputs = Json::array(),
       preparation = Json::array();
  for (const auto& [name, value] : record.given) given[name] = value;
  for (const OptionField& option : option_table()) {
    if (is_for_sets(option)) used[option.name] = option.text(study.used);
  }
  for (std::size_t m = 0; m < study.conditions.size(); ++m) {
    conditions.push_back({{"name", study.conditions[m]}, {"samples", study.samples[m]}});
  }
  for (const auto& [file, digest] : record.inputs) inputs.push_back({{"file", file}, {"digest", digest}});
  for (const PreparationStep& step : study.preparation) {
    preparation.push_back({{"step", step.step}, {"changed", step.changed}, {"count", step.count}});
  }
  const Json summary = {{"version", version()},
                        {"date", record.date.empty() ? Json(nullptr) : Json(record.date)},
                        {"settings", {{"given", given}, {"used", used}}},
                        {"conditions", conditions},
                        {"features", {{"total", study.total_features}, {"used", study.tester.features().size()}}},
                        {"preparation", preparation},
                        {"tests", tests.tests.size()},
                        {"sets_not_tested", tests.not_tested.size()},
                        {"permutations", tests.permutations},
                        {"exact", tests.exact},
                        {"min_p", tests.min_p},
                        {"units", tests.units},
                        {"samples_are_units", tests.samples_are_units},
                        {"sampling", sampling_of(tests.sampling)},
                        {"warnings", study.warnings},
                        {"inputs", inputs},
                        {"seed", record.seed}};
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace disc
