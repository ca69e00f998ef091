// The option table: each option of a run is declared once, in src/pipeline/options.cpp. Flags, help, Python keywords, validation and
// the record of a run are derived from it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "disc/pipeline.hpp"

namespace disc {

struct OptionField {
  std::string
      name;  ///< "bandwidth-neighbors": the flag is --bandwidth-neighbors, the Python keyword bandwidth_neighbors (dashes become underscores)
  std::string section;                 ///< heading in the help: "Graph", "Solver", ...
  std::string type;                    ///< "integer", "number", "choice", "switch" (yes or no), "text", "selection"
  std::vector<std::string> choices{};  ///< of a choice or switch
  std::string help;                    ///< effect, when it applies, default
  /// Parses and checks a value; throws OptionError naming the option, the value and the rule.
  std::function<void(RunOptions&, const std::string& value)> set{};
  /// The value as text; "auto" when unset.
  std::function<std::string(const RunOptions&)> text{};
};

const std::vector<OptionField>& option_table();
/// Throws OptionError when there is no option of this name.
const OptionField& find_option(std::string_view name);

struct Preset {
  std::string name, description;
  std::map<std::string, std::string> values;  ///< option name -> value
};
const std::vector<Preset>& presets();

/// A preset first (empty = none), then what the user gave.
RunOptions make_options(const std::string& preset, const std::map<std::string, std::string>& given);

/// An option of reading files, --samples-in and so on: one row each in src/pipeline/read_options.cpp.
struct ReadField {
  std::string name, placeholder, help;
  /// Checks and sets a value; throws OptionError naming the option, the value and the rule.
  std::function<void(ReadOptions&, const std::string& value)> set;
};
const std::vector<ReadField>& read_option_table();
ReadOptions make_read_options(const std::map<std::string, std::string>& given);

}  // namespace disc
