#include "io/ten_x.hpp"

#include <set>

#include "io/variables.hpp"

namespace disc::io {
namespace {

void check_count(std::size_t found, Index needed, const std::string& what, const std::string& file) {
  if (static_cast<Index>(found) == needed) return;
  throw InputError({.file = file},
                   "lists " + std::to_string(found) + " " + what + ", but the matrix has " + std::to_string(needed));
}

std::vector<std::string> chosen_names(TenXFeatures& features, const std::string& wanted) {
  if (wanted.empty() || wanted == "name") return std::move(features.names);
  if (wanted == "id") return std::move(features.ids);
  throw OptionError("feature-names", wanted, "must be id or name for 10x data");
}

}  // namespace

FileTable ten_x_table(std::shared_ptr<SparseMatrix> cells_by_features, std::vector<std::string> cells,
                      TenXFeatures features, const ReadOptions& options, const std::string& file) {
  check_count(cells.size(), cells_by_features->rows(), "cells", file);
  check_count(features.ids.size(), cells_by_features->cols(), "features", file);
  check_count(features.names.size(), cells_by_features->cols(), "names of features", file);
  FileTable table;
  table.samples_in = SamplesIn::rows;
  table.values = std::move(cells_by_features);
  table.row_names = std::move(cells);
  table.column_names = chosen_names(features, options.feature_names);
  const std::set<std::string> types(features.types.begin(), features.types.end());
  if (types.size() > 1) {
    std::string list;
    for (const std::string& type : types) list += (list.empty() ? "" : ", ") + printable(type);
    table.notes.push_back("features of several kinds are read alike: " + list);
  }
  return table;
}

}  // namespace disc::io
