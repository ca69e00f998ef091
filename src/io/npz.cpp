// Numpy archives: one of their arrays with optional names, or a sparse matrix as scipy.sparse.save_npz writes it.
#include <algorithm>
#include <cmath>
#include <optional>

#include "io/format.hpp"
#include "io/npy.hpp"
#include "io/sparse_entries.hpp"
#include "io/variables.hpp"
#include "io/zip_archive.hpp"

namespace disc::io {
namespace {

// Arrays with these names hold the names of features and samples.
constexpr std::string_view features_array = "features";
constexpr std::string_view samples_array = "samples";
// And with this in front of their name, labels of the samples.
constexpr std::string_view label_prefix = "label_";

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
    if (arrays_.empty()) {
      const bool is_zarr = std::ranges::any_of(archive_.members(), [](const std::string& member) {
        return member.ends_with(".zarray") || member.ends_with(".zgroup") || member.ends_with("zarr.json");
      });
      throw InputError({.file = file_}, is_zarr ? "is a zarr store, which is not read; save it as .h5ad: "
                                                  "anndata.read_zarr(...).write_h5ad(...)"
                                                : "the archive holds no numpy arrays");
    }
  }

  bool has(std::string_view name) const { return find(name) != nullptr; }

  FileTable table(std::string_view name, const std::string& axes) const {
    auto bytes = std::make_shared<const std::string>(read(name));
    return table_of_array(npy_array({*bytes, bytes}, what(name), context_), axes, what(name));
  }
  std::vector<double> numbers(std::string_view name) const { return npy_numbers(read(name), what(name), context_); }
  std::vector<std::string> texts(std::string_view name) const { return npy_texts(read(name), what(name), context_); }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Array& array : arrays_) all.push_back(array.name);
    return all;
  }

  /// The array asked for, or the only one that can be a matrix.
  std::string choose(const std::string& wanted) const {
    std::vector<Variable> variables;
    for (const Array& array : arrays_) {
      const bool readable = array.header && array.header->is_number();
      variables.push_back({array.name, array.header ? array.header->shape : std::vector<Index>{}, readable});
    }
    return choose_variable(variables, wanted, file_);
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
    if (array == nullptr) throw InputError({.file = file_}, "holds no array '" + printable(name) + "'");
    // What follows the values may be anything, and any amount of it.
    const std::optional<Index> values = array->header ? array->header->value_bytes() : std::nullopt;
    if (!values) return archive_.read(array->member, context_);
    return archive_.read(array->member, context_, array->header->data_begin + static_cast<std::size_t>(*values));
  }
  std::string what(std::string_view name) const { return file_ + " (array '" + printable(name) + "')"; }
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
    if (format[0] == "csr") return from_compressed(rows, cols, lines(), file_, context_);
    if (format[0] == "csc") return transposed(*from_compressed(cols, rows, lines(), file_, context_));
    if (format[0] == "coo") return from_list(rows, cols);
    refuse("the sparse format '" + printable(format[0]) + "' is not supported; save it as csr, csc or coo");
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

  std::vector<Index> places(std::string_view name, Index last) const {
    std::vector<Index> values;
    for (const double value : archive_.numbers(name)) values.push_back(whole(value, last));
    return values;
  }

  CompressedLines lines() const {
    return {archive_.numbers("data"), places("indices", limit_of_size), places("indptr", limit_of_size)};
  }

  std::shared_ptr<SparseMatrix> from_list(Index rows, Index cols) const {
    const std::vector<double> data = archive_.numbers("data");
    check_sparse_size(rows, cols, static_cast<Index>(data.size()), file_);
    const std::vector<Index> row = places("row", rows - 1), col = places("col", cols - 1);
    if (row.size() != data.size() || col.size() != data.size()) {
      refuse("'row' has " + std::to_string(row.size()) + " values, 'col' " + std::to_string(col.size()) + ", 'data' " +
             std::to_string(data.size()));
    }
    std::vector<std::vector<Entry>> parts(1);
    for (std::size_t k = 0; k < data.size(); ++k) parts.front().push_back({row[k], col[k], data[k]});
    return from_entries(rows, cols, std::move(parts), context_);
  }

  const ArrayArchive& archive_;
  const std::string& file_;
  const Context& context_;
};

std::vector<std::string> read_names(const ArrayArchive& archive, std::string_view name, Index count,
                                    const std::string& file) {
  std::vector<std::string> names = archive.texts(name);
  if (static_cast<Index>(names.size()) != count) {
    throw InputError({.file = file}, "the array '" + std::string(name) + "' holds " + std::to_string(names.size()) +
                                         " names, but " + std::to_string(count) + " are needed");
  }
  return names;
}

}  // namespace

bool recognizes_npz(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

FileTable read_npz(const Source& source, const ReadOptions& options, const Context& context) {
  const ArrayArchive archive(source, context);
  FileTable table;
  if (options.variable.empty() && archive.has("format") && archive.has("shape") && archive.has("data")) {
    table.values = SparseParts(archive, source.file, context).read();
    table.notes.emplace_back("a sparse matrix saved by scipy");
  } else {
    const std::string name = archive.choose(options.variable);
    table = archive.table(name, options.axes);
    table.notes.push_back("the array '" + name + "'");
  }
  const auto [rows, cols] = table.size();
  const bool by_rows = table.samples_in.value_or(options.samples_in) == SamplesIn::rows;
  if (archive.has(by_rows ? samples_array : features_array)) {
    table.row_names = read_names(archive, by_rows ? samples_array : features_array, rows, source.file);
  }
  if (archive.has(by_rows ? features_array : samples_array)) {
    table.column_names = read_names(archive, by_rows ? features_array : samples_array, cols, source.file);
  }
  for (const std::string& name : archive.names()) {
    if (!name.starts_with(label_prefix)) continue;
    table.labels.push_back(
        {name.substr(label_prefix.size()), read_names(archive, name, by_rows ? rows : cols, source.file)});
  }
  return table;
}

}  // namespace disc::io
