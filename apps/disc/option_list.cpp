#include "option_list.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace disc::app {
namespace {

// "rows|columns" as the placeholder of a value: it is one of these. Capitals stand for anything.
std::vector<std::string> choices_in(const std::string& placeholder) {
  const bool is_a_choice =
      placeholder.find('|') != std::string::npos &&
      std::ranges::none_of(placeholder, [](unsigned char letter) { return std::isupper(letter) != 0; });
  std::vector<std::string> choices;
  std::istringstream stream(is_a_choice ? placeholder : "");
  for (std::string choice; std::getline(stream, choice, '|');) choices.push_back(choice);
  return choices;
}

ListedOption listed(const CLI::Option& option) {
  ListedOption result;
  result.name = option.get_name();
  result.section = option.get_group();
  result.description = option.get_description();
  for (const std::string& name : option.get_snames()) result.flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) result.flags.push_back("--" + name);
  if (option.get_items_expected_max() > 0)
    result.placeholder = option.get_option_text().empty() ? "X" : option.get_option_text();
  if (result.placeholder == " ") result.placeholder.clear();
  result.choices = choices_in(result.placeholder);
  return result;
}

}  // namespace

std::vector<ListedCommand> listed_commands(const CLI::App& program) {
  std::vector<ListedCommand> commands;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;  // one that help does not show
    ListedCommand& one = commands.emplace_back(ListedCommand{command->get_name(), command->get_description(), {}});
    for (const CLI::Option* option : command->get_options()) one.options.push_back(listed(*option));
  }
  return commands;
}

}  // namespace disc::app
