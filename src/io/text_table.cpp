// Tab-separated tables of text, numbers as text, and digests.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "disc/io.hpp"
#include "io/bytes.hpp"
#include "io/csv_layout.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"
#include "io/text_table.hpp"

namespace disc {
namespace {

void append_line(std::string& text, const std::vector<std::string>& cells) {
  for (std::size_t j = 0; j < cells.size(); ++j) {
    if (j > 0) text += '\t';
    text += tsv_cell(cells[j]);
  }
  text += '\n';
}

// Tables with commas may quote their cells; tables with tabs have no need to.
std::vector<std::string> split_cells(std::string_view line, char separator) {
  std::vector<std::string> cells;
  if (separator == ',') {
    io::CellReader reader(line, io::Separator{separator});
    for (std::string_view cell; reader.next(cell);) cells.push_back(io::cell_text(cell));
    return cells;
  }
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    cells.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return cells;
}

io::Bytes load(const std::filesystem::path& file) {
  const Context context({.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = {}});
  return io::decompressed(io::load_file(file, context), file.string(), context);
}

// Lines that are not empty, with their numbers.
using NumberedLines = std::vector<std::pair<std::string_view, Index>>;
NumberedLines lines_of(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  NumberedLines lines;
  io::LineReader reader(text);
  Index number = 0;
  for (std::string_view line; reader.next(line);) {
    ++number;
    if (!line.empty()) lines.emplace_back(line, number);
  }
  return lines;
}

}  // namespace

std::string tsv_cell(std::string text) {
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = ' ';
  }
  return text;
}

Index TextTable::column(std::string_view name, const std::string& file) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found != columns.end()) return found - columns.begin();
  std::string list;
  for (const std::string& column : columns) list += (list.empty() ? "" : ", ") + column;
  throw InputError({.file = file, .value = std::string(name)},
                   "has no column '" + std::string(name) + "'; there are " + list);
}

std::string encode_tsv(const TextTable& table) {
  std::string text;
  append_line(text, table.columns);
  for (const auto& row : table.rows) append_line(text, row);
  return text;
}

TextTable read_tsv(const std::filesystem::path& file) { return decode_tsv(load(file).view, file.string()); }

TextTable decode_tsv(std::string_view text, const std::string& file) {
  TextTable table;
  const NumberedLines lines = lines_of(text);
  if (lines.empty()) throw InputError({.file = file}, "the file is empty; a header is needed");
  const char separator = lines.front().first.find('\t') == std::string_view::npos ? ',' : '\t';
  for (const auto& [line, number] : lines) {
    std::vector<std::string> cells = split_cells(line, separator);
    if (table.columns.empty()) {
      table.columns = std::move(cells);
      continue;
    }
    if (cells.size() != table.columns.size()) {
      throw InputError({.file = file, .line = number}, "the line has " + std::to_string(cells.size()) +
                                                           " cells, but the header names " +
                                                           std::to_string(table.columns.size()) + " columns");
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::vector<std::string> read_names(const std::filesystem::path& file) {
  std::vector<std::string> names;
  const io::Bytes bytes = load(file);
  for (const auto& [line, number] : lines_of(bytes.view)) {
    const std::string_view name = io::trimmed(line.substr(0, line.find('\t')));
    if (!name.empty()) names.emplace_back(name);
  }
  if (names.empty()) throw InputError({.file = file.string()}, "the file is empty; one name per line is needed");
  return names;
}

std::vector<NamedSet> read_gmt(const std::filesystem::path& file) {
  std::vector<NamedSet> sets;
  const io::Bytes bytes = load(file);
  for (const auto& [line, number] : lines_of(bytes.view)) {
    std::vector<std::string> cells = split_cells(line, '\t');
    if (cells.size() < 3) {
      throw InputError({.file = file.string(), .line = number, .value = io::printable(line)},
                       "the line has " + std::to_string(cells.size()) + (cells.size() == 1 ? " cell" : " cells") +
                           "; a set is a name, a description and its members, separated by tabs");
    }
    NamedSet set{std::move(cells[0]), std::move(cells[1]), {}};
    for (std::size_t i = 2; i < cells.size(); ++i) {
      if (!cells[i].empty()) set.members.push_back(std::move(cells[i]));
    }
    sets.push_back(std::move(set));
  }
  if (sets.empty()) throw InputError({.file = file.string()}, "the file is empty; it holds no sets");
  return sets;
}

std::string format_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string file_digest(const std::filesystem::path& file) {
  std::error_code failure;
  if (std::filesystem::is_directory(file, failure)) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(file, failure)) {
      if (entry.is_regular_file(failure)) files.push_back(entry.path().filename().string());
    }
    std::sort(files.begin(), files.end());
    std::string all;
    for (const std::string& name : files) all += name + "\n" + file_digest(file / name) + "\n";
    return hexadecimal(digest_of(all));
  }
  const Context context({.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = {}});
  return hexadecimal(digest_of(io::load_file(file, context).view));
}

}  // namespace disc
