// The options of all commands as data, for what is made from them: completion, the manual page, suggestions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace disc::app {

struct ListedOption {
  std::vector<std::string> flags;    ///< "-o", "--output"; empty: an argument
  std::string name;                  ///< of an argument: FILES
  std::string placeholder;           ///< what stands for its value; empty: a flag without one
  std::vector<std::string> choices;  ///< values, where only these are allowed
  std::string section, description;
};

struct ListedCommand {
  std::string name, description;
  std::vector<ListedOption> options;
};

/// Those of a program whose commands show all their options.
std::vector<ListedCommand> listed_commands(const CLI::App& program);

std::string completion_script(const std::string& shell, const std::vector<ListedCommand>& commands);
std::string manual_page(const std::vector<ListedCommand>& commands);

}  // namespace disc::app
