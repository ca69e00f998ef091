#include "run_flags.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>

#include "disc/pipeline.hpp"
#include "disc/where.hpp"
#include "help.hpp"
#include "run_again.hpp"

namespace disc::app {
namespace {

constexpr std::array<std::string_view, 18> options_that_matter{
    "help",     "by",     "where",      "within",    "unit",     "paired",       "metadata", "condition", "names",
    "contrast", "output", "samples-in", "normalize", "genesets", "permutations", "seed",     "dry-run",   "quiet"};

constexpr const char* short_footer = R"(Examples:
  disc run control.csv treated.csv -o out/
  disc run data.h5ad --by condition --unit donor --where "cell_type == CD14 Mono" -o out/
  disc run table.csv --by group --unit subject -o out/
  disc run genes_by_samples_a.tsv genes_by_samples_b.tsv --samples-in columns -o out/

`disc run --help-all` shows all options, and the formats of files that are read.)";

std::string list_of_formats() {
  std::string list;
  for (const FormatDescription& format : readable_formats()) {
    list += "  " + format.name + " (" + format.extensions + "): " + format.description + "\n";
  }
  return list;
}

}  // namespace

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::map<std::string, std::string> flags_given(const CLI::App& app) {
  std::map<std::string, std::string> given;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    std::string& text = given[option->get_lnames().front()];
    for (const std::string& value : option->results()) text += (text.empty() ? "" : "\n") + value;
  }
  return given;
}

// What to do with a single file; one that is not there may be several in one word.
[[noreturn]] void refuse_single_file(const std::string& file) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(file, ignored);
  if (!exists && file.find_first_of(", ;") != std::string::npos) {
    throw InputError({.file = file},
                     "there is no such file; several files are separated by blanks, without quotes around all of them");
  }
  throw CLI::ValidationError("FILES: two or more are needed, one per condition; or one file and --by LABEL" +
                             (exists ? " (disc inspect " + file + " lists its labels)" : std::string()));
}

Manifest files_of(const RunFlags& flags, const std::string& by) {
  const int ways =
      (flags.files.empty() ? 0 : 1) + (flags.conditions.empty() ? 0 : 1) + (flags.manifest.empty() ? 0 : 1);
  if (ways > 1) {
    throw OptionError(flags.manifest.empty() ? "condition" : "manifest",
                      flags.manifest.empty() ? flags.conditions.front() : flags.manifest.string(),
                      "names all files; give either files, or --condition, or --manifest");
  }
  if (flags.files.empty() && !flags.names.empty()) {
    throw OptionError("names", flags.names,
                      "is for files listed one by one; --condition and --manifest name conditions");
  }
  if (!by.empty() && flags.files.size() != 1) {
    throw OptionError("by", by, "is for one file, whose samples it divides");
  }
  if (by.empty() && flags.files.size() == 1) {
    refuse_single_file(flags.files.front());
  }
  if (!flags.manifest.empty()) return read_manifest(flags.manifest);
  if (!flags.conditions.empty()) return manifest_of_conditions(flags.conditions);
  const std::vector<std::string> names =
      name_conditions(flags.files, by.empty() ? split_at(flags.names, ',') : std::vector<std::string>());
  Manifest manifest;
  for (std::size_t m = 0; m < flags.files.size(); ++m) manifest.rows.push_back({flags.files[m], names[m], {}});
  return manifest;
}

void add_label_columns(const DesignOptions& design, ReadOptions& reading) {
  const auto add = [&](const std::string& names) {
    for (const std::string& name : split_at(names, ',')) {
      const bool is_part = name.size() > 2 && name[name.size() - 2] == ':';
      reading.labels.push_back(is_part ? name.substr(0, name.size() - 2) : name);
    }
  };
  for (const std::string* names :
       {&design.by, &design.within, &design.unit, &design.strata, &design.paired, &design.covariate})
    add(*names);
  if (design.where.empty()) return;
  const SampleFilter filter(design.where);
  for (const std::string& name : filter.labels()) add(name);
}

ExitCode run_again(const RunFlags& flags, const CLI::App& app, const Invocation& invocation) {
  const std::vector<std::string>& given = invocation.words;
  std::vector<std::string> words = words_of_run(flags.settings, flags_given(app), !flags.files.empty());
  for (const std::string& file : changed_files(flags.settings)) {
    std::cerr << "disc: " << file << " has changed since that run" << std::endl;
  }
  for (std::size_t i = 1; i < given.size(); ++i) {
    if (given[i] == "--settings") {
      ++i;
    } else if (!given[i].starts_with("--settings=")) {
      words.push_back(given[i]);
    }
  }
  return invocation.again(words, std::nullopt);
}

void shorten_help(CLI::App& app) {
  show_only(app, options_that_matter);
  app.footer(short_footer);
}

void lengthen_help(CLI::App& app) { app.footer("Files:\n" + list_of_formats()); }

}  // namespace disc::app
