// Loops over eight interleaved columns: x[j][0..8) lie side by side, so that one number of a matrix meets eight columns in
// vector registers. BLAS libraries do not specialize this shape (docs/decisions/001-numerics.md).
#pragma once

#include "disc/base.hpp"

namespace disc::interleaved {

constexpr Index width = 8;
constexpr Index rows_at_once = 4;  ///< rows of the matrix that share each load of x

/// y[r] += sum over j < count of s[r][j] x[j], for four rows r, `stride` apart.
void add_rows(const double* s, Index stride, Index count, const double* x, double* y);
void add_rows(const float* s, Index stride, Index count, const float* x, double* y);

/// A piece of a symmetric matrix, read once for both of its places: y[r] += sum over j of s[r][j] x[j], and z[j] += sum over r of
/// s[r][j] own[r], for j < count and r < rows, rows being `stride` apart. `rows` must be a multiple of rows_at_once, `count`
/// of 16.
void add_both_ways(const double* s, Index stride, Index rows, Index count, const double* x, const double* own,
                   double* y, double* z);
void add_both_ways(const float* s, Index stride, Index rows, Index count, const float* x, const float* own, double* y,
                   float* z);

/// w[i] -= sum over four columns c of v[c][i] h[c], for i < count; columns are `stride` apart.
void subtract_columns(const double* v, Index stride, Index count, const double* h, double* w);

}  // namespace disc::interleaved
