// HDF5 files of no particular kind: one of their arrays, with names where there are datasets called features and samples.
#include <optional>

#include "io/hdf5.hpp"
#include "io/variables.hpp"

namespace disc::io {
namespace {

// Names beside the array, if there are as many as are needed.
std::vector<std::string> names_beside(const Hdf5File& file, const std::string& path, const char* kind, Index count) {
  const std::size_t slash = path.rfind('/');
  const std::string beside = (slash == std::string::npos ? "" : path.substr(0, slash + 1)) + kind;
  if (!file.is_dataset(beside) || beside == path) return {};
  const Hdf5Array names = file.array(beside);
  if (names.kind() != Hdf5Array::Kind::texts || names.count() != count) return {};
  return names.texts();
}

}  // namespace

bool recognizes_hdf5(std::string_view bytes) { return is_hdf5(bytes); }

FileTable read_hdf5(const Source& source, const ReadOptions& options, const Context& context) {
  context.check_stop();
  const Hdf5File file(source);
  std::vector<Variable> variables;
  std::optional<InputError> first_problem;
  for (const std::string& path : file.datasets()) {
    try {
      const Hdf5Array array = file.array(path);
      variables.push_back({path, array.shape(), array.is_number()});
    } catch (const InputError& problem) {
      // Its description is damaged, or newer than the library; another array may be the one.
      if (!first_problem) first_problem = problem;
    }
  }
  if (variables.empty() && first_problem) throw InputError(*first_problem);
  if (variables.empty()) throw InputError({.file = source.file}, "the HDF5 file holds no arrays");
  std::string wanted = options.variable;
  if (wanted.starts_with("/")) wanted.erase(0, 1);
  const std::string path = choose_variable(variables, wanted, source.file);
  const Hdf5Array array = file.array(path);
  FileTable table = table_of_array(number_array(array.shape(), array.numbers(), false), options.axes, array.what());
  table.notes.push_back("the array '" + path + "'");
  const auto [rows, cols] = table.size();
  const bool by_rows = table.samples_in.value_or(options.samples_in) == SamplesIn::rows;
  if (table.row_names.empty()) {
    table.row_names = names_beside(file, path, by_rows ? "samples" : "features", rows);
  }
  if (table.column_names.empty()) {
    table.column_names = names_beside(file, path, by_rows ? "features" : "samples", cols);
  }
  return table;
}

}  // namespace disc::io
