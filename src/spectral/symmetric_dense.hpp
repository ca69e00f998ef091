// Dense symmetric eigenproblems by LAPACK.
#pragma once

#include "disc/spectral.hpp"

namespace disc {

struct SmallEigen {
  Vector values;  ///< rising
  Matrix vectors;
};

/// All pairs of a small matrix (the projected problems of the block method).
SmallEigen small_symmetric_eigen(Matrix matrix);

/// The `count` largest pairs, in falling order. Destroys the matrix.
Eigenpairs largest_pairs(Matrix&& matrix, Index count);

/// The operator written out as a matrix.
Matrix densify(const LinearOperator& op, const Context& context);

}  // namespace disc
