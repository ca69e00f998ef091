#include "explore_engine.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "explore_tree.hpp"
#include "run_again.hpp"

namespace disc::app {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_sets = 1000;
constexpr std::size_t max_units_left_out = 200;
constexpr std::size_t max_leaves = 600;
constexpr Index max_permutations = 99'999;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::vector<std::string> names_in(const Json& list) { return list.get<std::vector<std::string>>(); }

// {"name": "my genes", "features": ["A", "B"], "sign": [1, -1]}; without signs all go together.
GivenSet set_in(const Json& json) {
  GivenSet set{json.at("name").get<std::string>(), "", {}};
  std::set<std::string> seen;
  const Json signs = json.value("sign", Json::array());
  const std::vector<std::string> members = names_in(json.at("features"));
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!seen.insert(members[i]).second) continue;
    set.members.push_back(members[i]);
    set.sign.push_back(i < signs.size() && signs[i].get<int>() < 0 ? -1 : 1);
  }
  return set;
}

SetTestOptions options_in(const Json& question) {
  SetTestOptions options;
  options.without = names_in(question.value("without", Json::array()));
  options.permutations = question.value("permutations", options.permutations);
  if (options.permutations < 1 || options.permutations > max_permutations) {
    throw OptionError("permutations", std::to_string(options.permutations),
                      "must be a whole number from 1 to " + std::to_string(max_permutations));
  }
  return options;
}

Json describe(const SetTest& test, const SetStudy& study) {
  Json features = Json::array();
  for (const Index j : test.features) features.push_back(study.tester.features()[static_cast<std::size_t>(j)]);
  return {{"set", test.set},
          {"condition", study.conditions[static_cast<std::size_t>(test.condition)]},
          {"like", study.conditions[static_cast<std::size_t>(test.like)]},
          {"features", std::move(features)},
          {"correlations", test.mean_correlation},
          {"statistic", test.statistic},
          {"p", test.p},
          {"q", test.q},
          {"p_gained", test.p_gained},
          {"p_lost", test.p_lost}};
}

Json describe(const SetTests& tests, const SetStudy& study) {
  Json list = Json::array();
  for (const SetTest& test : tests.tests) list.push_back(describe(test, study));
  return {{"tests", std::move(list)},
          {"not_tested", tests.not_tested},
          {"permutations", tests.permutations},
          {"exact", tests.exact},
          {"min_p", tests.min_p},
          {"units", tests.units},
          {"samples_are_units", tests.samples_are_units}};
}

// Members that the data do not have, or that were excluded.
Json missing(const GivenSet& set, const std::set<std::string>& used,
             const std::map<std::string, std::string>& excluded) {
  Json list = Json::array();
  for (const std::string& member : set.members) {
    if (used.contains(member)) continue;
    const auto reason = excluded.find(member);
    list.push_back({{"feature", member}, {"reason", reason == excluded.end() ? "not in the data" : reason->second}});
  }
  return list;
}

// Names of units by the number of their samples, each once: one donor may be in several conditions.
std::map<std::string, Index> samples_of_units(const SetStudy& study) {
  std::map<std::string, Index> samples;
  for (const UnitName& unit : study.tester.units()) samples[unit.name] += unit.samples;
  return samples;
}

bool samples_are_units(const SetStudy& study) {
  return std::ranges::all_of(study.tester.units(), [](const UnitName& unit) { return unit.samples == 1; });
}

}  // namespace

ExploreEngine::ExploreEngine(std::filesystem::path folder, int threads, std::stop_token stop)
    : folder_(std::move(folder)), threads_(threads), stop_(std::move(stop)) {}

Context ExploreEngine::context(std::uint64_t seed) {
  const auto progress = [this](std::string_view stage, double fraction) {
    const std::lock_guard lock(mutex_);
    stage_ = stage;
    fraction_ = fraction;
  };
  const auto log = [this](LogLevel level, std::string_view message) {
    if (level == LogLevel::warning) warnings_.emplace_back(message);
  };
  return Context({.threads = threads_, .seed = seed, .stop = stop_, .progress = progress, .log = log});
}

const SetStudy& ExploreEngine::study() {
  if (study_) return *study_;
  warnings_.clear();
  const RecordedRun run = recorded_run(folder_ / "summary.json");
  for (const std::string& file : changed_files(folder_ / "summary.json")) {
    warnings_.push_back(file + " has changed since the run: answers are about the file as it is now");
  }
  context_ = context(run.seed);
  std::vector<Dataset> data = read_again(run, *context_);
  double bytes = 0;
  for (const Dataset& condition : data) {
    bytes += static_cast<double>(sizeof(float)) * static_cast<double>(condition.values.rows()) *
             static_cast<double>(condition.values.cols());
  }
  constexpr double gibibyte = 1024.0 * 1024 * 1024;
  if (bytes > run.options.statistics.memory_limit * gibibyte) {
    throw InputError("the values of all features would take " + std::to_string(std::lround(bytes / gibibyte)) +
                     " GiB; test sets of them with disc test, which keeps their members only");
  }
  study_ = prepare_sets(std::move(data), run.options, {}, *context_);
  return *study_;
}

std::string ExploreEngine::progress() {
  const std::lock_guard lock(mutex_);
  return text_of({{"stage", stage_}, {"fraction", fraction_}});
}

std::string ExploreEngine::about(const std::string&) {
  const SetStudy& data = study();
  Json units = Json::array();
  if (!samples_are_units(data)) {
    for (const auto& [name, samples] : samples_of_units(data)) units.push_back({{"name", name}, {"samples", samples}});
  }
  return text_of({{"conditions", data.conditions},
                  {"samples", data.samples},
                  {"features", data.tester.features().size()},
                  {"unit", data.used.design.unit},
                  {"units", std::move(units)},
                  {"warnings", warnings_}});
}

std::string ExploreEngine::test(const std::string& question) {
  const Json asked = Json::parse(question);
  const SetTestOptions options = options_in(asked);
  std::vector<GivenSet> sets;
  for (const Json& one : asked.at("sets")) sets.push_back(set_in(one));
  if (sets.empty() || sets.size() > max_sets)
    throw InputError("ask about one set or up to " + std::to_string(max_sets));
  const SetStudy& data = study();
  Json answer = describe(data.tester.test(sets, options, *context_), data);
  const std::set<std::string> used(data.tester.features().begin(), data.tester.features().end());
  std::map<std::string, std::string> excluded;
  for (const Excluded& one : data.excluded) excluded[one.feature] = one.reason;
  for (const GivenSet& set : sets) answer["missing"].push_back(missing(set, used, excluded));
  return text_of(answer);
}

std::string ExploreEngine::without_each(const std::string& question) {
  const Json asked = Json::parse(question);
  SetTestOptions options = options_in(asked);
  const std::vector<GivenSet> sets{set_in(asked)};
  const SetStudy& data = study();
  const std::map<std::string, Index> units = samples_of_units(data);
  if (samples_are_units(data) || units.size() > max_units_left_out) {
    throw InputError(
        "every sample counts as independent here: leaving one out says little; run with --unit to tell donors apart");
  }
  Json rows = Json::array();
  for (const auto& [name, samples] : units) {
    options.without = {name};
    Json row{{"without", name}, {"samples", samples}};
    try {
      const SetTests tests = data.tester.test(sets, options, *context_);
      if (tests.tests.empty()) throw InputError("fewer than three of these features are in the data");
      row.update(describe(tests.tests.front(), data));  // of several conditions the one that is clearest
    } catch (const InputError& error) {
      row["problem"] = error.what();  // nothing is left to compare
    }
    rows.push_back(std::move(row));
  }
  return text_of({{"rows", std::move(rows)}});
}

std::string ExploreEngine::tree(const std::string& question) {
  const Json asked = Json::parse(question);
  const GivenSet set = set_in(asked);
  const std::string wanted = asked.at("condition").get<std::string>();
  const SetStudy& data = study();
  const auto home = std::ranges::find(data.conditions, wanted);
  if (home == data.conditions.end()) throw InputError("there is no condition '" + wanted + "'");
  std::vector<std::string> found;
  std::vector<Matrix> correlations = data.tester.correlations(set.members, found);
  if (found.size() < 3 || found.size() > max_leaves) {
    throw InputError("a tree is made of 3 to " + std::to_string(max_leaves) + " features; " +
                     std::to_string(found.size()) + " of these are in the data");
  }
  Vector signs(static_cast<Index>(found.size()));
  for (std::size_t i = 0, k = 0; i < set.members.size() && k < found.size(); ++i) {
    if (set.members[i] == found[k]) signs[static_cast<Index>(k++)] = set.sign[i];
  }
  for (Matrix& one : correlations) one = (signs.asDiagonal() * one * signs.asDiagonal()).eval();
  Json nodes = Json::array();
  for (const TreeNode& node : average_linkage(correlations, static_cast<std::size_t>(home - data.conditions.begin()))) {
    nodes.push_back({{"left", node.left},
                     {"right", node.right},
                     {"height", node.height},
                     {"size", node.size},
                     {"correlations", node.correlations}});
  }
  return text_of({{"features", found}, {"nodes", std::move(nodes)}});
}

}  // namespace disc::app
