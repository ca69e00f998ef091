// The entries of one line of a symmetric matrix, whichever way it is stored.
#pragma once

#include <type_traits>

#include "disc/graph.hpp"

namespace disc {

// Calls f(j, conjugate weight) for the stored entries of one line of the matrix.
template <class F>
void for_each_entry(const SymmetricMatrix& matrix, Index line, F&& f) {
  matrix.visit([&](const auto& values) {
    if constexpr (std::is_same_v<std::decay_t<decltype(values)>, SparseMatrix>) {
      for (SparseMatrix::InnerIterator entry(values, line); entry; ++entry) f(entry.col(), entry.value());
    } else {
      for (Index j = 0; j < values.rows(); ++j) f(j, static_cast<double>(values(j, line)));
    }
  });
}

// The weight with feature j.
inline double entry_of_row(const SymmetricMatrix& matrix, Index line, Index j) {
  return matrix.is_sparse() ? matrix(line, j) : matrix(j, line);
}

}  // namespace disc
