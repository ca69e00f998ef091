#include "spectral/eigenpairs_beyond.hpp"

#include <algorithm>

namespace disc {
namespace {

constexpr Index max_eigenvectors = 60;       // of one condition
constexpr Index eigenvectors_at_first = 16;  // doubled until one is not above the threshold

}  // namespace

Index max_dimensions(Index features, Index conditions) {
  return std::clamp<Index>(features / (4 * std::max<Index>(1, conditions - 1)), 1, max_eigenvectors);
}

Index count_above(const Vector& eigenvalues, double threshold) {
  Index count = 0;
  while (count + 1 < eigenvalues.size() && eigenvalues[count + 1] > threshold) ++count;
  return count;
}

Eigenpairs eigenpairs_beyond(const PairSolver& solve, double threshold, Index most, const SolverOptions& solver) {
  Index count = std::min(eigenvectors_at_first, most);
  SolverOptions above = solver;
  above.floor = threshold;
  for (;;) {
    Eigenpairs pairs = solve(count + 1, above);
    if (count_above(pairs.values, threshold) < count || count >= most) return pairs;
    count = std::min(2 * count, most);
  }
}

}  // namespace disc
