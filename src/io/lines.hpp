// Text as lines: \n, \r\n and \r all end a line, also mixed in one file.
#pragma once

#include <string_view>
#include <vector>

#include "disc/base.hpp"

namespace disc::io {

/// Walks over the lines of a text. A last line without an end counts; an empty one after the last end does not.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}
  bool next(std::string_view& line);
  /// Where the next line begins.
  std::size_t position() const { return position_; }
  /// Goes on at a later place, which may be inside a line.
  void skip_to(std::size_t position) { position_ = position; }

 private:
  std::size_t find(char letter, std::size_t& known) const;

  std::string_view text_;
  std::size_t position_ = 0;
  // The next ends of either kind; looked for again only once passed, so that a file with one kind is scanned once.
  std::size_t newline_ = 0, carriage_return_ = 0;
  bool searched_ = false;
};

/// A run of whole lines, the item of parallel reading. Lines without content are no rows.
struct LineChunk {
  std::string_view text;
  Index first_line = 0;  ///< 1-based number of its first line
  Index first_row = 0;   ///< 0-based number of its first row
};
struct LineChunks {
  std::vector<LineChunk> chunks;
  Index rows = 0;
};

/// True for lines of spaces, and of tabs unless these separate cells.
bool is_blank(std::string_view line, bool tabs_count);

/// Cuts a text into chunks of about a megabyte, however many threads there are. Its first line has number `first_line`.
LineChunks split_lines(std::string_view text, Index first_line, bool tabs_count, const Context& context);

}  // namespace disc::io
