// What tables and those who look things up in them must agree on.
#pragma once

#include <string>

namespace disc {

/// A text as a cell of a table: tabs and line ends become spaces.
std::string tsv_cell(std::string text);

}  // namespace disc
