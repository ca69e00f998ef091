// The files of loompy: a matrix of genes x cells, with attributes of the rows and of the columns.
#include <algorithm>
#include <array>

#include "io/hdf5.hpp"
#include "io/variables.hpp"

namespace disc::io {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + printable(name);
  return list.empty() ? "none" : list;
}

std::string find_matrix(const Hdf5File& file, const std::string& layer, const std::string& what) {
  if (layer.empty() || layer == "matrix") return "matrix";
  const std::string path = "layers/" + layer;
  if (file.is_dataset(path)) return path;
  const std::vector<std::string> known = file.is_group("layers") ? file.members("layers") : std::vector<std::string>();
  throw InputError({.file = what, .value = layer}, "has no layer '" + printable(layer) + "'; there are matrix" +
                                                       (known.empty() ? "" : ", " + list_of(known)));
}

// The attribute asked for, or the first of the usual ones.
template <std::size_t count>
std::string find_names(const Hdf5File& file, const std::string& group, const std::string& wanted,
                       const std::array<const char*, count>& usual, const std::string& what) {
  if (!wanted.empty()) {
    if (file.is_dataset(group + "/" + wanted)) return wanted;
    throw InputError({.file = what, .value = wanted},
                     "has no " + group + "/" + printable(wanted) + "; there are " + list_of(file.members(group)));
  }
  for (const char* name : usual) {
    if (file.is_dataset(group + "/" + name)) return name;
  }
  return "";
}

std::vector<std::string> texts_of(const Hdf5File& file, const std::string& path, Index count, const std::string& what) {
  std::vector<std::string> texts = file.array(path).texts();
  if (static_cast<Index>(texts.size()) == count) return texts;
  throw InputError({.file = what}, "'" + printable(path) + "' holds " + std::to_string(texts.size()) +
                                       " values; the matrix needs " + std::to_string(count));
}

// Attributes with several values per cell, such as a place on a map, are no labels.
void read_labels(const Hdf5File& file, const std::string& names, Index cells, FileTable& table) {
  for (const std::string& name : file.members("col_attrs")) {
    const std::string path = "col_attrs/" + name;
    if (name == names || !file.is_dataset(path)) continue;
    try {
      const Hdf5Array values = file.array(path);
      if (values.shape().size() == 1 && values.count() == cells) table.labels.push_back({name, values.texts()});
    } catch (const InputError&) {
      table.notes.push_back("the attribute '" + printable(name) + "' of the cells cannot be read and is excluded");
    }
  }
}

}  // namespace

bool recognizes_loom(std::string_view bytes) {
  if (!is_hdf5(bytes)) return false;
  try {
    const Source source{{bytes, nullptr}, "", {}};
    const Hdf5File file(source);
    return file.is_dataset("matrix") && file.is_group("row_attrs") && file.is_group("col_attrs");
  } catch (const InputError&) {
    return false;  // the reader of HDF5 files says what is wrong
  }
}

FileTable read_loom(const Source& source, const ReadOptions& options, const Context&) {
  constexpr std::array<const char*, 7> genes{"Gene", "gene", "var_names", "gene_names", "GeneName", "Accession", "ID"};
  constexpr std::array<const char*, 6> cells{"CellID", "cell_id", "obs_names", "cell_names", "Barcode", "barcode"};
  const Hdf5File file(source);
  const Hdf5Array values = file.array(find_matrix(file, options.layer, source.file));
  if (values.shape().size() != 2) {
    throw InputError({.file = values.what()}, "has the shape " + shape_text(values.shape()) + "; two axes are needed");
  }
  FileTable table = table_of_array(number_array(values.shape(), values.numbers(), false), "", values.what());
  table.samples_in = SamplesIn::columns;  // by definition of the format
  const auto [rows, columns] = table.size();
  const std::string gene = find_names(file, "row_attrs", options.feature_names, genes, source.file);
  const std::string cell = find_names(file, "col_attrs", "", cells, source.file);
  if (!gene.empty()) table.row_names = texts_of(file, "row_attrs/" + gene, rows, source.file);
  if (!cell.empty()) table.column_names = texts_of(file, "col_attrs/" + cell, columns, source.file);
  read_labels(file, cell, columns, table);
  return table;
}

}  // namespace disc::io
