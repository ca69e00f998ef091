// How a text table is laid out: what separates cells, and whether names stand in the first line and the first column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "disc/io.hpp"

namespace disc::io {

/// What separates cells. ' ' stands for runs of spaces and tabs, without empty cells.
struct Separator {
  char letter = ',';
  bool is_blank() const { return letter == ' '; }
  /// Spaces around cells never count; tabs neither, unless they separate.
  bool skips(char other) const { return other == ' ' || (other == '\t' && letter != '\t'); }
};

/// Walks over the cells of one line. A cell may be quoted ("" inside quotes is one quote); it ends on its line.
class CellReader {
 public:
  CellReader(std::string_view line, Separator separator);
  /// The cell as in the file, without blanks around it; quotes stay.
  bool next(std::string_view& cell);
  /// What has not been walked over.
  std::string_view rest() const { return line_.substr(position_); }
  /// True if another cell follows.
  bool more() const { return more_; }
  /// True if a quote was opened and not closed.
  bool unclosed() const { return unclosed_; }

 private:
  std::size_t end_of_quotes(std::size_t begin);

  std::string_view line_;
  Separator separator_;
  std::size_t position_ = 0;
  bool more_ = true;
  bool unclosed_ = false;
};

/// The text of a cell: without its quotes.
std::string cell_text(std::string_view cell);
/// A cell as a number (quoted numbers included) or a missing value; false if it is text.
bool cell_number(std::string_view cell, double& value, bool decimal_comma = false);
Index count_cells(std::string_view line, Separator separator);

struct CsvLayout {
  Separator separator;
  bool header = false, row_names = false;
  Index header_line = 0;                  ///< its number
  std::vector<std::string> column_names;  ///< empty without a header
  Index skipped_cells = 0;                ///< between the row name and the values, such as a description
  Index cells = 0;                        ///< in every line of data, row name and skipped ones included
  std::vector<Index> label_cells;         ///< cells that hold a label of the sample, counted from 0, ascending
  std::vector<std::string> label_names;   ///< as many
  std::string row_label;  ///< the names of the rows are also the label of this name; empty: they are not
  bool decimal_comma = false;
  Index cells_line = 0;        ///< the line that says so
  std::size_t data_begin = 0;  ///< where the lines of data begin
  Index data_line = 0;         ///< the number of the first of them
  std::vector<std::string> notes;
};

/// Looks at the beginning of a text. What the options say is not detected.
CsvLayout find_layout(std::string_view text, const std::string& file, const ReadOptions& options);

}  // namespace disc::io
