// The two files of an ENVI cube, in memory: for the reader, and for fuzzing it.
#pragma once

#include "io/scene.hpp"

namespace disc::io {

struct EnviFiles {
  std::string_view header;
  std::string header_file;
  std::string_view values;
  std::string values_file;
  std::shared_ptr<const void> owner{};  ///< of the values; none: they are copied
};

FileTable envi_table(const EnviFiles& files, const ReadOptions& options, const Context& context,
                     const PixelRange& range = {});

/// Pixels of a cube, from its header; `files.values` is not looked at.
Index count_pixels(const EnviFiles& files);

/// The files of a cube, given its header or its values, with their bytes; `owners` keep them.
struct LoadedCube {
  EnviFiles files;
  Bytes header, values;
};
LoadedCube load_cube(const std::filesystem::path& given, const Context& context);

}  // namespace disc::io
