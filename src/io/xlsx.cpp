// Excel workbooks (.xlsx): an archive of XML documents. One sheet is read, as the text table that saving it as csv would give.
#include <algorithm>
#include <charconv>
#include <optional>

#include "io/csv_rows.hpp"
#include "io/format.hpp"
#include "io/xml_reader.hpp"
#include "io/zip_archive.hpp"

namespace disc::io {
namespace {

using Piece = XmlReader::Piece;

constexpr Index most_rows = 1 << 20, most_columns = 1 << 14;  // of the format

class Workbook {
 public:
  Workbook(const Source& source, const Context& context)
      : archive_(source.bytes.view, source.file), file_(source.file), context_(context) {}

  /// The document of a part; empty if there is none and it need not be there.
  std::string part(const std::string& name, bool is_needed = true) const {
    const auto found = std::ranges::find(archive_.members(), name);
    if (found != archive_.members().end()) {
      return archive_.read(static_cast<std::size_t>(found - archive_.members().begin()), context_);
    }
    if (is_needed)
      throw InputError({.file = file_}, "the Excel file holds no '" + printable(name) + "'; it is damaged");
    return "";
  }

  const std::string& file() const { return file_; }

  /// The part that holds the sheet of this name, or the first one.
  std::string sheet(const std::string& wanted) const {
    const std::string document = part("xl/workbook.xml");
    XmlReader xml(document, file_);
    std::string list, id;
    for (Piece piece = xml.next(); piece != Piece::nothing; piece = xml.next()) {
      if (piece != Piece::start || xml.name() != "sheet") continue;
      const std::string name = xml.attribute("name");
      if (id.empty() && (wanted.empty() || wanted == name)) id = xml.attribute("id");
      list += (list.empty() ? "" : ", ") + printable(name);
    }
    if (!id.empty()) return target(id);
    throw InputError(
        {.file = file_, .value = wanted},
        wanted.empty() ? "holds no sheet" : "holds no sheet '" + printable(wanted) + "'; there are " + list);
  }

  /// Texts that cells refer to by number.
  std::vector<std::string> shared_texts() const {
    const std::string document = part("xl/sharedStrings.xml", false);
    std::vector<std::string> texts;
    XmlReader xml(document, file_);
    bool inside = false;
    int reading_aid = 0;  // the pronunciation of Japanese words is no part of them
    for (Piece piece = xml.next(); piece != Piece::nothing; piece = xml.next()) {
      if (piece == Piece::start && xml.name() == "si") texts.emplace_back();
      if (piece != Piece::text && xml.name() == "rPh") reading_aid += piece == Piece::start ? 1 : -1;
      if (piece == Piece::start || piece == Piece::end) inside = piece == Piece::start && xml.name() == "t";
      if (piece == Piece::text && inside && reading_aid == 0 && !texts.empty()) texts.back() += xml.text();
    }
    return texts;
  }

 private:
  std::string target(const std::string& id) const {
    const std::string document = part("xl/_rels/workbook.xml.rels");
    XmlReader xml(document, file_);
    for (Piece piece = xml.next(); piece != Piece::nothing; piece = xml.next()) {
      if (piece != Piece::start || xml.name() != "Relationship" || xml.attribute("Id") != id) continue;
      const std::string place = xml.attribute("Target");
      return place.starts_with('/') ? place.substr(1) : "xl/" + place;
    }
    throw InputError({.file = file_}, "the Excel file does not say where its sheet is; it is damaged");
  }

  ZipArchive archive_;
  std::string file_;
  const Context& context_;
};

struct Cell {
  Index row = 0, column = 0;
  std::string text;
};

// "BC12" is column 55, row 12, counted from 1.
std::optional<Cell> place_of(const std::string& reference) {
  Cell cell;
  std::size_t at = 0;
  for (; at < reference.size() && reference[at] >= 'A' && reference[at] <= 'Z' && cell.column <= most_columns; ++at) {
    cell.column = 26 * cell.column + (reference[at] - 'A' + 1);
  }
  const char* const end = reference.data() + reference.size();
  const auto [rest, failure] = std::from_chars(reference.data() + at, end, cell.row);
  const bool good = failure == std::errc() && rest == end && cell.row >= 1 && cell.row <= most_rows &&
                    cell.column >= 1 && cell.column <= most_columns;
  return good ? std::optional(cell) : std::nullopt;
}

// As a text table would have it: one line, and in quotes where it holds some.
std::string as_cell(std::string text) {
  bool has_quotes = false;
  for (char& letter : text) {
    if (letter == '\t' || letter == '\n' || letter == '\r') letter = ' ';
    has_quotes = has_quotes || letter == '"';
  }
  if (!has_quotes) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

class SheetReader {
 public:
  SheetReader(const Workbook& book, const std::string& document)
      : book_(book), shared_(book.shared_texts()), xml_(document, book.file()) {}

  std::vector<Cell> cells() {
    std::vector<Cell> found;
    Cell cell;
    std::string type;
    bool in_value = false;
    Index row = 0, column = 0;  // for files that do not say where a cell is
    for (Piece piece = xml_.next(); piece != Piece::nothing; piece = xml_.next()) {
      if (piece == Piece::text) {
        if (in_value) cell.text += xml_.text();
        continue;
      }
      const bool starts = piece == Piece::start;
      in_value = starts && (xml_.name() == "v" || xml_.name() == "t");
      if (starts && xml_.name() == "row") {
        row = row_number(row + 1);
        column = 0;
      } else if (starts && xml_.name() == "c") {
        cell = place(row, column + 1);
        column = cell.column;
        type = xml_.attribute("t");
      } else if (!starts && xml_.name() == "c" && !cell.text.empty()) {
        cell.text = meant(cell, type);
        if (!cell.text.empty()) found.push_back(cell);
        cell.text.clear();
      }
    }
    return found;
  }

 private:
  Index row_number(Index next) const {
    const std::optional<Cell> given = place_of("A" + xml_.attribute("r"));
    return given ? given->row : next;
  }

  Cell place(Index row, Index column) const {
    const std::string reference = xml_.attribute("r");
    if (reference.empty()) return {row, column, ""};
    if (const std::optional<Cell> given = place_of(reference)) return *given;
    throw InputError({.file = book_.file(), .value = reference},
                     "a cell is at '" + printable(reference) + "', which is no place; the file is damaged");
  }

  std::string meant(const Cell& cell, const std::string& type) const {
    if (type == "e") return cell.text == "#N/A" ? "" : cell.text;  // what a formula could not compute
    if (type != "s") return as_cell(cell.text);
    std::size_t number = 0;
    const auto [rest, failure] = std::from_chars(cell.text.data(), cell.text.data() + cell.text.size(), number);
    if (failure == std::errc() && number < shared_.size()) return as_cell(shared_[number]);
    throw InputError({.file = book_.file(), .value = cell.text}, "a cell refers to the text " + printable(cell.text) +
                                                                     " of " + std::to_string(shared_.size()) +
                                                                     "; the file is damaged");
  }

  const Workbook& book_;
  std::vector<std::string> shared_;
  XmlReader xml_;
};

// Tab-separated; line 17 is row 17 of the sheet.
std::string to_text(std::vector<Cell> cells, std::size_t sheet_size, const std::string& file) {
  if (cells.empty()) throw InputError({.file = file}, "the sheet is empty");
  std::ranges::stable_sort(cells, {}, [](const Cell& cell) { return std::pair(cell.row, cell.column); });
  const auto by_column = [](const Cell& cell) { return cell.column; };
  const Index first = std::ranges::min(cells, {}, by_column).column;
  const Index last = std::ranges::max(cells, {}, by_column).column;
  const std::size_t most = 1000 * sheet_size + (std::size_t{1} << 24);
  std::string text;
  std::size_t at = 0;
  for (Index row = 1; row <= cells.back().row; ++row) {
    const bool has_cells = cells[at].row == row;
    for (Index column = first; column <= last && has_cells; ++column) {
      if (column > first) text += '\t';
      if (at < cells.size() && cells[at].row == row && cells[at].column == column) text += cells[at++].text;
    }
    if (at < cells.size() && has_cells && cells[at].row == row) {
      throw InputError({.file = file, .line = row}, "a cell of the sheet is there twice; the file is damaged");
    }
    text += '\n';
    if (text.size() > most) throw InputError({.file = file}, "the cells of the sheet lie too far apart for a table");
  }
  return text;
}

}  // namespace

bool recognizes_xlsx(std::string_view bytes) {
  if (!bytes.starts_with("PK\x03\x04")) return false;
  try {
    const ZipArchive archive(bytes, "");
    return std::ranges::find(archive.members(), "xl/workbook.xml") != archive.members().end();
  } catch (const InputError&) {
    return false;
  }
}

FileTable read_xlsx(const Source& source, const ReadOptions& options, const Context& context) {
  const Workbook book(source, context);
  const std::string document = book.part(book.sheet(options.variable));
  const std::string text = to_text(SheetReader(book, document).cells(), document.size(), source.file);
  ReadOptions as_text = options;
  as_text.delimiter = '\t';
  as_text.decimal_comma = false;  // numbers are numbers, however they are shown
  return read_rows(text, find_layout(text, source.file, as_text), source.file, context);
}

}  // namespace disc::io
