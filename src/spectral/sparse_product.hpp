// One row of a sparse matrix times a block of vectors.
#pragma once

#include "disc/matrix.hpp"

namespace disc {

/// out[c] = sum of values[k] * x[columns[k] * width + c] for c < width.
void sparse_row_product(const double* values, const Index* columns, Index count, const double* x, Index width,
                        double* out);

}  // namespace disc
