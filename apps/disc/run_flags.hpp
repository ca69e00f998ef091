// What the user gave to disc run, and what follows from it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "commands.hpp"
#include "disc/manifest.hpp"
#include "disc/pipeline.hpp"
#include "session.hpp"

namespace disc::app {

struct RunFlags {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> conditions;
  std::filesystem::path manifest;
  std::filesystem::path output = "disc-out";
  std::filesystem::path resume;
  double checkpoint_after = 1.0;
  std::string preset, names, title;
  bool strict = false, dry_run = false;
  std::filesystem::path settings;
  ReadFlags read;
  SessionFlags session;
};

std::vector<std::string> split_at(const std::string& text, char separator);

/// Everything the user wrote, by long name; what was given several times has a line each.
std::map<std::string, std::string> flags_given(const CLI::App& app);

/// Which files make which condition: one each, as listed, or as --condition or --manifest say.
Manifest files_of(const RunFlags& flags, const std::string& by);

/// Columns of tables that the design speaks of are no features, even where they hold numbers.
void add_label_columns(const DesignOptions& design, ReadOptions& reading);

/// --settings: an earlier run again, with what the user gave now in place of what was given then.
ExitCode run_again(const RunFlags& flags, const CLI::App& app, const Invocation& invocation);

/// The short help shows the options that matter; all work all the same.
void shorten_help(CLI::App& app);
/// The long one lists the formats that are read.
void lengthen_help(CLI::App& app);

}  // namespace disc::app
