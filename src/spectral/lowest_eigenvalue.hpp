// Where the spectrum of a walk ends below: the closer a filter knows it, the fewer products it takes.
#pragma once

#include "spectral/local_walk.hpp"

namespace disc {

/// A number that most likely is below every eigenvalue: from some steps of Lanczos with several random vectors, less their
/// residuals. Never below what is known for certain.
double bound_from_below(const LocalWalk<float>& walk, const Context& context);

}  // namespace disc
