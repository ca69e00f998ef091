// The two files of an ENVI cube, in memory: for the reader, and for fuzzing it.
#pragma once

#include "io/format.hpp"

namespace disc::io {

struct EnviFiles {
  std::string_view header;
  std::string header_file;
  std::string_view values;
  std::string values_file;
};

FileTable envi_table(const EnviFiles& files, const ReadOptions& options, const Context& context);

}  // namespace disc::io
