// Products of tall, thin matrices: p rows, few columns. Rows are cut into fixed pieces whose results are added in order, so
// that the number of threads does not matter.
#pragma once

#include "disc/spectral.hpp"

namespace disc {

/// basis(:, 0..count)' * block
Matrix project(const Matrix& basis, Index count, const Block& block, const Context& context);

/// block -= basis(:, 0..count) * coefficients
void subtract(const Matrix& basis, Index count, const Matrix& coefficients, Block& block, const Context& context);

/// basis(:, 0..count) * coefficients
Matrix combine(const Matrix& basis, Index count, const Matrix& coefficients, const Context& context);

/// block' * block
Matrix gram(const Block& block, const Context& context);

/// block * coefficients, in place
void transform(Block& block, const Matrix& coefficients, const Context& context);

/// y_i *= scale_i for every row
void scale_rows(const Vector& scale, Block& block);

}  // namespace disc
