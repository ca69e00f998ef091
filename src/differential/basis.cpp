// Orthonormal basis of what the other conditions explain. method (6)
#include <lapacke.h>

#include <cmath>

#include "disc/differential.hpp"
#include "matrix/blas.hpp"

namespace disc {

Basis basis_of_others(std::span<const Matrix> eigenvectors, Index condition) {
  use_serial_blas();
  Basis basis;
  const Index p = eigenvectors[static_cast<std::size_t>(condition)].rows();
  for (std::size_t k = 0; k < eigenvectors.size(); ++k) {
    if (static_cast<Index>(k) != condition) basis.stacked += eigenvectors[k].cols();
  }
  Matrix stacked(p, basis.stacked);
  Index filled = 0;
  for (std::size_t k = 0; k < eigenvectors.size(); ++k) {
    if (static_cast<Index>(k) == condition) continue;
    stacked.middleCols(filled, eigenvectors[k].cols()) = eigenvectors[k].colwise().normalized();
    filled += eigenvectors[k].cols();
  }
  // QR with column pivoting: the diagonal of R falls, and what is below rounding is dependent on what came before.
  const auto rows = static_cast<lapack_int>(p);
  const auto cols = static_cast<lapack_int>(basis.stacked);
  std::vector<lapack_int> pivot(static_cast<std::size_t>(cols), 0);
  Vector reflectors(std::min(rows, cols));
  lapack_int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, rows, cols, stacked.data(), rows, pivot.data(), reflectors.data());
  if (info != 0) throw Error("LAPACK dgeqp3 failed with code " + std::to_string(info));
  // The eigenvectors are known to about 1e-10 (the solvers' tolerance), so shorter remainders carry no information.
  const double smallest = 1e-10 * std::abs(stacked(0, 0));
  Index rank = 0;
  while (rank < reflectors.size() && std::abs(stacked(rank, rank)) > smallest) ++rank;
  basis.vectors = stacked.leftCols(rank);
  info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, rows, static_cast<lapack_int>(rank), static_cast<lapack_int>(rank),
                        basis.vectors.data(), rows, reflectors.data());
  if (info != 0) throw Error("LAPACK dorgqr failed with code " + std::to_string(info));
  return basis;
}

}  // namespace disc
