// What the folders and the HDF5 files of Cell Ranger have in common.
#pragma once

#include <string>
#include <vector>

#include "io/format.hpp"

namespace disc::io {

/// The features as Cell Ranger lists them.
struct TenXFeatures {
  std::vector<std::string> ids, names;
  std::vector<std::string> types;  ///< "Gene Expression", ...; empty before version 3
};

/// Cells x features with their names, whatever the version.
FileTable ten_x_table(std::shared_ptr<SparseMatrix> cells_by_features, std::vector<std::string> cells,
                      TenXFeatures features, const ReadOptions& options, const std::string& file);

}  // namespace disc::io
