// Orthonormal basis of what the other conditions explain. method (6)
#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "differential/finish.hpp"
#include "matrix/blas.hpp"

namespace disc {
namespace {

lapack_int to_lapack(Index value) { return static_cast<lapack_int>(value); }

void check(lapack_int info, const char* routine) {
  if (info != 0) throw Error(std::string("LAPACK ") + routine + " failed with code " + std::to_string(info));
}

}  // namespace

namespace {

// Orthonormal basis of the columns of a triangle, found by pivoting.
Matrix span_of_triangle(Matrix triangle) {
  const Index most = triangle.rows();
  std::vector<lapack_int> pivot(static_cast<std::size_t>(triangle.cols()), 0);
  Vector reflectors(most);
  check(LAPACKE_dgeqp3(LAPACK_COL_MAJOR, to_lapack(most), to_lapack(triangle.cols()), triangle.data(), to_lapack(most),
                       pivot.data(), reflectors.data()),
        "dgeqp3");
  // The diagonal falls, and what is below rounding is dependent on what came before. The eigenvectors are known to about
  // 1e-10 (the solvers' tolerance), so shorter remainders carry no information.
  const double smallest = 1e-10 * std::abs(triangle(0, 0));
  Index rank = 0;
  while (rank < most && std::abs(triangle(rank, rank)) > smallest) ++rank;
  check(LAPACKE_dorgqr(LAPACK_COL_MAJOR, to_lapack(most), to_lapack(rank), to_lapack(rank), triangle.data(),
                       to_lapack(most), reflectors.data()),
        "dorgqr");
  return triangle.leftCols(rank);
}

}  // namespace

// Pivoting finds the rank but is slow on tall matrices; the pivots of A are those of the triangle of its plain QR, so pivoting is
// done on that. The triangles of several processes have the same span together, found in every one alike; back through the own QR.
Matrix orthonormal_span(Matrix columns, const Team& team) {
  const Index p = columns.rows();
  const Index most = std::min(p, columns.cols());
  Vector reflectors(most);
  check(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, to_lapack(p), to_lapack(columns.cols()), columns.data(), to_lapack(p),
                       reflectors.data()),
        "dgeqrf");
  Matrix inner = columns.topRows(most).triangularView<Eigen::Upper>();
  if (team.size() > 1) {
    const Partition places = team.partition_of(most);
    inner = orthonormal_span(team.rows_to_all(inner), Team()).middleRows(places.first, most).eval();
  } else {
    inner = span_of_triangle(std::move(inner));
  }
  const Index rank = inner.cols();
  Matrix span = Matrix::Zero(p, rank);
  span.topRows(most) = inner;
  check(LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', to_lapack(p), to_lapack(rank), to_lapack(most), columns.data(),
                       to_lapack(p), reflectors.data(), span.data(), to_lapack(p)),
        "dormqr");
  return span;
}

Basis basis_of_others(std::span<const Matrix> eigenvectors, Index condition, const Context& context) {
  prepare_blas();
  Basis basis;
  const Index p = eigenvectors[static_cast<std::size_t>(condition)].rows();
  for (std::size_t k = 0; k < eigenvectors.size(); ++k) {
    if (static_cast<Index>(k) != condition) basis.stacked += eigenvectors[k].cols();
  }
  Matrix stacked(p, basis.stacked);
  Index filled = 0;
  for (std::size_t k = 0; k < eigenvectors.size(); ++k) {
    if (static_cast<Index>(k) == condition) continue;
    stacked.middleCols(filled, eigenvectors[k].cols()) = eigenvectors[k];
    filled += eigenvectors[k].cols();
  }
  Vector squares = stacked.colwise().squaredNorm();
  context.team().sum(squares.data(), squares.size());
  for (Index c = 0; c < stacked.cols(); ++c) stacked.col(c) /= std::sqrt(squares[c]);
  basis.vectors = orthonormal_span(std::move(stacked), context.team());
  return basis;
}

}  // namespace disc
