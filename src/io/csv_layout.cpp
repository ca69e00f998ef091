#include "io/csv_layout.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "io/bytes.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"

namespace disc::io {

CellReader::CellReader(std::string_view line, Separator separator) : line_(line), separator_(separator) {
  if (!separator_.is_blank()) return;
  while (position_ < line_.size() && separator_.skips(line_[position_])) ++position_;
  more_ = position_ < line_.size();
}

std::size_t CellReader::end_of_quotes(std::size_t begin) {
  for (std::size_t at = begin + 1; at < line_.size(); ++at) {
    if (line_[at] != '"') continue;
    if (at + 1 < line_.size() && line_[at + 1] == '"') {
      ++at;
    } else {
      return at + 1;
    }
  }
  unclosed_ = true;
  return line_.size();
}

bool CellReader::next(std::string_view& cell) {
  if (!more_) return false;
  while (position_ < line_.size() && separator_.skips(line_[position_])) ++position_;
  std::size_t begin = position_;
  std::size_t end = begin < line_.size() && line_[begin] == '"' ? end_of_quotes(begin) : begin;
  if (separator_.is_blank()) {
    while (end < line_.size() && !separator_.skips(line_[end])) ++end;
    position_ = end;
    while (position_ < line_.size() && separator_.skips(line_[position_])) ++position_;
    more_ = position_ < line_.size();
  } else {
    end = std::min(line_.find(separator_.letter, end), line_.size());
    more_ = end < line_.size();
    position_ = more_ ? end + 1 : end;
    while (end > begin && separator_.skips(line_[end - 1])) --end;
  }
  cell = line_.substr(begin, end - begin);
  return true;
}

std::string cell_text(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  std::string text;
  text.reserve(cell.size());
  cell = cell.substr(1, cell.size() - 2);
  for (std::size_t at = 0; at < cell.size(); ++at) {
    text += cell[at];
    if (cell[at] == '"' && at + 1 < cell.size() && cell[at + 1] == '"') ++at;
  }
  return text;
}

bool cell_number(std::string_view cell, double& value, bool decimal_comma) {
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  if (!decimal_comma || (cell.find(',') == std::string_view::npos && cell.find('.') == std::string_view::npos)) {
    return read_cell_number(cell, value);
  }
  if (cell.find('.') != std::string_view::npos) return false;  // 1.234 would be 1234 to those who write 0,5
  std::string text(cell);
  text[text.find(',')] = '.';
  return read_cell_number(text, value);
}

Index count_cells(std::string_view line, Separator separator) {
  CellReader cells(line, separator);
  Index count = 0;
  for (std::string_view cell; cells.next(cell);) ++count;
  return count;
}

namespace {

// As much as a decision is based on; two lines at least.
constexpr std::size_t lines_looked_at = 100;
constexpr std::size_t bytes_looked_at = std::size_t{1} << 20;

struct FirstLine {
  std::string_view text;
  Index number = 0;
  std::size_t end = 0;  // where the next line begins
};

std::vector<FirstLine> first_lines(std::string_view text, bool tabs_count) {
  std::vector<FirstLine> lines;
  LineReader reader(text);
  Index number = 0;
  for (std::string_view line; lines.size() < lines_looked_at && reader.next(line);) {
    ++number;
    if (lines.size() >= 2 && reader.position() > bytes_looked_at) break;
    if (!is_blank(line, tabs_count)) lines.push_back({line, number, reader.position()});
  }
  return lines;
}

// How a separator would cut the lines.
struct Cut {
  bool alike = false;  // into the same number of cells, two or more; the first line may have one less, see find_layout
  Index cuts = 0;      // in all lines
};

Cut cut_by(Separator separator, const std::vector<FirstLine>& lines) {
  const Index usual = count_cells(lines.back().text, separator);
  Cut cut{usual > 1, 0};
  for (const FirstLine& line : lines) {
    const Index cells = count_cells(line.text, separator);
    cut.cuts += cells - 1;
    cut.alike = cut.alike && (cells == usual || (&line == &lines.front() && cells == usual - 1));
  }
  return cut;
}

// A separator that cuts all lines alike wins, in the order of how rarely it stands inside a cell: a comma may be
// part of a name or a number. Otherwise the most frequent one; blanks only if they cut alike, or if nothing else does.
Separator detect_separator(const std::vector<FirstLine>& lines, bool decimal_comma) {
  constexpr std::array<char, 4> candidates{'\t', ';', '|', ','};
  Separator max_frequent{' '};
  Index most = 0;
  for (const char letter : candidates) {
    if (letter == ',' && decimal_comma) continue;
    const Cut cut = cut_by({letter}, lines);
    if (cut.alike) return {letter};
    if (cut.cuts > most) {
      most = cut.cuts;
      max_frequent = {letter};
    }
  }
  const Cut blanks = cut_by({' '}, lines);
  return blanks.alike && blanks.cuts > most ? Separator{' '} : max_frequent;
}

std::string describe(Separator separator) {
  switch (separator.letter) {
    case '\t':
      return "tabs";
    case ' ':
      return "blanks";
    default:
      return std::string("'") + separator.letter + "'";
  }
}

std::vector<std::string_view> cells_of(const FirstLine& line, Separator separator, const std::string& file) {
  CellReader reader(line.text, separator);
  std::vector<std::string_view> cells;
  for (std::string_view cell; reader.next(cell);) cells.push_back(cell);
  if (reader.unclosed()) {
    throw InputError({file, line.number, static_cast<Index>(cells.size()), printable(cells.back())},
                     "the quote is not closed on this line");
  }
  return cells;
}

// With a comma or a point: what is a number in either way of writing is no text.
bool is_text(std::string_view cell) {
  double value = 0;
  return !cell_number(cell, value, false) && !cell_number(cell, value, true);
}

// 0, 1, 2, ... or 1, 2, 3, ...: what programs write above columns that have no names.
bool counts_up(const std::vector<std::string_view>& cells) {
  double start = 0;
  if (cells.size() < 2 || !cell_number(cells[1], start) || (start != 0 && start != 1)) return false;
  for (std::size_t j = 1; j < cells.size(); ++j) {
    double value = 0;
    if (!cell_number(cells[j], value) || value != start + static_cast<double>(j - 1)) return false;
  }
  return true;
}

// Words above a column of names.
bool is_title(std::string_view cell) {
  constexpr std::array<std::string_view, 16> titles{"id",      "name",     "names",  "gene",    "genes",     "gene_id",
                                                    "feature", "features", "sample", "samples", "sample_id", "cell",
                                                    "cells",   "index",    "symbol", "barcode"};
  std::string text = cell_text(cell);
  for (char& letter : text) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  return std::find(titles.begin(), titles.end(), text) != titles.end();
}

// What the lines after the first look like.
struct Body {
  Index usual_cells = 0;       // the number of cells most of them have
  bool first_is_text = false;  // more than half of them begin with text; a single one may be a mistake
};

Body look_at_body(const std::vector<FirstLine>& lines, Separator separator) {
  Body body;
  std::map<Index, Index> counts;
  std::size_t text = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    CellReader cells(lines[i].text, separator);
    std::string_view cell;
    if (cells.next(cell) && is_text(cell)) ++text;
    ++counts[count_cells(lines[i].text, separator)];
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; });
  if (most != counts.end()) body.usual_cells = most->first;
  body.first_is_text = 2 * text > lines.size() - 1;
  return body;
}

bool detect_header(const std::vector<std::string_view>& first, const Body& body) {
  if (std::any_of(first.begin() + 1, first.end(), is_text)) return true;
  if (body.usual_cells == static_cast<Index>(first.size()) + 1) return true;
  if (first.front().empty() || first.front() == "\"\"") return counts_up(first);
  // Text in the first cell only: a header, unless it is the name of a row like those below it.
  return is_text(first.front()) && (!body.first_is_text || counts_up(first) || is_title(first.front()));
}

void name_columns(CsvLayout& layout, const std::vector<std::string_view>& header, bool shorter) {
  const std::size_t skipped = layout.row_names && !shorter ? 1 : 0;
  for (std::size_t j = skipped; j < header.size(); ++j) {
    std::string name = cell_text(header[j]);
    layout.column_names.push_back(name.empty() ? "column " + std::to_string(j + 1) : std::move(name));
  }
}

// Lines at the beginning that start with #, as .1D files and many programs write them.
struct Comments {
  std::ptrdiff_t count = 0;
  std::size_t end = 0;  // where the line after them begins
  FirstLine last;       // without its mark
};

Comments leading_comments(const std::vector<FirstLine>& lines) {
  Comments comments;
  for (const FirstLine& line : lines) {
    if (!trimmed(line.text).starts_with('#')) break;
    ++comments.count;
    comments.end = line.end;
    comments.last = line;
  }
  std::string_view& text = comments.last.text;
  text.remove_prefix(std::min(text.find('#') + 1, text.size()));
  return comments;
}

// The last comment holds the names of the columns if it is cut like the lines of data. A name for each column, not one word.
bool names_columns(const Comments& comments, const std::vector<FirstLine>& lines, Separator separator) {
  if (comments.count == 0) return false;
  const Index names = count_cells(comments.last.text, separator);
  const Index cells = count_cells(lines.front().text, separator);
  return names > 1 && (names == cells || names + 1 == cells);
}

// "#1", "#2", ...: the mark is no part of the name.
void remove_marks(std::vector<std::string>& names) {
  for (std::string& name : names) {
    if (name.starts_with('#') && name.size() > 1) name.erase(0, 1);
  }
}

// What the lines of data hold in each column.
struct ColumnLook {
  std::size_t texts = 0, numbers = 0;
  std::set<std::string_view> different;
};

std::vector<ColumnLook> look_at_columns(const std::vector<FirstLine>& lines, const CsvLayout& layout) {
  std::vector<ColumnLook> columns(static_cast<std::size_t>(layout.cells));
  for (std::size_t i = layout.header ? 1 : 0; i < lines.size(); ++i) {
    CellReader reader(lines[i].text, layout.separator);
    std::string_view cell;
    for (std::size_t j = 0; j < columns.size() && reader.next(cell); ++j) {
      if (is_missing(cell_text(cell))) continue;
      ++(is_text(cell) ? columns[j].texts : columns[j].numbers);
      columns[j].different.insert(cell);
    }
  }
  return columns;
}

bool is_listed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Words that repeat below a title of their own are no names of rows: a column of conditions comes first in many tables.
bool is_first_column_label(const std::string& title, const ColumnLook& first, const ReadOptions& options) {
  const bool repeats = first.different.size() < first.texts + first.numbers;
  return repeats && !title.empty() && (is_listed(options.labels, title) || !is_title(title));
}

// Columns of words, and those that are asked for, describe the samples.
void find_labels(CsvLayout& layout, const std::vector<ColumnLook>& columns, const ReadOptions& options) {
  const std::size_t first = layout.row_names ? 1 : 0;
  std::vector<std::string> features;
  for (std::size_t j = first; j < columns.size(); ++j) {
    const std::string& name = layout.column_names[j - first];
    const bool all_words = columns[j].texts >= 2 && columns[j].numbers == 0;
    if (!all_words && !is_listed(options.labels, name)) {
      features.push_back(name);
      continue;
    }
    layout.label_cells.push_back(static_cast<Index>(j));
    layout.label_names.push_back(name);
  }
  if (features.empty() ||
      layout.label_cells.empty()) {  // nothing but words: something else is wrong, and reading tells what
    layout.label_cells.clear();
    layout.label_names.clear();
    return;
  }
  layout.column_names = std::move(features);
}

void note_labels(CsvLayout& layout) {
  if (layout.label_names.empty()) return;
  std::string list;
  for (const std::string& name : layout.label_names) list += (list.empty() ? "" : ", ") + name;
  layout.notes.push_back("columns that describe the samples and are no features: " + list);
}

}  // namespace

namespace {

void check_delimiter(const ReadOptions& options) {
  constexpr std::string_view never = "\"\r\n.+-0123456789";
  if (options.delimiter && never.find(*options.delimiter) != std::string_view::npos) {
    throw OptionError("delimiter", printable({&*options.delimiter, 1}),
                      "must not be part of numbers, a quote or a line end");
  }
}

// What the first line and the first column are: names, labels or numbers.
void find_names(CsvLayout& layout, const std::vector<FirstLine>& lines, const std::vector<std::string_view>& first,
                bool header_is_comment, const ReadOptions& options) {
  const Body body = look_at_body(lines, layout.separator);
  layout.header = header_is_comment || options.header.value_or(detect_header(first, body));
  const Index first_cells = static_cast<Index>(first.size());
  // A header without a cell above the row names, as R writes it.
  const bool shorter = layout.header && options.row_names.value_or(true) && body.usual_cells == first_cells + 1;
  const bool corner_empty = layout.header && cell_text(first.front()).empty();
  const bool only_line_is_text = lines.size() == 1 && !layout.header && is_text(first.front());
  layout.row_names = options.row_names.value_or(shorter || corner_empty || body.first_is_text || only_line_is_text);
  layout.cells = first_cells + (shorter ? 1 : 0);
  const bool may_have_labels = layout.header && !header_is_comment && options.samples_in == SamplesIn::rows;
  const std::vector<ColumnLook> columns = may_have_labels ? look_at_columns(lines, layout) : std::vector<ColumnLook>();
  const std::string title = cell_text(first.front());
  if (may_have_labels && layout.row_names && !shorter && !options.row_names) {
    layout.row_names = !is_first_column_label(title, columns.front(), options);
  }
  if (!layout.header) return;
  name_columns(layout, first, shorter);
  if (header_is_comment) remove_marks(layout.column_names);
  if (may_have_labels) find_labels(layout, columns, options);
  if (layout.row_names && !shorter && is_listed(options.labels, title)) layout.row_label = title;
}

void note_layout(CsvLayout& layout) {
  layout.notes.push_back("cells are separated by " + describe(layout.separator));
  layout.notes.push_back(layout.header ? "the first line holds column names" : "there is no header");
  layout.notes.push_back(layout.row_names ? "the first column holds row names" : "there are no row names");
  note_labels(layout);
}

}  // namespace

CsvLayout find_layout(std::string_view text, const std::string& file, const ReadOptions& options) {
  check_delimiter(options);
  CsvLayout layout;
  std::vector<FirstLine> lines = first_lines(text, options.delimiter == '\t');
  const Comments comments = leading_comments(lines);
  lines.erase(lines.begin(), lines.begin() + comments.count);
  if (lines.empty())
    throw InputError({.file = file}, "the file is empty: it holds nothing but blank lines or comments");
  layout.separator = options.delimiter ? Separator{*options.delimiter} : detect_separator(lines, options.decimal_comma);
  if (comments.count == 0 && layout.separator.letter == '\t') lines = first_lines(text, true);
  layout.data_begin = comments.end;
  if (names_columns(comments, lines, layout.separator) && options.header.value_or(true)) {
    lines.insert(lines.begin(), comments.last);
  }

  const std::vector<std::string_view> first = cells_of(lines.front(), layout.separator, file);
  if (first.empty()) throw InputError({.file = file, .line = lines.front().number}, "the line holds no cells");
  layout.decimal_comma = options.decimal_comma;
  layout.cells_line = lines.front().number;
  layout.data_line = comments.last.number + 1;
  find_names(layout, lines, first, lines.front().number == comments.last.number, options);
  if (layout.header) {
    layout.header_line = lines.front().number;
    layout.data_begin = lines.front().end;
    layout.data_line = lines.front().number + 1;
    if (lines.size() < 2) throw InputError({.file = file}, "there is a header but there are no data rows");
  }
  if (layout.cells - (layout.row_names ? 1 : 0) < 1) {
    throw InputError({.file = file, .line = lines.front().number, .value = printable(lines.front().text)},
                     "the line holds a name but no values; is the delimiter right (cells are separated by " +
                         describe(layout.separator) + ")?");
  }
  note_layout(layout);
  return layout;
}

}  // namespace disc::io
