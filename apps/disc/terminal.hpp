// The terminal, if there is one.
#pragma once

#include <cstddef>
#include <string>

namespace disc::app {

/// Columns of the terminal behind a file descriptor; `otherwise` where there is none. COLUMNS in the environment wins.
std::size_t columns_of(int descriptor, std::size_t otherwise);

/// Breaks a line at blanks so that it fits `width` columns; further lines begin with `indent` blanks. A width of 0 breaks nothing.
std::string wrapped(const std::string& line, std::size_t width, std::size_t indent);

}  // namespace disc::app
