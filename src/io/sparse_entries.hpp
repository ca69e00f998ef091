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

/// The arrays of a matrix that is stored line by line (rows or columns), as files hold them: not yet to be trusted.
struct CompressedLines {
  std::vector<double> data;
  std::vector<Index> indices;  ///< where in its line each value stands
  std::vector<Index> starts;   ///< where in `data` each line begins, and the end
};
/// lines x width. Throws InputError naming `file` unless every place lies inside; repeated entries are added up.
std::shared_ptr<SparseMatrix> from_compressed(Index lines, Index width, CompressedLines arrays, const std::string& file,
                                              const Context& context);
std::shared_ptr<SparseMatrix> transposed(const SparseMatrix& matrix);

/// Throws InputError if a sparse file claims a size out of proportion to what it stores: memory must follow from the
/// content, not from a number in a header.
void check_sparse_size(Index rows, Index cols, Index stored, const std::string& file);

}  // namespace disc::io
