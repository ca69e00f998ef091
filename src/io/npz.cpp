// Numpy archives: one of their arrays with optional names, or a sparse matrix as scipy.sparse.save_npz writes it.
#include <algorithm>
#include <cmath>
#include <optional>

#include "io/format.hpp"
#include "io/npy.hpp"
#include "io/sparse_entries.hpp"
#include "io/zip_archive.hpp"

namespace disc::io {
namespace {

// Arrays with these names hold the names of features and samples.
constexpr std::string_view features_array = "features";
constexpr std::string_view samples_array = "samples";

class ArrayArchive {
 public:
  ArrayArchive(const Source& source, const Context& context)
      : archive_(source.bytes.view, source.file), file_(source.file), context_(context) {
    // Longer than any header numpy writes for an array of numbers.
    constexpr std::size_t enough_for_header = std::size_t{1} << 12;
    for (std::size_t i = 0; i < archive_.members().size(); ++i) {
      const std::string& member = archive_.members()[i];
      if (!member.ends_with(".npy")) continue;
      Array array{member.substr(0, member.size() - 4), i, std::nullopt};
      try {
        array.header = parse_npy_header(archive_.read(i, context, enough_for_header), what(array.name));
      } catch (const InputError&) {
        // An array that cannot be read does no harm unless it is asked for.
      }
      arrays_.push_back(std::move(array));
    }
    if (arrays_.empty()) throw InputError({.file = file_}, "the archive holds no numpy arrays");
  }

  bool has(std::string_view name) const { return find(name) != nullptr; }

  DenseValues matrix(std::string_view name) const {
    auto bytes = std::make_shared<const std::string>(read(name));
    return npy_matrix({*bytes, bytes}, what(name), context_);
  }
  std::vector<double> numbers(std::string_view name) const { return npy_numbers(read(name), what(name), context_); }
  std::vector<std::string> texts(std::string_view name) const { return npy_texts(read(name), what(name), context_); }

  /// The array asked for, or the only one that can be a matrix.
  std::string choose(const std::string& wanted) const {
    if (!wanted.empty()) {
      if (!has(wanted)) {
        throw InputError({.file = file_, .value = wanted}, "holds no array '" + wanted + "'; there are " + list());
      }
      return wanted;
    }
    std::vector<std::string> candidates;
    for (const Array& array : arrays_) {
      if (array.header && array.header->is_number() && array.header->shape.size() == 2)
        candidates.push_back(array.name);
    }
    if (candidates.size() == 1) return candidates.front();
    if (candidates.empty() && arrays_.size() == 1) return arrays_.front().name;  // its reader says what is wrong
    throw InputError({.file = file_}, "holds " + (candidates.empty() ? "no" : std::to_string(candidates.size())) +
                                          " two-dimensional arrays of numbers; there are " + list() +
                                          (candidates.empty() ? "" : "; choose one with --variable"));
  }

 private:
  struct Array {
    std::string name;
    std::size_t member;
    std::optional<NpyHeader> header;  // empty: cannot be read
  };

  const Array* find(std::string_view name) const {
    const auto found =
        std::find_if(arrays_.begin(), arrays_.end(), [&](const Array& array) { return array.name == name; });
    return found == arrays_.end() ? nullptr : &*found;
  }
  std::string read(std::string_view name) const {
    const Array* array = find(name);
    if (array == nullptr)
      throw InputError({.file = file_}, "holds no array '" + printable(name) + "'; there are " + list());
    return archive_.read(array->member, context_);
  }
  std::string what(std::string_view name) const { return file_ + " (array '" + printable(name) + "')"; }
  std::string list() const {
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(arrays_.size(), most); ++i) {
      text += (i > 0 ? ", " : "") + printable(arrays_[i].name) +
              (arrays_[i].header ? " " + arrays_[i].header->shape_text() : "");
    }
    return arrays_.size() > most ? text + ", ..." : text;
  }

  ZipArchive archive_;
  const std::string& file_;
  const Context& context_;
  std::vector<Array> arrays_;
};

// The parts of a sparse matrix; every number is checked before it is used as a place.
class SparseParts {
 public:
  SparseParts(const ArrayArchive& archive, const std::string& file, const Context& context)
      : archive_(archive), file_(file), context_(context) {}

  std::shared_ptr<SparseMatrix> read() const {
    const std::vector<std::string> format = archive_.texts("format");
    const std::vector<double> shape = archive_.numbers("shape");
    if (format.size() != 1 || shape.size() != 2) refuse("'format' or 'shape' is not what scipy writes");
    const Index rows = whole(shape[0], limit_of_size), cols = whole(shape[1], limit_of_size);
    const std::vector<double> data = archive_.numbers("data");
    check_sparse_size(rows, cols, static_cast<Index>(data.size()), file_);
    std::vector<Entry> entries(data.size());
    for (std::size_t k = 0; k < data.size(); ++k) entries[k].value = data[k];
    if (format[0] == "coo") {
      fill(entries, "row", &Entry::row, rows);
      fill(entries, "col", &Entry::col, cols);
    } else if (format[0] == "csr") {
      fill(entries, "indices", &Entry::col, cols);
      expand(entries, &Entry::row, rows);
    } else if (format[0] == "csc") {
      fill(entries, "indices", &Entry::row, rows);
      expand(entries, &Entry::col, cols);
    } else {
      refuse("the sparse format '" + printable(format[0]) + "' is not supported; save it as csr, csc or coo");
    }
    std::vector<std::vector<Entry>> parts;
    parts.push_back(std::move(entries));
    return from_entries(rows, cols, std::move(parts), context_);
  }

 private:
  static constexpr Index limit_of_size = Index{1} << 52;

  [[noreturn]] void refuse(const std::string& reason) const {
    throw InputError({.file = file_}, "the sparse matrix is damaged: " + reason);
  }

  // A whole number from 0 to last.
  Index whole(double value, Index last) const {
    if (!(value >= 0 && value <= static_cast<double>(last)) || value != std::floor(value)) {
      refuse(format_number(value) + " is not a whole number from 0 to " + std::to_string(last));
    }
    return static_cast<Index>(value);
  }

  void fill(std::vector<Entry>& entries, std::string_view name, Index Entry::*place, Index limit) const {
    const std::vector<double> places = archive_.numbers(name);
    if (places.size() != entries.size()) {
      refuse("'" + std::string(name) + "' has " + std::to_string(places.size()) + " values, 'data' " +
             std::to_string(entries.size()));
    }
    for (std::size_t k = 0; k < entries.size(); ++k) entries[k].*place = whole(places[k], limit - 1);
  }

  void expand(std::vector<Entry>& entries, Index Entry::*place, Index limit) const {
    const std::vector<double> starts = archive_.numbers("indptr");
    const auto stored = static_cast<Index>(entries.size());
    if (static_cast<Index>(starts.size()) != limit + 1) {
      refuse("'indptr' has " + std::to_string(starts.size()) + " values, " + std::to_string(limit + 1) + " are needed");
    }
    Index begin = whole(starts.front(), 0);
    for (Index line = 0; line < limit; ++line) {
      const Index end = whole(starts[static_cast<std::size_t>(line) + 1], stored);
      if (end < begin) refuse("'indptr' decreases");
      for (Index k = begin; k < end; ++k) entries[static_cast<std::size_t>(k)].*place = line;
      begin = end;
    }
    if (begin != stored) refuse("'indptr' ends at " + std::to_string(begin) + ", 'data' at " + std::to_string(stored));
  }

  const ArrayArchive& archive_;
  const std::string& file_;
  const Context& context_;
};

std::vector<std::string> read_names(const ArrayArchive& archive, std::string_view name, Index count,
                                    const std::string& file) {
  if (!archive.has(name)) return {};
  std::vector<std::string> names = archive.texts(name);
  if (static_cast<Index>(names.size()) != count) {
    throw InputError({.file = file}, "the array '" + std::string(name) + "' holds " + std::to_string(names.size()) +
                                         " names, but there are " + std::to_string(count) + " " + std::string(name));
  }
  return names;
}

}  // namespace

bool recognises_npz(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

FileTable read_npz(const Source& source, const ReadOptions& options, const Context& context) {
  const ArrayArchive archive(source, context);
  FileTable table;
  Index rows = 0, cols = 0;
  if (options.variable.empty() && archive.has("format") && archive.has("shape") && archive.has("data")) {
    const std::shared_ptr<SparseMatrix> sparse = SparseParts(archive, source.file, context).read();
    rows = sparse->rows();
    cols = sparse->cols();
    table.values = sparse;
    table.notes.emplace_back("a sparse matrix saved by scipy");
  } else {
    const std::string name = archive.choose(options.variable);
    DenseValues dense = archive.matrix(name);
    rows = dense.rows;
    cols = dense.cols;
    table.values = std::move(dense);
    table.notes.push_back("the array '" + name + "'");
  }
  const bool by_rows = options.samples_in == SamplesIn::rows;
  table.row_names = read_names(archive, by_rows ? samples_array : features_array, rows, source.file);
  table.column_names = read_names(archive, by_rows ? features_array : samples_array, cols, source.file);
  return table;
}

}  // namespace disc::io
