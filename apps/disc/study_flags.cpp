#include "study_flags.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "clock.hpp"
#include "console.hpp"
#include "disc/io.hpp"
#include "disc/options.hpp"
#include "help.hpp"
#include "run_again.hpp"
#include "terminal.hpp"

namespace disc::app {
namespace {

std::string placeholder(const OptionField& field) {
  if (field.choices.empty()) return field.type == "integer" ? "N" : "X";
  std::string text;
  for (const std::string& choice : field.choices) text += (text.empty() ? "" : "|") + choice;
  return text;
}

// An option of an earlier run.
void take(const std::string& name, const std::string& value, StudyRequest& request) {
  request.given[name] += (request.given.contains(name) && !request.given[name].empty() ? "\n" : "") + value;
  const auto is_named = [&](const ReadField& field) { return field.name == name; };
  if (name == "names") {
    request.flags.names = value;
  } else if (name == "condition") {
    request.flags.conditions.push_back(value);
  } else if (name == "manifest") {
    request.flags.manifest = value;
  } else if (name == "seed") {
    request.flags.session.seed = std::stoull(value);
  } else if (std::ranges::any_of(read_option_table(), is_named)) {
    request.flags.read.given[name] = value;
  }
}

bool has_option(const CLI::App& command, const std::string& name) {
  return command.get_option_no_throw("--" + name) != nullptr;
}

}  // namespace

void add_study_flags(CLI::App& app, RunFlags& flags, const std::string& table_option) {
  app.add_option("--condition", flags.conditions,
                 "a condition made of several files, once per condition; a file is then a unit")
      ->option_text("NAME=FILE,FILE,...")
      ->allow_extra_args(false);
  app.add_option("--manifest", flags.manifest, "table of files, with columns file and condition")->option_text("FILE");
  app.add_option("--names", flags.names,
                 "names of the conditions; with --by, which of its values to use, in this order")
      ->option_text("A,B,...");
  add_session_flags(app, flags.session);
  add_read_flags(app, flags.read);
  for (const OptionField& field : option_table()) {
    if (!is_for_sets(field)) continue;
    const std::string help =
        field.name == "permutations"
            ? "permutations of the units between the conditions (default: 999); all where fewer exist"
            : field.help;
    // The library checks and sets the value; here it is only collected.
    app.add_option_function<std::string>(
           "--" + field.name, [](const std::string&) {}, help)
        ->option_text(placeholder(field))
        ->group(field.name == table_option ? "Options" : field.section);
  }
}

void shorten_study_help(CLI::App& app) {
  constexpr std::array<std::string_view, 20> matter{"help",   "by",          "where",     "within",    "unit",
                                                    "paired", "metadata",    "condition", "names",     "contrast",
                                                    "output", "samples-in",  "sets",      "normalize", "permutations",
                                                    "seed",   "min-members", "without",   "repeats",   "quiet"};
  show_only(app, matter);
}

bool is_run_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / "summary.json", ignored) &&
         std::filesystem::exists(folder / "groups.tsv", ignored);
}

StudyRequest request_of(const RunFlags& flags, const CLI::App& command, const std::filesystem::path& folder) {
  StudyRequest request{flags, flags_given(command)};
  if (folder.empty()) return request;
  auto known = request.given;
  known.try_emplace("permutations");  // how often a run permutes is no answer to how often others do
  const bool has_files = !flags.files.empty() || !flags.conditions.empty() || !flags.manifest.empty();
  const std::vector<std::string> words = words_of_run(folder / "summary.json", known, has_files);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      request.flags.files.emplace_back(words[i]);
    } else if (words[i] != "--strict" && i + 1 < words.size()) {
      const std::string name = words[i].substr(2);
      if (has_option(command, name)) take(name, words[i + 1], request);
      ++i;
    }
  }
  return request;
}

RunOptions study_options(const StudyRequest& request) {
  std::map<std::string, std::string> settings;
  for (const OptionField& field : option_table()) {
    if (const auto found = request.given.find(field.name); found != request.given.end()) settings.insert(*found);
  }
  return make_options("", settings);
}

Index permutations_of(RunOptions& options, const SetTestOptions& otherwise) {
  if (!options.statistics.permutations) options.statistics.permutations = otherwise.permutations;
  if (*options.statistics.permutations < 1) throw OptionError("permutations", "0", "must be at least 1 for p-values");
  return *options.statistics.permutations;
}

std::vector<Dataset> read_study(const StudyRequest& request, const RunOptions& options, const Context& context,
                                RunRecord& record) {
  context.progress("read", 0.0);
  ReadOptions reading = read_options(request.flags.read);
  add_label_columns(options.design, reading);
  const Manifest manifest = files_of(request.flags, options.design.by);
  const std::vector<std::string> wanted = split_at(request.flags.names, ',');
  std::vector<Dataset> conditions = read_conditions(manifest, reading, context);
  if (!options.design.by.empty()) {
    conditions = split_conditions(conditions.front(), options.design, wanted, context);
  }
  record.given = request.given;
  record.seed = request.flags.session.seed;
  record.threads = context.threads();
  record.date = now();
  for (const ManifestRow& row : manifest.rows) record.inputs.emplace_back(row.file.string(), file_digest(row.file));
  context.progress("read", 1.0);
  return conditions;
}

void print_study(const SetStudy& study, const SetTests& tests, const std::vector<std::string>& warnings) {
  std::cout << "p-values: " << (tests.exact ? "all " : "") << tests.permutations
            << (tests.permutations == 1 ? " permutation of " : " permutations of ") << tests.units
            << (tests.samples_are_units ? " samples" : " units")
            << (study.used.design.unit.empty() ? "" : " (" + study.used.design.unit + ")") << "; smallest possible "
            << p_text(tests.min_p) << "\n";
  if (tests.samples_are_units) {
    std::cout
        << "  every sample counts as independent; if some belong together (cells of a donor), say so with --unit\n";
  }
  for (const PreparationStep& step : study.preparation) {
    std::cout << "prepared: " << step.step << ": " << step.count << " " << step.changed
              << (step.condition.empty() ? "" : " in " + step.condition) << "\n";
  }
  std::vector<std::string> said;
  for (const auto& list : {study.warnings, warnings}) {
    for (const std::string& warning : list) {
      if (std::ranges::find(said, warning) != said.end()) continue;
      said.push_back(warning);
      std::cout << wrapped("warning: " + warning, columns_of(STDOUT_FILENO, 0), 2) << "\n";
    }
  }
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string p_text(double p) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", p);
  return text;
}

std::string correlation_text(double r) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", std::abs(r) < 0.005 ? 0.0 : r);
  return text;
}

}  // namespace disc::app
