// Memory in large pages: passes over p x p matrices otherwise spend much of their time on looking up pages.
#pragma once

#include "disc/matrix.hpp"

namespace disc {

/// Asks the system for large pages. A hint; to be given before the memory is used first. Small memory is left as it is.
void prefer_large_pages(void* memory, std::size_t bytes);

/// A matrix whose values are not set yet, in large pages.
template <class T>
Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> large_matrix(Index rows, Index cols) {
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> matrix(rows, cols);
  prefer_large_pages(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(T));
  return matrix;
}

}  // namespace disc
