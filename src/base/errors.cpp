#include <utility>

#include "disc/base.hpp"

namespace disc {
namespace {

std::string describe(const InputError::Place& place, const std::string& message) {
  std::string text = place.file;
  if (place.line > 0) text += ":" + std::to_string(place.line);
  // file:17:4 is line 17, column 4; a column alone must not look like a line.
  if (place.column > 0) text += (place.line > 0 ? ":" : ", column ") + std::to_string(place.column);
  return text.empty() ? message : text + ": " + message;
}

}  // namespace

InputError::InputError(Place place, const std::string& message)
    : Error(describe(place, message)), place_(std::move(place)) {}

OptionError::OptionError(const std::string& option, const std::string& value, const std::string& rule)
    : Error("--" + option + " " + value + ": " + rule), option_(option) {}

std::string_view version() { return DISC_VERSION; }

}  // namespace disc
