#include "run_again.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "disc/io.hpp"
#include "disc/options.hpp"
#include "run_flags.hpp"

namespace disc::app {
namespace {

using Json = nlohmann::json;

Json read_summary(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw InputError({.file = file.string()}, "cannot be opened; it must be the summary.json of a run");
  const Json json = Json::parse(stream, nullptr, false);
  const bool is_summary = json.is_object() && json.contains("settings") && json["settings"].is_object() &&
                          json["settings"].contains("given") && json["settings"]["given"].is_object() &&
                          json.contains("inputs") && json["inputs"].is_array();
  if (!is_summary) throw InputError({.file = file.string()}, "is not the summary.json of a run");
  return json;
}

// As it would be typed.
std::string as_word(const Json& value) {
  if (value.is_null()) return "auto";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool is_known(const std::string& name) {
  static const std::set<std::string> others{"preset", "names",  "condition",       "manifest",
                                            "seed",   "strict", "checkpoint-after"};
  const auto has = [&](const auto& table) {
    return std::ranges::any_of(table, [&](const auto& row) { return row.name == name; });
  };
  return others.contains(name) || has(option_table()) || has(read_option_table());
}

}  // namespace

std::vector<std::string> words_of_run(const std::filesystem::path& summary,
                                      const std::map<std::string, std::string>& given, bool has_files) {
  const Json json = read_summary(summary);
  std::vector<std::string> words{"run"};
  const Json& options = json["settings"]["given"];
  const bool has_table = options.contains("condition") || options.contains("manifest");
  if (!has_files && !has_table) {
    for (const Json& input : json["inputs"]) words.push_back(input.value("file", ""));
  }
  for (const auto& [name, value] : options.items()) {
    if (given.contains(name) || !is_known(name) || (has_files && (name == "condition" || name == "manifest"))) continue;
    if (name == "strict") {
      words.emplace_back("--strict");
      continue;
    }
    std::istringstream lines(as_word(value));
    for (std::string line; std::getline(lines, line);) words.insert(words.end(), {"--" + name, line});
  }
  return words;
}

RecordedRun recorded_run(const std::filesystem::path& summary) {
  const Json json = read_summary(summary);
  std::map<std::string, std::string> given;
  for (const auto& [name, value] : json["settings"]["given"].items()) given[name] = as_word(value);
  RunFlags flags;
  flags.names = given["names"];
  flags.manifest = given["manifest"];
  flags.conditions = split_at(given["condition"], '\n');
  std::map<std::string, std::string> settings;
  for (const auto& row : option_table()) {
    if (const auto found = given.find(row.name); found != given.end()) settings.insert(*found);
  }
  for (const auto& row : read_option_table()) {
    if (const auto found = given.find(row.name); found != given.end()) flags.read.given.insert(*found);
  }
  RecordedRun run{
      .manifest = {}, .reading = read_options(flags.read), .options = make_options(given["preset"], settings)};
  run.seed = json.value("seed", std::uint64_t{0});
  run.wanted = split_at(flags.names, ',');
  std::error_code ignored;
  for (const Json& input : json["inputs"]) {
    const std::string file = input.value("file", "");
    if (!std::filesystem::exists(file, ignored)) {
      throw InputError({.file = file},
                       "was read by the run and is not there; start this where the run was started, with its data");
    }
    if (flags.manifest.empty() && flags.conditions.empty()) flags.files.emplace_back(file);
  }
  const bool is_one_table = !run.options.design.by.empty() && flags.files.size() == 1;
  if (!is_one_table && flags.files.size() != json["conditions"].size() && flags.manifest.empty() &&
      flags.conditions.empty()) {
    throw InputError({.file = summary.string()}, "is of a run whose data were not read from files, one per condition");
  }
  run.manifest = files_of(flags, run.options.design.by);
  add_label_columns(run.options.design, run.reading);
  return run;
}

std::vector<Dataset> read_again(const RecordedRun& run, const Context& context) {
  std::vector<Dataset> conditions = read_conditions(run.manifest, run.reading, context);
  if (run.options.design.by.empty()) return conditions;
  return split_conditions(conditions.front(), run.options.design, run.wanted, context);
}

std::vector<std::string> changed_files(const std::filesystem::path& summary) {
  const Json json = read_summary(summary);
  std::vector<std::string> changed;
  for (const Json& input : json["inputs"]) {
    const std::string file = input.value("file", "");
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && file_digest(file) != input.value("digest", ""))
      changed.push_back(file);
  }
  return changed;
}

std::set<std::string> digests_of_run(const std::filesystem::path& summary) {
  const Json json = read_summary(summary);
  std::set<std::string> digests;
  for (const Json& input : json["inputs"]) digests.insert(input.value("digest", ""));
  return digests;
}

}  // namespace disc::app
