#include "help.hpp"

#include <sstream>

namespace disc::app {
namespace {

constexpr std::size_t terminal_width = 100;
constexpr std::size_t name_width = 34;

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
  std::istringstream words(CLI::Formatter::make_option_desc(option));
  std::string text;
  std::size_t line = 0;
  for (std::string word; words >> word;) {
    if (line > 0 && line + 1 + word.size() > terminal_width - name_width) {
      text += '\n';
      line = 0;
    } else if (line > 0) {
      text += ' ';
      ++line;
    }
    text += word;
    line += word.size();
  }
  return text;
}

}  // namespace disc::app
