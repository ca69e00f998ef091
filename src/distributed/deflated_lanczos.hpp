// The largest eigenvalue in the complement of what was found: whether anything was missed.
#pragma once

#include "distributed/krylov.hpp"

namespace disc::distributed {

/// Lanczos with two vectors and no restarts: a value is wanted, roughly, and no vector. Its error is about the square of the tolerance;
/// a polynomial is undone. Copies of values that come of rounding do no harm: none is above the largest.
Found deflated_lanczos(const Problem& problem, const Attempt& attempt, const MpiTeam& team, const Context& context);

}  // namespace disc::distributed
