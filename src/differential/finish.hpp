// What is done to differential vectors of every method before they are handed out.
#pragma once

#include "disc/differential.hpp"

namespace disc {

/// The entry of largest magnitude becomes positive (of equal ones, the first).
void fix_signs(Matrix& vectors);

/// Vectors whose sigma agree to solver accuracy get the same plane number.
void mark_planes(DifferentialVectors& result, double tolerance);

}  // namespace disc
