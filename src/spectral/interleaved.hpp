// Loops over eight interleaved columns: x[j][0..8) lie side by side, so that one number of a matrix meets eight columns in
// vector registers. BLAS libraries do not specialise this shape (docs/decisions/001-numerics.md).
#pragma once

#include "disc/base.hpp"

namespace disc::interleaved {

constexpr Index width = 8;
constexpr Index rows_at_once = 4;  ///< rows of the matrix that share each load of x

/// y[r] += sum over j < count of s[r][j] x[j], for four rows r, `stride` apart.
void add_rows(const double* s, Index stride, Index count, const double* x, double* y);
void add_rows(const float* s, Index stride, Index count, const float* x, double* y);

/// w[i] -= sum over four columns c of v[c][i] h[c], for i < count; columns are `stride` apart.
void subtract_columns(const double* v, Index stride, Index count, const double* h, double* w);

}  // namespace disc::interleaved
