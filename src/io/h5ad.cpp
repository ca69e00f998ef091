// The files of anndata: a matrix of observations x variables, dense or sparse, with a table about each. Files of all versions:
// tables were records once, and categories were kept elsewhere.
#include <algorithm>
#include <cmath>

#include "disc/io.hpp"
#include "io/embedding.hpp"
#include "io/hdf5.hpp"
#include "io/sparse_entries.hpp"
#include "io/variables.hpp"

namespace disc::io {
namespace {

// The table about the observations or the variables.
class Frame {
 public:
  Frame(const Hdf5File& file, std::string path, std::string what)
      : file_(file), path_(std::move(path)), what_(std::move(what)), records_(file.is_dataset(path_)) {
    if (!records_ && !file.is_group(path_)) throw InputError({.file = what_}, "holds no table '" + path_ + "'");
    if (records_) {
      columns_ = file.array(path_).fields();
      if (columns_.empty()) throw InputError({.file = what_}, "the table '" + path_ + "' has no columns");
      const bool named = std::find(columns_.begin(), columns_.end(), "index") != columns_.end();
      index_ = named ? "index" : columns_.front();
    } else {
      index_ = file.attribute_text(path_, "_index");
      if (index_.empty()) index_ = "_index";
      if (const auto order = file.attribute(path_, "column-order"); order && order->count() > 0) {
        columns_ = order->texts();
      } else if (!order) {
        columns_ = file.members(path_);
      }
    }
    std::erase_if(columns_, [&](const std::string& column) { return column == index_ || column == "__categories"; });
  }

  std::vector<std::string> index() const { return column(index_); }
  const std::vector<std::string>& columns() const { return columns_; }

  /// One text per line; empty where nothing is known.
  std::vector<std::string> column(const std::string& name) const {
    if (records_) return record_column(name);
    const std::string path = path_ + "/" + name;
    if (file_.is_group(path)) return grouped_column(path);
    if (const auto categories = file_.referred(path, "categories")) {
      return decoded(file_.array(path).whole_numbers(), categories->texts());
    }
    return file_.array(path).texts();
  }

  std::string column_list() const {
    std::string list;
    for (const std::string& column : columns_) list += (list.empty() ? "" : ", ") + printable(column);
    return list.empty() ? "none" : list;
  }

 private:
  // Codes count from 0; a negative one is a missing value.
  std::vector<std::string> decoded(const std::vector<Index>& codes, const std::vector<std::string>& categories) const {
    std::vector<std::string> words;
    words.reserve(codes.size());
    for (const Index code : codes) {
      if (code >= static_cast<Index>(categories.size())) {
        throw InputError({.file = what_, .value = std::to_string(code)},
                         "the table '" + path_ + "' has a code " + std::to_string(code) + " for one of " +
                             std::to_string(categories.size()) + " categories");
      }
      words.push_back(code < 0 ? "" : categories[static_cast<std::size_t>(code)]);
    }
    return words;
  }

  // Categories, or values with a mask of those that are missing.
  std::vector<std::string> grouped_column(const std::string& path) const {
    if (file_.is_dataset(path + "/codes")) {
      return decoded(file_.array(path + "/codes").whole_numbers(), file_.array(path + "/categories").texts());
    }
    std::vector<std::string> words = file_.array(path + "/values").texts();
    if (file_.is_dataset(path + "/mask")) {
      const std::vector<double> mask = file_.array(path + "/mask").numbers();
      for (std::size_t i = 0; i < std::min(words.size(), mask.size()); ++i) {
        if (mask[i] != 0) words[i].clear();
      }
    }
    return words;
  }

  // The oldest files keep the categories of records among everything else.
  std::vector<std::string> record_column(const std::string& name) const {
    const Hdf5Array field = file_.array(path_).field(name);
    const std::string categories = "uns/" + name + "_categories";
    if (field.kind() == Hdf5Array::Kind::integers && file_.is_dataset(categories)) {
      return decoded(field.whole_numbers(), file_.array(categories).texts());
    }
    return field.texts();
  }

  const Hdf5File& file_;
  std::string path_, what_;
  bool records_;
  std::string index_;
  std::vector<std::string> columns_;
};

// Where the matrix and the table of its variables are.
struct Place {
  std::string matrix, variables;
};

std::string layer_list(const Hdf5File& file) {
  std::string list = "X";
  if (file.has("raw/X") || file.has("raw.X")) list += ", raw";
  if (file.is_group("layers")) {
    for (const std::string& name : file.members("layers")) list += ", " + printable(name);
  }
  return list;
}

Place find_matrix(const Hdf5File& file, const std::string& layer, const std::string& what) {
  if (layer.empty() || layer == "X") {
    if (file.has("X")) return {"X", "var"};
    throw InputError({.file = what}, "holds no matrix 'X'; there are the layers " + layer_list(file).substr(1));
  }
  if (layer == "raw" && file.has("raw/X")) return {"raw/X", "raw/var"};
  if (layer == "raw" && file.has("raw.X")) return {"raw.X", "raw.var"};
  if (file.has("layers/" + layer)) return {"layers/" + layer, "var"};
  throw InputError({.file = what, .value = layer},
                   "holds no layer '" + printable(layer) + "'; there are " + layer_list(file));
}

// Which arrays of a sparse matrix are lines: "csr_matrix" in new files, "csr" in old ones.
bool stored_by_rows(const Hdf5File& file, const std::string& path, const std::string& what) {
  std::string encoding = file.attribute_text(path, "encoding-type");
  if (encoding.empty()) encoding = file.attribute_text(path, "h5sparse_format");
  if (encoding.starts_with("csr")) return true;
  if (encoding.starts_with("csc")) return false;
  throw InputError({.file = what, .value = encoding},
                   "'" + path + "' is encoded as '" + printable(encoding) + "'; it must be dense, csr or csc");
}

std::shared_ptr<SparseMatrix> read_sparse(const Hdf5File& file, const std::string& path, const std::string& what,
                                          const Context& context) {
  const bool by_rows = stored_by_rows(file, path, what);
  auto shape_attribute = file.attribute(path, "shape");
  if (!shape_attribute) shape_attribute = file.attribute(path, "h5sparse_shape");
  const std::vector<Index> shape = shape_attribute ? shape_attribute->whole_numbers() : std::vector<Index>{};
  if (shape.size() != 2) throw InputError({.file = what}, "the sparse matrix '" + path + "' has no shape");
  CompressedLines lines{file.array(path + "/data").numbers(), file.array(path + "/indices").whole_numbers(),
                        file.array(path + "/indptr").whole_numbers()};
  if (by_rows) return from_compressed(shape[0], shape[1], std::move(lines), what, context);
  return transposed(*from_compressed(shape[1], shape[0], std::move(lines), what, context));
}

void check_length(std::size_t found, Index needed, const std::string& column, const std::string& what) {
  if (static_cast<Index>(found) == needed) return;
  throw InputError({.file = what}, "'" + printable(column) + "' holds " + std::to_string(found) +
                                       " values; the matrix needs " + std::to_string(needed));
}

// A column that cannot be read (a list, a date of a kind unknown here) is no reason to refuse the matrix.
void read_labels(const Frame& observations, Index samples, FileTable& table) {
  for (const std::string& column : observations.columns()) {
    try {
      LabelColumn label{column, observations.column(column)};
      if (static_cast<Index>(label.values.size()) == samples) {
        table.labels.push_back(std::move(label));
        continue;
      }
    } catch (const InputError&) {
    }
    table.notes.push_back("the column '" + printable(column) + "' of obs cannot be read and is excluded");
  }
}

// Where the samples lie, for the map of the report. What cannot be read is passed over: no result depends on it.
void read_embeddings(const Hdf5File& file, Index samples, FileTable& table) {
  for (const char* name : {"X_umap", "X_tsne"}) {
    const std::string path = std::string("obsm/") + name;
    if (!file.is_dataset(path)) continue;
    try {
      const Hdf5Array places = file.array(path);
      if (!places.is_number() || places.shape().size() != 2 || places.shape()[0] != samples || places.shape()[1] < 2)
        continue;
      const std::vector<double> numbers = places.numbers();
      const auto axes = static_cast<std::size_t>(places.shape()[1]);
      for (const int axis : {1, 2}) {
        LabelColumn label{embedding_label(name, axis), {}};
        for (std::size_t i = static_cast<std::size_t>(axis) - 1; i < numbers.size(); i += axes) {
          label.values.push_back(std::isfinite(numbers[i]) ? format_number(numbers[i]) : "");
        }
        table.labels.push_back(std::move(label));
      }
    } catch (const InputError&) {
      table.notes.push_back("'" + path + "' cannot be read and is excluded");
    }
  }
}

}  // namespace

bool recognizes_h5ad(std::string_view bytes) {
  if (!is_hdf5(bytes)) return false;
  try {
    const Source source{{bytes, nullptr}, "", {}};
    const Hdf5File file(source);
    return file.has("obs") && file.has("var");
  } catch (const InputError&) {
    return false;  // the reader of HDF5 files says what is wrong
  }
}

FileTable read_h5ad(const Source& source, const ReadOptions& options, const Context& context) {
  const Hdf5File file(source);
  const Place place = find_matrix(file, options.layer, source.file);
  FileTable table;
  if (file.is_group(place.matrix)) {
    table.values = read_sparse(file, place.matrix, source.file, context);
  } else {
    const Hdf5Array values = file.array(place.matrix);
    if (values.shape().size() != 2) {
      throw InputError({.file = values.what()},
                       "has the shape " + shape_text(values.shape()) + "; two axes are needed");
    }
    table = table_of_array(number_array(values.shape(), values.numbers(), false), "", values.what());
  }
  table.samples_in = SamplesIn::rows;
  const auto [rows, cols] = table.size();
  const Frame observations(file, "obs", source.file), variables(file, place.variables, source.file);
  table.row_names = observations.index();
  check_length(table.row_names.size(), rows, "obs", source.file);
  const std::string& wanted = options.feature_names;
  if (!wanted.empty() &&
      std::find(variables.columns().begin(), variables.columns().end(), wanted) == variables.columns().end()) {
    throw InputError({.file = source.file, .value = wanted},
                     "var has no column '" + printable(wanted) + "'; there are " + variables.column_list());
  }
  table.column_names = wanted.empty() ? variables.index() : variables.column(wanted);
  check_length(table.column_names.size(), cols, place.variables, source.file);
  read_labels(observations, rows, table);
  read_embeddings(file, rows, table);
  if (const std::string layers = layer_list(file); layers != "X") {
    table.notes.push_back("'" + place.matrix + "' was read; --layer chooses among " + layers);
  }
  return table;
}

}  // namespace disc::io
