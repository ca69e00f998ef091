// p-values smaller than permutations can count.
#pragma once

#include <optional>
#include <vector>

namespace disc {

/// Probability of so large a score by chance, from a generalised Pareto distribution through the largest of the scores that chance
/// made (Knijnenburg et al. 2009). An extrapolation: it is only as good as the fit. Unset where the score is not beyond all of
/// these, or where these are too few or all the same.
std::optional<double> pareto_tail(std::vector<double> by_chance, double score);

}  // namespace disc
