// Numbers as people and programs write them.
#pragma once

#include <string_view>

namespace disc::io {

/// Reads a number at the beginning of [first, last): decimal with optional sign and exponent, or inf, infinity and nan
/// in any case. Too large becomes infinite, too small zero. Returns where it ends, or nullptr if there is none.
const char* read_number(const char* first, const char* last, double& value);

/// A whole cell: a number, or NaN for a missing value (empty, NA, N/A, NaN, null, none). False if it is neither.
bool read_cell_number(std::string_view cell, double& value);

/// Empty, NA, N/A, null or none, in any case; not NaN, which is a number.
bool is_missing(std::string_view cell);

/// Without spaces, tabs and other blanks at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace disc::io
