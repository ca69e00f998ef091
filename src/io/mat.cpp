// MATLAB files: version 5 has a format of its own, version 7.3 is HDF5 with the axes in reverse.
#include <algorithm>

#include "io/hdf5.hpp"
#include "io/mat_v5.hpp"
#include "io/sparse_entries.hpp"

namespace disc::io {
namespace {

constexpr std::string_view begin_v73 = "MATLAB 7.3 MAT-file";

std::vector<Index> reversed(std::vector<Index> shape) {
  std::reverse(shape.begin(), shape.end());
  return shape;
}

std::optional<Index> sparse_rows(const Hdf5File& file, const std::string& name) {
  const auto rows = file.attribute(name, "MATLAB_sparse");
  if (!rows || rows->kind() != Hdf5Array::Kind::integers || rows->count() != 1) return std::nullopt;
  return rows->whole_numbers().front();
}

Variable describe(const Hdf5File& file, const std::string& name) {
  if (file.is_group(name)) {
    const std::optional<Index> rows = sparse_rows(file, name);
    if (!rows || !file.is_dataset(name + "/jc")) return {name, {}, false};
    return {name, {*rows, file.array(name + "/jc").count() - 1}, true};
  }
  const Hdf5Array array = file.array(name);
  // Text is kept as numbers, with a class that says so.
  const std::string matlab_class = file.attribute_text(name, "MATLAB_class");
  const bool readable = array.is_number() && matlab_class != "char" && matlab_class != "cell";
  return {name, reversed(array.shape()), readable};
}

FileTable read_sparse(const Hdf5File& file, const std::string& name, Index rows, const std::string& what,
                      const Context& context) {
  // A matrix of zeros has neither values nor places.
  const bool empty = !file.is_dataset(name + "/data");
  CompressedLines lines;
  lines.starts = file.array(name + "/jc").whole_numbers();
  if (!empty) lines.data = file.array(name + "/data").numbers();
  if (!empty) lines.indices = file.array(name + "/ir").whole_numbers();
  const auto columns = static_cast<Index>(lines.starts.size()) - 1;
  FileTable table;
  table.values = transposed(*from_compressed(columns, rows, std::move(lines), what, context));
  return table;
}

FileTable read_mat_v73(const Source& source, const ReadOptions& options, const Context& context) {
  const Hdf5File file(source);
  std::vector<Variable> variables;
  for (const std::string& name : file.members("/")) {
    if (!name.starts_with("#") && file.has(name)) variables.push_back(describe(file, name));
  }
  if (variables.empty()) throw InputError({.file = source.file}, "the MATLAB file holds no variables");
  const std::string name = choose_variable(variables, options.variable, source.file);
  const std::string what = source.file + " (variable '" + printable(name) + "')";
  FileTable table;
  if (file.is_group(name)) {
    const std::optional<Index> rows = sparse_rows(file, name);
    if (!rows) throw InputError({.file = what}, "holds no numbers (a cell array or a structure)");
    table = read_sparse(file, name, *rows, what, context);
  } else {
    const Hdf5Array array = file.array(name);
    if (array.kind() == Hdf5Array::Kind::records) {
      throw InputError({.file = what}, "holds complex numbers; real ones are needed");
    }
    if (!describe(file, name).readable) throw InputError({.file = what}, "holds no numbers (text or a cell array)");
    table = table_of_array(number_array(reversed(array.shape()), array.numbers(), true), options.axes, what);
  }
  table.notes.push_back("the variable '" + name + "'");
  return table;
}

}  // namespace

bool recognizes_mat(std::string_view bytes) {
  return is_mat_v5(bytes) || (bytes.starts_with(begin_v73) && is_hdf5(bytes));
}

FileTable read_mat(const Source& source, const ReadOptions& options, const Context& context) {
  if (source.bytes.view.starts_with(begin_v73)) return read_mat_v73(source, options, context);
  if (!is_mat_v5(source.bytes.view)) {
    throw InputError({.file = source.file}, "is not a MATLAB file of version 5 to 7.3; older ones must be saved again");
  }
  const MatV5File file(source, context);
  const std::string name = choose_variable(file.variables(), options.variable, source.file);
  FileTable table = file.read(name, options.axes);
  table.notes.push_back("the variable '" + name + "'");
  return table;
}

}  // namespace disc::io
