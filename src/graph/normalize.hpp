// Scaling a symmetric matrix on both sides, and its row sums.
#pragma once

#include "disc/graph.hpp"

namespace disc {

// Of the matrix each process of context.team() may have the rows of its own features only: as many sums and scales.

/// Row sums of a symmetric matrix, summed in double.
Vector row_sums(const SymmetricMatrix& weights, const Context& context);

/// W_ij <- s_i W_ij s_j, in place.
void scale_both_sides(SymmetricMatrix& weights, const Vector& scale, const Context& context);

/// Density normalization, method (3), in place; then the uniform weight of method (4), which is returned. `Weights` knows its row
/// sums, can be scaled on both sides, and can connect features without any weight to themselves: their walk stays where it is.
template <class Weights>
double normalize_weights(Weights& weights, const GraphOptions& used) {
  Vector degrees = weights.row_sums();
  // With the uniform weight nobody is alone, unless all are.
  if (*used.degree_regularization == 0 || used.density_exponent > 0 || weights.mean(degrees) <= 0) {
    weights.connect_lone_to_themselves(degrees);
    degrees = weights.row_sums();
  }
  if (used.density_exponent > 0) {
    weights.scale_both_sides(degrees.array().pow(-used.density_exponent));
    degrees = weights.row_sums();
  }
  return *used.degree_regularization * weights.mean(degrees) / static_cast<double>(weights.size());
}

/// Fills in what depends on the kernel alone.
GraphOptions resolved_by_kernel(GraphOptions options);
/// The weights that the user brings, checked: square, symmetric, not negative (throws InputError otherwise).
Matrix given_weights(const Dataset& weights, std::span<const Index> columns, const GraphOptions& options);
/// Throws OptionError or InputError where no graph of so many features can be made.
void check_graph_options(const GraphOptions& options, Index features);

}  // namespace disc
