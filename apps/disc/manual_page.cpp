// The manual page, made from the table of options: man <(disc man), or disc man > .../man1/disc.1
#include <map>
#include <sstream>

#include "disc/base.hpp"
#include "option_list.hpp"

namespace disc::app {
namespace {

// Backslashes, dashes, and points and quotes at the beginning of a line mean something to roff.
std::string roff(const std::string& text) {
  std::string result;
  bool at_begin = true;
  for (const char letter : text) {
    if (at_begin && (letter == '.' || letter == '\'')) result += "\\&";
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      result += letter;
    }
    at_begin = letter == '\n';
  }
  return result;
}

std::string heading_of(const ListedOption& option) {
  std::string text;
  for (const std::string& flag : option.flags) text += (text.empty() ? "\\fB" : ", \\fB") + roff(flag) + "\\fR";
  if (option.flags.empty()) text = "\\fI" + roff(option.name) + "\\fR";
  return text + (option.placeholder.empty() ? "" : " \\fI" + roff(option.placeholder) + "\\fR");
}

void write_command(const ListedCommand& command, std::ostringstream& page) {
  page << ".SH DISC " << roff(command.name) << "\n" << roff(command.description) << ".\n";
  std::vector<std::string> sections;
  std::map<std::string, std::string> options;
  for (const ListedOption& option : command.options) {
    std::string& text = options[option.section];
    if (text.empty()) sections.push_back(option.section);
    text += ".TP\n" + heading_of(option) + "\n" + roff(option.description) + "\n";
  }
  for (const std::string& section : sections) page << ".SS " << roff(section) << "\n" << options[section];
}

}  // namespace

std::string manual_page(const std::vector<ListedCommand>& commands) {
  std::ostringstream page;
  page << ".TH DISC 1 \"\" \"disc " << version() << "\" \"User Commands\"\n"
       << ".SH NAME\ndisc \\- groups of features that are connected to each other in one condition and not in the "
          "others\n"
       << ".SH SYNOPSIS\n";
  for (const ListedCommand& command : commands)
    page << ".B disc " << roff(command.name) << "\n[\\fIOPTIONS\\fR]\n.br\n";
  page << ".SH DESCRIPTION\nEach command finds its options below; \\fBdisc help COMMAND\\fR shows those that matter "
          "most.\n";
  for (const ListedCommand& command : commands) write_command(command, page);
  page << ".SH EXIT STATUS\n0 done, 1 internal error, 2 wrong usage, 3 wrong input, 4 not converged (with "
          "\\-\\-strict), 130 interrupted.\n";
  return page.str();
}

}  // namespace disc::app
