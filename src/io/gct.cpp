// Gene expression as GenePattern and GSEA keep it: .gct, genes in rows, and .cls, the classes of the samples.
#include <algorithm>
#include <charconv>

#include "io/csv_rows.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"
#include "io/variables.hpp"

namespace disc::io {
namespace {

constexpr std::string_view signature = "#1.2";
constexpr Index names_line = 3;

std::vector<std::string> words_of(std::string_view line, Separator separator) {
  std::vector<std::string> words;
  CellReader reader(line, separator);
  for (std::string_view cell; reader.next(cell);) words.push_back(cell_text(cell));
  return words;
}

Index whole_number(const std::string& text, Index line, const std::string& file) {
  Index value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size() && value >= 0) return value;
  throw InputError({.file = file, .line = line, .value = printable(text)},
                   "'" + printable(text) + "' is not a whole number of at least 0");
}

struct Head {
  Index genes = 0, samples = 0;
  std::vector<std::string> names;  // of all columns
  std::size_t end = 0;             // where the data begin
};

// Version; genes and samples; names of the columns.
Head read_head(std::string_view text, const std::string& file) {
  LineReader reader(text);
  std::string_view version, sizes, names;
  if (!reader.next(version) || !reader.next(sizes) || !reader.next(names)) {
    throw InputError({.file = file}, "the file ends before the names of its columns, on line 3 of a .gct file");
  }
  if (trimmed(version) != signature) {
    throw InputError({.file = file, .line = 1, .value = printable(version)},
                     "the version is '" + printable(version) + "'; only #1.2 is read");
  }
  const std::vector<std::string> numbers = words_of(sizes, {' '});
  if (numbers.size() < 2) {
    throw InputError({.file = file, .line = 2, .value = printable(sizes)},
                     "line 2 of a .gct file holds two numbers, of genes and of samples");
  }
  Head head{whole_number(numbers[0], 2, file), whole_number(numbers[1], 2, file), words_of(names, {'\t'}),
            reader.position()};
  if (static_cast<Index>(head.names.size()) != head.samples + 2) {
    throw InputError({.file = file, .line = names_line},
                     "the line names " + std::to_string(head.names.size()) + " columns, but line 2 announces " +
                         std::to_string(head.samples) + " samples, which makes " + std::to_string(head.samples + 2) +
                         " columns with name and description");
  }
  if (head.samples == 0) throw InputError({.file = file, .line = 2}, "the file holds no samples");
  return head;
}

// Sizes; class names after #; then one class per sample, by name, or by number in the order in which they appear.
std::vector<std::string> read_classes(const std::string& file, Index samples, const Context& context) {
  const Bytes bytes = decompressed(load_file(file, context), file, context);
  LineReader reader(without_mark(bytes.view, file));
  std::string_view sizes, names, classes;
  const bool complete = reader.next(sizes) && reader.next(names) && reader.next(classes);
  if (!complete || trimmed(sizes).starts_with('#') || !trimmed(names).starts_with('#')) {
    throw InputError({.file = file},
                     "a .cls file has three lines: sizes, # and the names of the classes, and the class of "
                     "every sample; continuous phenotypes are not read");
  }
  names.remove_prefix(names.find('#') + 1);
  const std::vector<std::string> known = words_of(trimmed(names), {' '});
  std::vector<std::string> words = words_of(trimmed(classes), {' '});
  if (static_cast<Index>(words.size()) != samples) {
    throw InputError({.file = file, .line = 3}, "the line names the classes of " + std::to_string(words.size()) +
                                                    " samples, but there are " + std::to_string(samples));
  }
  std::vector<std::string> seen;
  for (std::string& word : words) {
    if (std::ranges::find(known, word) != known.end()) continue;
    auto place = std::ranges::find(seen, word);
    if (place == seen.end()) {
      seen.push_back(word);
      place = seen.end() - 1;
    }
    const auto number = static_cast<std::size_t>(place - seen.begin());
    if (number < known.size()) word = known[number];
  }
  return words;
}

std::string find_classes(const Source& source, const ReadOptions& options) {
  if (!options.classes.empty()) return options.classes;
  if (source.folder.empty()) return "";
  std::filesystem::path file = source.file;
  if (file.extension() == ".gz") file.replace_extension();
  file.replace_extension(".cls");
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) ? file.string() : "";
}

}  // namespace

bool recognizes_gct(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  return bytes.starts_with("#1.2\n") || bytes.starts_with("#1.2\r") || bytes.starts_with("#1.2\t");
}

FileTable read_gct(const Source& source, const ReadOptions& options, const Context& context) {
  const std::string_view text = without_mark(source.bytes.view, source.file);
  Head head = read_head(text, source.file);
  CsvLayout layout;
  layout.separator = {'\t'};
  layout.header = layout.row_names = true;
  layout.header_line = layout.cells_line = names_line;
  layout.skipped_cells = 1;
  layout.cells = head.samples + 2;
  layout.data_begin = head.end;
  layout.data_line = names_line + 1;
  layout.column_names.assign(head.names.begin() + 2, head.names.end());
  FileTable table = read_rows(text, std::move(layout), source.file, context);
  if (static_cast<Index>(table.row_names.size()) != head.genes) {
    throw InputError({.file = source.file, .line = 2}, "line 2 announces " + std::to_string(head.genes) +
                                                           " genes, but there are " +
                                                           std::to_string(table.row_names.size()) + " rows");
  }
  table.samples_in = SamplesIn::columns;
  if (const Index changed = make_unique(table.row_names); changed > 0) {
    table.notes.push_back(std::to_string(changed) + " names of genes repeat and got a number behind them");
  }
  if (const std::string classes = find_classes(source, options); !classes.empty()) {
    table.labels.push_back({"class", read_classes(classes, head.samples, context)});
    table.notes.push_back("classes from " + classes);
  }
  return table;
}

}  // namespace disc::io
