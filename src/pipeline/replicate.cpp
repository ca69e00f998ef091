// Do the groups of a run hold in other data?
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "disc/follow_up.hpp"
#include "stats/false_discovery.hpp"

namespace disc {
namespace {

using Json = nlohmann::json;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError({.file = file.string()}, "cannot be opened; it must be the folder of a run");
  return {std::istreambuf_iterator<char>(stream), {}};
}

Json summary_of(std::string_view text, const std::string& place) {
  Json json = Json::parse(text, nullptr, false);
  const bool is_summary = json.is_object() && json.contains("conditions") && json["conditions"].is_array();
  if (!is_summary) throw InputError({.file = place}, "has no summary.json of a run");
  return json;
}

// As the run used it.
std::optional<Normalization> normalization_of(const Json& json) {
  const Json used = json.value("settings", Json::object()).value("used", Json::object());
  if (!used.contains("normalize") || !used["normalize"].is_string()) return std::nullopt;
  RunOptions options;
  find_option("normalize").set(options, used["normalize"].get<std::string>());
  return options.prepare.normalization;
}

// Groups, by condition and number, that a run found by what they lost outside.
std::set<std::pair<std::string, std::string>> set_apart(const Json& json) {
  std::set<std::pair<std::string, std::string>> found;
  for (const Json& condition : json["conditions"]) {
    if (!condition.is_object() || !condition.contains("groups") || !condition["groups"].is_array()) continue;
    for (const Json& group : condition["groups"]) {
      if (group.is_object() && group.value("view", "") == "separation")
        found.emplace(condition.value("name", ""), group.value("id", ""));
    }
  }
  return found;
}

// For every condition of the run, the one of the new data that stands for it; -1: none.
std::map<std::string, Index> matched_conditions(std::span<const std::string> of_run,
                                                const std::vector<std::string>& here,
                                                std::span<const RunGroup> groups) {
  std::map<std::string, Index> matched;
  bool any = false;
  for (const std::string& name : of_run) {
    const auto found = std::ranges::find(here, name);
    matched[name] = found == here.end() ? -1 : found - here.begin();
    any = any || found != here.end();
  }
  if (!any && of_run.size() == here.size()) {
    for (std::size_t m = 0; m < here.size(); ++m) matched[of_run[m]] = static_cast<Index>(m);
  }
  for (const RunGroup& group : groups) {
    const auto found = matched.find(group.condition);
    if (found != matched.end() && found->second >= 0) continue;
    std::string names;
    for (const std::string& name : here) names += (names.empty() ? "" : ", ") + name;
    throw InputError("group " + group.id + " is one of condition '" + group.condition + "', and the new data have " +
                     names + "; --names gives conditions other names");
  }
  return matched;
}

// The answer for the group's own condition. Of two conditions only the second is reported, and the first is its mirror image.
Replication answer(const SetTest& test, Index condition, bool is_lost) {
  Replication result;
  const bool expect_gained = (test.condition == condition) != is_lost;
  result.tested = true;
  result.statistic = expect_gained ? test.statistic : -test.statistic;
  result.p = expect_gained ? test.p_gained : test.p_lost;
  result.p_opposite = expect_gained ? test.p_lost : test.p_gained;
  result.mean_correlation = test.mean_correlation;
  return result;
}

}  // namespace

FoundGroups read_groups(std::string_view groups, std::string_view summary, const std::string& place) {
  const Json json = summary_of(summary, place);
  const TextTable table = decode_tsv(groups, place);
  const auto column = [&](const char* name) { return static_cast<std::size_t>(table.column(name, place)); };
  const std::size_t condition = column("condition"), id = column("group"), feature = column("feature"),
                    sign = column("sign"), direction = column("direction");
  const auto apart = set_apart(json);
  FoundGroups found{{}, {}, normalization_of(json)};
  for (const Json& own : json["conditions"]) found.conditions.push_back(own.value("name", ""));
  std::vector<RunGroup>& result = found.groups;
  for (const auto& row : table.rows) {
    if (result.empty() || result.back().condition != row[condition] || result.back().id != row[id]) {
      RunGroup& group = result.emplace_back(RunGroup{row[condition], row[id], {}, {}});
      group.is_lost = row[direction] == "lost";
      group.is_set_apart = apart.contains({group.condition, group.id});
    }
    result.back().members.push_back(row[feature]);
    result.back().sign.push_back(row[sign] == "-" ? std::int8_t{-1} : std::int8_t{1});
  }
  return found;
}

FoundGroups read_groups(const std::filesystem::path& folder) {
  finish_outputs(folder);
  return read_groups(bytes_of(folder / "groups.tsv"), bytes_of(folder / "summary.json"), (folder / "").string());
}

std::vector<GivenSet> sets_of(std::span<const RunGroup> groups) {
  std::vector<GivenSet> sets;
  for (const RunGroup& group : groups) {
    sets.push_back({group.condition + " " + group.id, "group of a run", group.members, group.sign});
  }
  return sets;
}

Replications replicate(const SetStudy& study, const FoundGroups& run, const SetTestOptions& options,
                       const Context& context) {
  const std::vector<RunGroup>& groups = run.groups;
  const auto matched = matched_conditions(run.conditions, study.conditions, groups);
  Replications result{{}, study.tester.test(sets_of(groups), options, context)};
  std::vector<std::pair<double, double*>> tests;
  result.groups.resize(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Index condition = matched.at(groups[g].condition);
    const auto is_own = [&](const SetTest& test) {
      const bool is_mirror = study.conditions.size() == 2;
      return test.set == static_cast<Index>(g) && (is_mirror || test.condition == condition);
    };
    const auto test = std::ranges::find_if(result.tests.tests, is_own);
    Replication& replication = result.groups[g];
    if (test != result.tests.tests.end() && !groups[g].is_set_apart) {
      replication = answer(*test, condition, groups[g].is_lost);
      tests.emplace_back(replication.p, &replication.q);
    }
    if (test != result.tests.tests.end()) replication.found = static_cast<Index>(test->features.size());
    replication.group = static_cast<Index>(g);
    replication.condition = condition;
  }
  adjust_for_all(std::move(tests));
  return result;
}

std::string verdict(const Replication& replication, double level) {
  if (!replication.tested) return "not tested";
  if (replication.p <= level) return "holds";
  return replication.p_opposite <= level ? "opposite" : "not shown";
}

std::string replication_tsv(const SetStudy& study, std::span<const RunGroup> groups, const Replications& found) {
  TextTable table{
      {"condition", "group", "direction", "verdict", "p", "q", "p_opposite", "statistic", "members", "found"}, {}};
  for (const std::string& name : study.conditions) table.columns.push_back("correlation_" + name);
  for (const Replication& replication : found.groups) {
    const RunGroup& group = groups[at(replication.group)];
    const auto cell = [&](double value) { return replication.tested ? format_number(value) : std::string(); };
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{
        group.condition, group.id, group.is_lost ? "lost" : "gained", verdict(replication, study.used.statistics.level),
        cell(replication.p), cell(replication.q), cell(replication.p_opposite), cell(replication.statistic),
        std::to_string(group.members.size()), std::to_string(replication.found)});
    for (std::size_t m = 0; m < study.conditions.size(); ++m)
      row.push_back(replication.tested ? format_number(replication.mean_correlation[m]) : "");
  }
  return encode_tsv(table);
}

}  // namespace disc
