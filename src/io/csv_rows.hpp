// The rows of text tables, for formats that know their layout.
#pragma once

#include "io/csv_layout.hpp"
#include "io/format.hpp"

namespace disc::io {

/// Reads the lines of data of a text whose layout is known.
FileTable read_rows(std::string_view text, CsvLayout layout, const std::string& file, const Context& context);

/// Without the byte order mark; throws InputError for text in UTF-16.
std::string_view without_mark(std::string_view text, const std::string& file);

}  // namespace disc::io
