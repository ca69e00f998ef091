// What the pages of a TIFF are, before any value is read: sizes, types, and whether the file can hold what they announce.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/raw_numbers.hpp"
#include "io/tiff_handle.hpp"

namespace disc::io {

/// One image of the file.
struct Page {
  Index lines = 0, columns = 0, samples = 0;
  RawType type;
  bool by_pixel = true;  // the samples of a pixel are side by side
  Index tile_lines = 0, tile_columns = 0;
  bool is_tiled = false;
  bool has_alpha = false;  // the last sample says where there are values

  Index bands() const { return samples - (has_alpha ? 1 : 0); }
  Index pixels() const { return lines * columns; }
  /// Samples of a pixel that are in one tile.
  Index together() const { return by_pixel ? samples : 1; }
  bool fits(const Page& other) const {
    return lines == other.lines && columns == other.columns && samples == 1 && other.samples == 1 &&
           type.kind == other.type.kind && type.size == other.type.size;
  }
};

/// Numbers of the pages that are bands of the scene: the first image, and those like it where it has one band.
struct Pages {
  std::vector<Index> numbers;
  Page first;
  Index left_out = 0;

  Index bands() const { return numbers.size() > 1 ? static_cast<Index>(numbers.size()) : first.bands(); }
};

/// Throws InputError for what is not read; `largest` as in TiffHandle.
Pages find_pages(std::string_view bytes, std::size_t largest, const std::string& file, const Context& context);

/// Bytes that reading takes; throws InputError if `stored` bytes cannot hold that many values.
std::size_t checked_memory(const Pages& pages, std::size_t stored, const std::string& file);

/// libtiff takes no more than this at once, for a file of this size.
std::size_t largest_piece(std::size_t stored);

}  // namespace disc::io
