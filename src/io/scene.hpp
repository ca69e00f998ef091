// What every format of scenes has: pixels called by line and sample, and bands, either of which are the features.
#pragma once

#include "io/format.hpp"

namespace disc::io {

/// Pixels of a scene, line by line; count 0: all of them.
struct PixelRange {
  Index first = 0, count = 0;
};

/// Names the pixels and says which axis is which, in a table that is bands x pixels; `kind` begins the note.
void describe_scene(const std::string& kind, Index lines, Index columns, const PixelRange& range,
                    FeaturesAre features_are, FileTable& table);

bool recognizes_tiff(std::string_view bytes);
FileTable read_tiff(const Source& source, const ReadOptions& options, const Context& context);

}  // namespace disc::io
