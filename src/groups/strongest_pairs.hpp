// The strongest pairs of a matrix of correlations, as a sparse graph.
#pragma once

#include "disc/correlations.hpp"

namespace disc {

/// Weights of the pairs whose correlation is above z / sqrt(n), and among the strongest so that a feature has about `degree`
/// of them on average: correlation minus half of the smallest one taken. The threshold is a function of the correlations
/// alone.
SparseMatrix strongest_pairs(const Correlations& correlations, double z, Index degree);

}  // namespace disc
