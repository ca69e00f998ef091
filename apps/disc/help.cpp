#include "help.hpp"

#include <unistd.h>

#include <algorithm>

#include "terminal.hpp"

namespace disc::app {
namespace {

constexpr std::size_t name_width = 34;

// Of the descriptions. Very long lines are hard to read.
std::size_t text_width() { return std::clamp<std::size_t>(columns_of(STDOUT_FILENO, 100), 60, 120) - name_width; }

}  // namespace

WrappingFormatter::WrappingFormatter() {
  column_width(name_width);
  label("Positionals", "Arguments");
  label("OPTIONS", "options");
  label("SUBCOMMAND", "COMMAND");
  label("SUBCOMMANDS", "COMMAND");
  label("REQUIRED", "");
}

// CLI11 indents after every line end, so breaking lines is all there is to do.
std::string WrappingFormatter::make_option_desc(const CLI::Option* option) const {
  return wrapped(CLI::Formatter::make_option_desc(option), text_width(), 0);
}

bool wants_all_help(const std::vector<std::string>& words) {
  return std::ranges::find(words, "--help-all") != words.end();
}

bool wants_help(const std::vector<std::string>& words) {
  return std::ranges::any_of(
      words, [](const std::string& word) { return word == "--help" || word == "-h" || word == "help"; });
}

void show_only(CLI::App& command, std::span<const std::string_view> names) {
  for (CLI::Option* option : command.get_options()) {
    const auto& long_names = option->get_lnames();
    const bool is_shown = long_names.empty() || std::ranges::find(names, long_names.front()) != names.end();
    option->group(is_shown ? "Options" : "");  // CLI11 hides what is in no group
  }
}

}  // namespace disc::app
