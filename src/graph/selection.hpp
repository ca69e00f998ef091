// Order statistics of large sets of distances.
#pragma once

#include "disc/matrix.hpp"
#include "disc/team.hpp"

namespace disc {

/// The k-th smallest (k >= 1) of `count` values, without reordering them. `skip` is excluded.
double kth_smallest(const double* values, Index count, Index skip, Index k, std::vector<double>& scratch);

/// The median (lower one) of the values strictly below the diagonal; they must not be negative. Uses no second matrix.
double median_below_diagonal(const Matrix& values);
/// The same where the processes of a team have some columns each of a symmetric matrix: those from `first` on.
double median_of_pairs(const Matrix& columns, Index first, const Team* team);

}  // namespace disc
