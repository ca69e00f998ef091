// Text in HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace disc {

/// The text with &, <, > and " replaced, so that it is text between tags and inside quoted attributes.
std::string escape_markup(std::string_view text);

}  // namespace disc
