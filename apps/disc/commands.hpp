// The subcommands. Each adds its flags to the program and says what to do once they are parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "option_list.hpp"

namespace disc::app {

/// What the program returns to the shell.
enum ExitCode { ok = 0, internal_error = 1, usage_error = 2, input_error = 3, not_converged = 4, interrupted = 130 };

struct Command {
  CLI::App* flags = nullptr;
  std::function<ExitCode()> execute;  ///< throws what the library throws
};

/// What the user typed, and how to have it done again.
struct Invocation {
  std::vector<std::string> words;
  std::function<ExitCode(const std::vector<std::string>& words, const std::optional<std::filesystem::path>& resumed)>
      again;
  std::optional<std::filesystem::path> resumed{};  ///< the folder whose run is gone on with
};

Command add_run(CLI::App& program, const Invocation& invocation);
Command add_simulate(CLI::App& program);
Command add_inspect(CLI::App& program);
Command add_convert(CLI::App& program);
Command add_score(CLI::App& program);
Command add_report(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_test(CLI::App& program, const Invocation& invocation);
Command add_replicate(CLI::App& program, const Invocation& invocation);
Command add_project(CLI::App& program);
Command add_calibrate(CLI::App& program, const Invocation& invocation);
Command add_explore(CLI::App& program);

/// The commands with all their options, for what is made from them.
using CommandList = std::function<std::vector<ListedCommand>()>;
Command add_completion(CLI::App& program, const CommandList& commands);
Command add_man(CLI::App& program, const CommandList& commands);
/// For tools/generate.py; not among the commands that help lists.
Command add_options(CLI::App& program, const CommandList& commands);

}  // namespace disc::app
