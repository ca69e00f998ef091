// Large pages for large arrays that are read in no order: most of such reads would otherwise wait for the address of a page.
#pragma once

#include <cstddef>

namespace disc {

/// Asks for large pages; call it before the first write. Where the system has none, nothing happens.
void prefer_large_pages(void* data, std::size_t bytes);

/// Gives an Eigen matrix its size; what it held is lost if that changes.
template <class MatrixType>
void resize_in_large_pages(MatrixType& matrix, std::ptrdiff_t rows, std::ptrdiff_t cols) {
  if (matrix.rows() == rows && matrix.cols() == cols) return;
  matrix.resize(rows, cols);
  prefer_large_pages(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(typename MatrixType::Scalar));
}

}  // namespace disc
