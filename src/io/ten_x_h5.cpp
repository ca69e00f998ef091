// The HDF5 files of Cell Ranger: version 3 has one group "matrix", version 2 one group per genome.
#include <algorithm>

#include "io/hdf5.hpp"
#include "io/sparse_entries.hpp"
#include "io/ten_x.hpp"
#include "io/variables.hpp"

namespace disc::io {
namespace {

// Both versions store features x cells by columns: read by rows, these are cells x features.
bool is_matrix(const Hdf5File& file, const std::string& group) {
  for (const char* part : {"data", "indices", "indptr", "shape", "barcodes"}) {
    if (!file.is_dataset(group + "/" + part)) return false;
  }
  return file.is_group(group + "/features") || file.is_dataset(group + "/genes");
}

std::vector<std::string> matrices(const Hdf5File& file) {
  std::vector<std::string> groups;
  for (const std::string& name : file.members("/")) {
    if (is_matrix(file, name)) groups.push_back(name);
  }
  return groups;
}

std::string chosen_matrix(const Hdf5File& file, const std::string& wanted, const std::string& what) {
  const std::vector<std::string> groups = matrices(file);
  std::string list;
  for (const std::string& name : groups) list += (list.empty() ? "" : ", ") + printable(name);
  if (groups.empty()) throw InputError({.file = what}, "holds no matrix as Cell Ranger writes it");
  if (!wanted.empty() && std::find(groups.begin(), groups.end(), wanted) == groups.end()) {
    throw InputError({.file = what, .value = wanted}, "holds no matrix '" + printable(wanted) + "'; there are " + list);
  }
  if (wanted.empty() && groups.size() > 1) {
    throw InputError({.file = what}, "holds several matrices, " + list + "; choose one with --variable");
  }
  return wanted.empty() ? groups.front() : wanted;
}

}  // namespace

bool recognizes_10x_h5(std::string_view bytes) {
  if (!is_hdf5(bytes)) return false;
  try {
    const Source source{{bytes, nullptr}, "", {}};
    return !matrices(Hdf5File(source)).empty();
  } catch (const InputError&) {
    return false;  // the reader of HDF5 files says what is wrong
  }
}

FileTable read_10x_h5(const Source& source, const ReadOptions& options, const Context& context) {
  const Hdf5File file(source);
  const std::string group = chosen_matrix(file, options.variable, source.file) + "/";
  const std::vector<Index> shape = file.array(group + "shape").whole_numbers();
  if (shape.size() != 2) throw InputError({.file = source.file}, "'" + group + "shape' does not hold two numbers");
  CompressedLines lines{file.array(group + "data").numbers(), file.array(group + "indices").whole_numbers(),
                        file.array(group + "indptr").whole_numbers()};
  auto values = from_compressed(shape[1], shape[0], std::move(lines), source.file, context);
  TenXFeatures features;
  if (file.is_group(group + "features")) {
    features.ids = file.array(group + "features/id").texts();
    features.names = file.array(group + "features/name").texts();
    if (file.is_dataset(group + "features/feature_type")) {
      features.types = file.array(group + "features/feature_type").texts();
    }
  } else {
    features.ids = file.array(group + "genes").texts();
    features.names = file.is_dataset(group + "gene_names") ? file.array(group + "gene_names").texts() : features.ids;
  }
  return ten_x_table(std::move(values), file.array(group + "barcodes").texts(), std::move(features), options,
                     source.file);
}

}  // namespace disc::io
