// Text tables: csv, tsv and the like. Lines are read in parallel, numbers without copying the text.
#include <algorithm>
#include <memory>

#include "io/bytes.hpp"
#include "io/csv_rows.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"

namespace disc::io {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// Reads lines of data into their rows.
class RowReader {
 public:
  RowReader(const CsvLayout& layout, const std::string& file) : layout_(layout), file_(file) {}

  // `labels`: where those of this row go, as many as the layout has.
  void read(std::string_view line, Index number, std::string* name, double* values,
            std::vector<std::vector<std::string>>& labels, Index row) const {
    const Separator separator = layout_.separator;
    CellReader start(line, separator);
    Index column = 1;
    bool more = start.more();
    std::string_view rest = start.rest();
    if (name != nullptr) {
      std::string_view cell;
      if (start.next(cell)) *name = cell_text(cell);
      if (start.unclosed()) refuse_quote(number, column, cell);
      more = start.more();
      rest = start.rest();
      ++column;
    }
    for (Index skipped = 0; skipped < layout_.skipped_cells && more; ++skipped, ++column) {
      std::string_view cell;
      start.next(cell);
      more = start.more();
      rest = start.rest();
    }
    std::size_t label = 0;
    for (; column <= layout_.cells; ++column) {
      if (!more) refuse_length(line, number);
      if (label < labels.size() && layout_.label_cells[label] == column - 1) {
        read_label(rest, more, number, column, labels[label++][static_cast<std::size_t>(row)]);
        continue;
      }
      if (!read_plain(rest, more, *values)) read_any(rest, more, number, column, *values);
      ++values;
    }
    if (more) refuse_length(line, number);
  }

  [[noreturn]] void refuse_length(std::string_view line, Index number) const {
    throw InputError({.file = file_, .line = number},
                     "the line has " + count_of(count_cells(line, layout_.separator)) + ", but " +
                         std::to_string(layout_.cells) +
                         (layout_.header ? " are expected after the header on line " : " are expected, as on line ") +
                         std::to_string(layout_.cells_line));
  }

 private:
  static std::string count_of(Index cells) { return std::to_string(cells) + (cells == 1 ? " cell" : " cells"); }

  void read_label(std::string_view& rest, bool& more, Index number, Index column, std::string& text) const {
    CellReader cells(rest, layout_.separator);
    std::string_view cell;
    cells.next(cell);
    if (cells.unclosed()) refuse_quote(number, column, cell);
    text = cell_text(cell);
    if (is_missing(text)) text.clear();
    more = cells.more();
    rest = cells.rest();
  }

  // The usual case: a number that begins here and ends at a separator. Nothing is consumed otherwise.
  bool read_plain(std::string_view& rest, bool& more, double& value) const {
    if (layout_.decimal_comma) return false;
    const Separator separator = layout_.separator;
    const char* at = rest.data();
    const char* end = at + rest.size();
    // One digit and the separator: most cells of sparse tables are "0,".
    if (end - at > 1 && at[1] == separator.letter && !separator.is_blank() && at[0] >= '0' && at[0] <= '9') {
      value = at[0] - '0';
      rest.remove_prefix(2);
      return true;
    }
    while (at != end && separator.skips(*at)) ++at;
    at = read_number(at, end, value);
    if (at == nullptr) return false;
    const char* after = at;
    while (at != end && separator.skips(*at)) ++at;
    if (at == end) {
      more = false;
    } else if (separator.is_blank()) {
      if (at == after) return false;
    } else {
      if (*at != separator.letter) return false;
      ++at;
    }
    rest = {at, static_cast<std::size_t>(end - at)};
    return true;
  }

  // Missing values, quoted numbers, and text.
  void read_any(std::string_view& rest, bool& more, Index number, Index column, double& value) const {
    CellReader cells(rest, layout_.separator);
    std::string_view cell;
    cells.next(cell);
    if (cells.unclosed()) refuse_quote(number, column, cell);
    if (!cell_number(cell, value, layout_.decimal_comma)) refuse_text(number, column, cell);
    more = cells.more();
    rest = cells.rest();
  }

  [[noreturn]] void refuse_quote(Index number, Index column, std::string_view cell) const {
    throw InputError({file_, number, column, printable(cell)}, "the quote is not closed on this line");
  }

  [[noreturn]] void refuse_text(Index number, Index column, std::string_view cell) const {
    std::string hint;
    if (column == 1) hint = "; if the first column holds names, say so with --row-names yes";
    double value = 0;
    if (cell_number(cell, value, !layout_.decimal_comma)) {
      hint = layout_.decimal_comma
                 ? "; with --decimal comma, decimals are written with a comma and there are no other signs"
                 : "; if decimals are written with a comma here, say so with --decimal comma";
    }
    throw InputError({file_, number, column, printable(cell)},
                     "'" + printable(cell) + "' is not a number (line " + std::to_string(number) + ", column " +
                         std::to_string(column) + "); cells hold numbers, or nothing, NA or NaN for a missing value" +
                         hint);
  }

  const CsvLayout& layout_;
  const std::string& file_;
};

// Every cell but the last of a file needs at least its separator or line end. If there is less text than that, a
// line is too short, and the table it seems to announce must not be allocated.
void check_size(const LineChunks& lines, std::string_view text, const CsvLayout& layout, const RowReader& reader) {
  const auto rows = static_cast<std::size_t>(lines.rows);
  if (rows <= (text.size() + 1) / static_cast<std::size_t>(layout.cells)) return;
  LineReader scan(text);
  Index number = layout.data_line;
  for (std::string_view line; scan.next(line); ++number) {
    if (is_blank(line, layout.separator.letter == '\t')) continue;
    if (count_cells(line, layout.separator) != layout.cells) reader.refuse_length(line, number);
  }
}

}  // namespace

// Text has no zero bytes.
bool recognizes_csv(std::string_view bytes) {
  return bytes.substr(0, std::size_t{1} << 12).find('\0') == std::string_view::npos;
}

FileTable read_rows(std::string_view text, CsvLayout layout, const std::string& file, const Context& context) {
  const bool tabs_count = layout.separator.letter == '\t';
  const RowReader reader(layout, file);
  text.remove_prefix(layout.data_begin);
  const LineChunks lines = split_lines(text, layout.data_line, tabs_count, context);
  check_size(lines, text, layout, reader);

  FileTable table;
  const Index width =
      layout.cells - layout.skipped_cells - (layout.row_names ? 1 : 0) - static_cast<Index>(layout.label_cells.size());
  std::vector<std::vector<std::string>> labels(layout.label_cells.size(),
                                               std::vector<std::string>(static_cast<std::size_t>(lines.rows)));
  require_memory(static_cast<std::size_t>(lines.rows) * static_cast<std::size_t>(width) * sizeof(double), file,
                 context);
  if (layout.row_names) table.row_names.resize(static_cast<std::size_t>(lines.rows));
  const auto values =
      std::make_shared_for_overwrite<double[]>(static_cast<std::size_t>(lines.rows) * static_cast<std::size_t>(width));
  context.parallel_for(static_cast<Index>(lines.chunks.size()), [&](Index item) {
    const LineChunk& chunk = lines.chunks[static_cast<std::size_t>(item)];
    LineReader scan(chunk.text);
    Index number = chunk.first_line;
    Index row = chunk.first_row;
    for (std::string_view line; scan.next(line); ++number) {
      if (is_blank(line, tabs_count)) continue;
      std::string* name = layout.row_names ? &table.row_names[static_cast<std::size_t>(row)] : nullptr;
      reader.read(line, number, name, values.get() + row * width, labels, row);
      ++row;
    }
  });
  table.values = DenseValues{values.get(), lines.rows, width, width, 1, values};
  table.column_names = std::move(layout.column_names);
  if (!layout.row_label.empty()) table.labels.push_back({layout.row_label, table.row_names});
  for (std::size_t k = 0; k < labels.size(); ++k) {
    table.labels.push_back({layout.label_names[k], std::move(labels[k])});
  }
  table.notes = std::move(layout.notes);
  return table;
}

std::string_view without_mark(std::string_view text, const std::string& file) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    throw InputError({.file = file}, "the text is in UTF-16; save it as UTF-8");
  }
  return text;
}

FileTable read_csv(const Source& source, const ReadOptions& options, const Context& context) {
  const std::string_view text = without_mark(source.bytes.view, source.file);
  return read_rows(text, find_layout(text, source.file, options), source.file, context);
}

}  // namespace disc::io
