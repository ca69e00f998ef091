// Data and design of a study, for commands that ask about sets of features.
#pragma once

#include "disc/follow_up.hpp"
#include "run_flags.hpp"

namespace disc::app {

/// Files, conditions, and the options of a run that decide how data are read, prepared and exchanged; not FILES itself.
void add_study_flags(CLI::App& app, RunFlags& flags, const std::string& table_option);

/// The short help of such a command.
void shorten_study_help(CLI::App& app);

/// Whether it is the folder of a run.
bool is_run_folder(const std::filesystem::path& folder);

/// What was asked for: flags, and options as they were given.
struct StudyRequest {
  RunFlags flags;
  std::map<std::string, std::string> given;
};
/// What the user wrote, and, where that leaves it open, what an earlier run was told, as far as the command has such an option: its files
/// too, unless there are others. `folder`: of the run; empty: none.
StudyRequest request_of(const RunFlags& flags, const CLI::App& command, const std::filesystem::path& folder);

RunOptions study_options(const StudyRequest& request);
/// How many, and told to the options so that checks see them. Throws OptionError for none.
Index permutations_of(RunOptions& options, const SetTestOptions& otherwise);
/// `record` gets the files and what was given.
std::vector<Dataset> read_study(const StudyRequest& request, const RunOptions& options, const Context& context,
                                RunRecord& record);

/// What was exchanged, and warnings.
void print_study(const SetStudy& study, const SetTests& tests, const std::vector<std::string>& warnings);

std::string padded(std::string text, std::size_t width);
std::string p_text(double p);
std::string correlation_text(double r);

}  // namespace disc::app
