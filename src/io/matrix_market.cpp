// Matrix Market files: coordinate (kept sparse) and array (dense, stored by columns).
#include <algorithm>

#include <charconv>
#include <cmath>

#include "io/format.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"
#include "io/sparse_entries.hpp"

namespace disc::io {
namespace {

constexpr std::string_view banner = "%%MatrixMarket";

enum class Symmetry { general, symmetric, skew };

struct MatrixMarketHeader {
  bool coordinate = true, pattern = false;
  Symmetry symmetry = Symmetry::general;
  Index rows = 0, cols = 0, entries = 0;
  std::size_t data_begin = 0;
  Index data_line = 0;
};

// The next word of a line; empty at its end.
std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::string lower_case(std::string_view word) {
  std::string text(word);
  for (char& letter : text) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  return text;
}

void parse_banner(std::string_view line, const std::string& file, MatrixMarketHeader& header) {
  const auto refuse = [&](const std::string& word, const std::string& allowed) {
    throw InputError({file, 1, 0, printable(word)},
                     "'" + printable(word) + "' in the first line is not supported; " + allowed);
  };
  if (!line.starts_with(banner)) {
    throw InputError({.file = file, .line = 1},
                     "is not a Matrix Market file: the first line must begin with %%MatrixMarket");
  }
  line.remove_prefix(banner.size());
  const std::string object = lower_case(take_word(line));
  const std::string layout = lower_case(take_word(line));
  const std::string field = lower_case(take_word(line));
  const std::string symmetry = lower_case(take_word(line));
  if (object != "matrix") refuse(object, "the object must be a matrix");
  if (layout != "coordinate" && layout != "array") refuse(layout, "it must be coordinate or array");
  header.coordinate = layout == "coordinate";
  header.pattern = field == "pattern";
  if (field != "real" && field != "integer" && field != "double" && !(header.pattern && header.coordinate)) {
    refuse(field, "values must be real, integer or (for coordinate) pattern");
  }
  if (symmetry == "symmetric") {
    header.symmetry = Symmetry::symmetric;
  } else if (symmetry == "skew-symmetric") {
    header.symmetry = Symmetry::skew;
  } else if (symmetry != "general") {
    refuse(symmetry, "it must be general, symmetric or skew-symmetric");
  }
}

bool take_index(std::string_view& line, Index& value) {
  const std::string_view word = take_word(line);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return !word.empty() && error == std::errc() && end == word.data() + word.size();
}

MatrixMarketHeader parse_header(std::string_view text, const std::string& file) {
  MatrixMarketHeader header;
  LineReader lines(text);
  std::string_view line;
  lines.next(line);
  parse_banner(line, file, header);
  Index number = 1;
  bool found = false;
  while (!found && lines.next(line)) {
    ++number;
    found = !is_blank(line, false) && line.front() != '%';
  }
  if (!found)
    throw InputError({.file = file, .line = number}, "the file is truncated: the line with the size is missing");
  std::string_view rest = line;
  bool fine = take_index(rest, header.rows) && take_index(rest, header.cols);
  fine = fine && (!header.coordinate || take_index(rest, header.entries));
  fine = fine && is_blank(rest, false) && header.rows >= 0 && header.cols >= 0 && header.entries >= 0;
  if (!fine) {
    throw InputError(
        {file, number, 0, printable(line)},
        "'" + printable(line) + "' is not a size; expected " +
            (header.coordinate ? "the numbers of rows, columns and entries" : "the numbers of rows and columns"));
  }
  if (header.symmetry != Symmetry::general && header.rows != header.cols) {
    throw InputError({file, number, 0, printable(line)}, "a symmetric matrix must have as many rows as columns");
  }
  header.data_begin = lines.position();
  header.data_line = number + 1;
  return header;
}

// Reads the lines of entries, whatever the format: counts them against what the header announces.
class Body {
 public:
  Body(const Source& source, const MatrixMarketHeader& header, Index announced, const Context& context)
      : source_(source), context_(context) {
    const std::string_view text = source.bytes.view.substr(header.data_begin);
    lines_ = split_lines(text, header.data_line, false, context);
    if (lines_.rows != announced) {
      throw InputError(
          {.file = source.file},
          (lines_.rows < announced ? "the file is truncated: " : "the file does not match its size line: ") +
              std::to_string(announced) + " entries are announced, " + std::to_string(lines_.rows) + " follow");
    }
  }

  /// Calls f(chunk, entry number, line, line number) for every entry, chunks in parallel.
  template <class F>
  void for_each(const F& f) const {
    context_.parallel_for(chunks(), [&](Index item) {
      const LineChunk& chunk = lines_.chunks[static_cast<std::size_t>(item)];
      LineReader reader(chunk.text);
      Index number = chunk.first_line;
      Index entry = chunk.first_row;
      for (std::string_view line; reader.next(line); ++number) {
        if (!is_blank(line, false)) f(item, entry++, line, number);
      }
    });
  }

  Index chunks() const { return static_cast<Index>(lines_.chunks.size()); }

  Index take_place(std::string_view& line, Index limit, Index number, Index column) const {
    const std::string_view word = take_word(line);
    Index place = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), place);
    if (word.empty() || error != std::errc() || end != word.data() + word.size() || place < 1 || place > limit) {
      throw InputError({source_.file, number, column, printable(word)},
                       "'" + printable(word) + "' is not a " + (column == 1 ? "row" : "column") + " number from 1 to " +
                           std::to_string(limit));
    }
    return place - 1;
  }

  double take_value(std::string_view& line, Index number, Index column) const {
    const std::string_view word = take_word(line);
    double value = 0;
    if (word.empty() || read_number(word.data(), word.data() + word.size(), value) != word.data() + word.size()) {
      throw InputError({source_.file, number, column, printable(word)}, "'" + printable(word) + "' is not a number");
    }
    return value;
  }

  void expect_end(std::string_view line, Index number) const {
    if (is_blank(line, false)) return;
    throw InputError({source_.file, number, 0, printable(trimmed(line))},
                     "'" + printable(trimmed(line)) + "' follows where the line should end");
  }

 private:
  const Source& source_;
  const Context& context_;
  LineChunks lines_;
};

std::shared_ptr<SparseMatrix> read_coordinate(const Source& source, const MatrixMarketHeader& header,
                                              const Context& context) {
  const Body body(source, header, header.entries, context);
  check_sparse_size(header.rows, header.cols, header.entries, source.file);
  std::vector<std::vector<Entry>> parts(static_cast<std::size_t>(body.chunks()));
  body.for_each([&](Index chunk, Index, std::string_view line, Index number) {
    auto& part = parts[static_cast<std::size_t>(chunk)];
    const Index row = body.take_place(line, header.rows, number, 1);
    const Index col = body.take_place(line, header.cols, number, 2);
    const double value = header.pattern ? 1.0 : body.take_value(line, number, 3);
    body.expect_end(line, number);
    part.push_back({row, col, value});
    if (header.symmetry != Symmetry::general && row != col) {
      part.push_back({col, row, header.symmetry == Symmetry::skew ? -value : value});
    }
  });
  return from_entries(header.rows, header.cols, std::move(parts), context);
}

// Row and column of a value of a triangle stored by columns; the diagonal of a skew-symmetric matrix is not stored.
std::vector<Index> triangle_starts(Index size, bool diagonal) {
  std::vector<Index> starts{0};
  for (Index col = 0; col < size; ++col) starts.push_back(starts.back() + size - col - (diagonal ? 0 : 1));
  return starts;
}

DenseValues read_array(const Source& source, const MatrixMarketHeader& header, const Context& context) {
  // A value takes a byte and the end of its line: the text bounds the size before anything is allocated.
  Index total = 0;
  const bool overflow = __builtin_mul_overflow(header.rows, header.cols, &total);
  if (overflow || static_cast<std::size_t>(total) / 2 > source.bytes.view.size()) {
    throw InputError({.file = source.file}, "the file is truncated: it is too short for " +
                                                std::to_string(header.rows) + " x " + std::to_string(header.cols) +
                                                " values");
  }
  const bool general = header.symmetry == Symmetry::general;
  const bool diagonal = header.symmetry != Symmetry::skew;
  const std::vector<Index> starts = general ? std::vector<Index>{} : triangle_starts(header.rows, diagonal);
  const Body body(source, header, general ? total : starts.back(), context);
  const auto values = std::make_shared<double[]>(static_cast<std::size_t>(total));
  body.for_each([&](Index, Index entry, std::string_view line, Index number) {
    const double value = body.take_value(line, number, 1);
    body.expect_end(line, number);
    if (general) {
      values[static_cast<std::size_t>(entry)] = value;
      return;
    }
    const Index col = std::upper_bound(starts.begin(), starts.end(), entry) - starts.begin() - 1;
    const Index row = entry - starts[static_cast<std::size_t>(col)] + col + (diagonal ? 0 : 1);
    values[static_cast<std::size_t>(col * header.rows + row)] = value;
    values[static_cast<std::size_t>(row * header.rows + col)] = diagonal ? value : -value;
  });
  return {values.get(), header.rows, header.cols, 1, header.rows, values};
}

}  // namespace

bool recognizes_matrix_market(std::string_view bytes) { return bytes.starts_with(banner); }

FileTable read_matrix_market(const Source& source, const ReadOptions&, const Context& context) {
  const MatrixMarketHeader header = parse_header(source.bytes.view, source.file);
  FileTable table;
  if (header.rows == 0 || header.cols == 0) {
    table.values = DenseValues{{}, header.rows, header.cols, 0, 0, nullptr};
  } else if (header.coordinate) {
    table.values = read_coordinate(source, header, context);
  } else {
    table.values = read_array(source, header, context);
  }
  return table;
}

}  // namespace disc::io
