#include "differential/finish.hpp"

#include <cmath>

namespace disc {

void fix_signs(Matrix& vectors) {
  for (Index k = 0; k < vectors.cols(); ++k) {
    // A little slack, so that rounding does not decide between two entries of equal magnitude.
    const double largest = vectors.col(k).cwiseAbs().maxCoeff() * (1.0 - 1e-9);
    Index first = 0;
    while (std::abs(vectors(first, k)) < largest) ++first;
    if (vectors(first, k) < 0) vectors.col(k) *= -1.0;
  }
}

void mark_degenerate_subspaces(DifferentialVectors& result, double tolerance) {
  result.degenerate_subspace.clear();
  // Residuals bound sigma^2, so sigma itself is good to tolerance / sigma.
  for (Index k = 0; k < result.sigma.size(); ++k) {
    const bool same =
        k > 0 && std::abs(result.sigma[k - 1] - result.sigma[k]) * std::abs(result.sigma[k]) <= 2 * tolerance;
    result.degenerate_subspace.push_back(k == 0 ? 0 : result.degenerate_subspace.back() + (same ? 0 : 1));
  }
}

}  // namespace disc
