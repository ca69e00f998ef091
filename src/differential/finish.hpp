// What is done to differential vectors of every method before they are handed out.
#pragma once

#include "disc/differential.hpp"

namespace disc {

/// The entry of largest magnitude becomes positive (of equal ones, the first).
void fix_signs(Matrix& vectors);

/// Vectors whose sigma agree to solver accuracy get the same plane number.
void mark_degenerate_subspaces(DifferentialVectors& result, double tolerance);

/// The `count` leading vectors of a condition, wherever it is.
using VectorSolver = std::function<DifferentialVectors(Index count)>;
/// As many vectors as were asked for; else ten, or all up to sixty whose sigma features without connection would not show, where the edge of
/// that noise is known. Fewer where the other conditions explain nearly all, `taken`, of the p directions. Throws OptionError for more
/// than there can be.
DifferentialVectors vectors_above_noise(const VectorSolver& solve, const DifferentialOptions& options, Index p,
                                        Index taken, const std::optional<double>& edge);

/// Vectors that are computed where nobody says how many, at least.
inline constexpr Index vectors_when_not_told = 10;

/// How many of them carry the difference: all that were asked for, or those before the largest relative drop of sigma.
Index leading_vectors(const DifferentialOptions& options, const Vector& sigma);

/// Orthonormal basis of the span of the columns, which are of unit length; nearly dependent ones are dropped. Every process of a
/// team has some rows.
Matrix orthonormal_span(Matrix columns, const Team& team);

/// Throws OptionError where fewer than `count` directions are left of p after `taken`.
void check_room(Index count, Index p, Index taken);

}  // namespace disc
