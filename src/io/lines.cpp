#include "io/lines.hpp"

#include <algorithm>
#include <cstring>

namespace disc::io {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

}  // namespace

std::size_t LineReader::find(char letter, std::size_t& known) const {
  if (searched_ && known >= position_) return known;
  const void* found = std::memchr(text_.data() + position_, letter, text_.size() - position_);
  known = found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()) : text_.size();
  return known;
}

bool LineReader::next(std::string_view& line) {
  if (position_ >= text_.size()) return false;
  const std::size_t newline = find('\n', newline_);
  const std::size_t carriage_return = find('\r', carriage_return_);
  searched_ = true;
  const std::size_t end = std::min(newline, carriage_return);
  line = text_.substr(position_, end - position_);
  position_ = end + 1;
  if (carriage_return < newline && newline == carriage_return + 1 && newline < text_.size()) ++position_;
  position_ = std::min(position_, text_.size());
  return true;
}

bool is_blank(std::string_view line, bool tabs_count) {
  return line.find_first_not_of(tabs_count ? " " : " \t") == std::string_view::npos;
}

LineChunks split_lines(std::string_view text, Index first_line, bool tabs_count, const Context& context) {
  LineChunks result;
  LineReader cutter(text);
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(begin + chunk_bytes, text.size());
    if (end < text.size()) {
      // One step back: a line that ends exactly here, or whose \r\n is cut in two, ends the chunk.
      cutter.skip_to(end - 1);
      std::string_view rest;
      cutter.next(rest);
      end = cutter.position();
    }
    result.chunks.push_back({text.substr(begin, end - begin)});
    begin = end;
  }
  context.parallel_for(static_cast<Index>(result.chunks.size()), [&](Index item) {
    LineChunk& chunk = result.chunks[static_cast<std::size_t>(item)];
    LineReader lines(chunk.text);
    for (std::string_view line; lines.next(line); ++chunk.first_line)
      chunk.first_row += is_blank(line, tabs_count) ? 0 : 1;
  });
  // So far each chunk holds its own counts; turn them into sums over those before it.
  for (LineChunk& chunk : result.chunks) {
    const Index lines = chunk.first_line;
    const Index rows = chunk.first_row;
    chunk.first_line = first_line;
    chunk.first_row = result.rows;
    first_line += lines;
    result.rows += rows;
  }
  return result;
}

}  // namespace disc::io
