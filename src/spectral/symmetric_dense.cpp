#include "spectral/symmetric_dense.hpp"

#include <lapacke.h>

#include <algorithm>

#include "matrix/blas.hpp"

namespace disc {

SmallEigen small_symmetric_eigen(Matrix matrix) {
  prepare_blas();
  const auto n = static_cast<lapack_int>(matrix.rows());
  SmallEigen result;
  result.values.resize(n);
  const lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, matrix.data(), n, result.values.data());
  if (info != 0) throw Error("LAPACK dsyevd failed with code " + std::to_string(info));
  result.vectors = std::move(matrix);
  return result;
}

Eigenpairs largest_pairs(Matrix&& matrix, Index count) {
  prepare_blas();
  const Index p = matrix.rows();
  const auto n = static_cast<lapack_int>(p);
  const Index asked = std::min(p, count + 1);  // one more, to know the gap
  Vector values(p);
  Matrix vectors(p, asked);
  std::vector<lapack_int> support(static_cast<std::size_t>(2 * asked));
  lapack_int found = 0;
  const lapack_int info = LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'L', n, matrix.data(), n, 0.0, 0.0,
                                         static_cast<lapack_int>(p - asked + 1), n, 0.0, &found, values.data(),
                                         vectors.data(), n, support.data());
  if (info != 0) throw Error("LAPACK dsyevr failed with code " + std::to_string(info));
  Eigenpairs pairs;
  pairs.values = values.head(asked).reverse().head(count);
  pairs.vectors = vectors.rowwise().reverse().leftCols(count);
  pairs.gap = asked > count ? values[asked - count] - values[asked - count - 1] : 0.0;
  pairs.convergence.iterations = 1;
  return pairs;
}

Matrix densify(const LinearOperator& op, const Context& context) {
  constexpr Index width = 64;
  Matrix dense(op.rows(), op.cols());
  Block unit, image;
  for (Index first = 0; first < op.cols(); first += width) {
    const Index count = std::min(width, op.cols() - first);
    unit.setZero(op.cols(), count);
    for (Index c = 0; c < count; ++c) unit(first + c, c) = 1.0;
    op.apply(unit, image, context);
    dense.middleCols(first, count) = image;
  }
  return dense;
}

}  // namespace disc
