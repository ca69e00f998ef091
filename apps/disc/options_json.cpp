// disc options: the commands with all their options as JSON, from which the documentation and the types of the Python package are made.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "disc/options.hpp"

namespace disc::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view mark_of_default = " (default: ";

// "what it does (default: 3)": its two parts. Only where the default stands at the end.
std::pair<std::string, std::string> without_default(const std::string& text) {
  const std::size_t begin = text.rfind(mark_of_default);
  if (begin == std::string::npos || text.back() != ')') return {text, ""};
  const std::size_t value = begin + mark_of_default.size();
  return {text.substr(0, begin), text.substr(value, text.size() - value - 1)};
}

// Options that are not in the table of a run are text, or flags without a value.
std::string type_of(const ListedOption& option) {
  const auto& table = option_table();
  const std::string name = option.flags.empty() ? "" : option.flags.back().substr(2);
  const auto field = std::ranges::find(table, name, &OptionField::name);
  if (field != table.end()) return field->type;
  if (!option.choices.empty()) return "choice";
  return option.placeholder.empty() && !option.flags.empty() ? "flag" : "text";
}

Json described(const ListedOption& option) {
  const auto [text, standard] = without_default(option.description);
  return {{"flags", option.flags},
          {"name", option.name},
          {"type", type_of(option)},
          {"value", option.placeholder},
          {"choices", option.choices},
          {"section", option.section},
          {"text", text},
          {"default", standard}};
}

Json described(const ListedCommand& command) {
  Json options = Json::array();
  for (const ListedOption& option : command.options) options.push_back(described(option));
  return {{"name", command.name}, {"text", command.description}, {"options", std::move(options)}};
}

}  // namespace

Command add_options(CLI::App& program, const CommandList& commands) {
  CLI::App* app = program.add_subcommand("options", "print all options as JSON");
  return {
      app, [commands] {
        Json all{{"commands", Json::array()}, {"presets", Json::array()}};
        for (const ListedCommand& command : commands()) all["commands"].push_back(described(command));
        for (const Preset& preset : presets())
          all["presets"].push_back({{"name", preset.name}, {"text", preset.description}, {"values", preset.values}});
        std::cout << all.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
        return ok;
      }};
}

}  // namespace disc::app
