// Do two halves of the samples show the same structure? method (15)
#pragma once

#include <array>

#include "disc/stats.hpp"

namespace disc {

/// Right eigenvectors of one condition's walk, the trivial one first, as two random halves of its samples show them. Without columns:
/// there are too few samples.
using HalfEigenvectors = std::array<Matrix, 2>;
/// `count` eigenvectors beside the trivial one. Processes of a team must have the same data. With `sizes` the columns are prototypes.
HalfEigenvectors eigenvectors_of_halves(const Dataset& condition, std::span<const Index> columns, Index count,
                                        const GraphOptions& options, const Context& context, const Team* team = nullptr,
                                        const Vector& sizes = {});

/// Per condition, the largest number of eigenvectors beside the trivial one up to which the halves agree on their span and on every basis
/// that they are part of, where all conditions have equally many in a basis or as many as there are. Where no basis agrees: on their
/// span alone; 0: nowhere. (With three and more conditions eigenvectors of different ones nearly coincide, and what is left of one
/// beside the other is noise.)
std::vector<Index> dimensions_agreed(std::span<const HalfEigenvectors> conditions, const Context& context);

}  // namespace disc
