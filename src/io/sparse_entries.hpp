// Sparse matrices from lists of entries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "disc/matrix.hpp"

namespace disc::io {

struct Entry {
  Index row, col;
  double value;
};

/// Entries in any order; those at the same place are added up in the order given. The places must lie inside.
std::shared_ptr<SparseMatrix> from_entries(Index rows, Index cols, std::vector<std::vector<Entry>> parts,
                                           const Context& context);

/// Throws InputError if a sparse file claims a size out of proportion to what it stores: memory must follow from the
/// content, not from a number in a header.
void check_sparse_size(Index rows, Index cols, Index stored, const std::string& file);

}  // namespace disc::io
