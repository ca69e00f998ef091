#include "stats/pareto_tail.hpp"

#include <algorithm>
#include <cmath>

#include "stats/policy.hpp"

namespace disc {

std::optional<double> pareto_tail(std::vector<double> by_chance, double score) {
  std::ranges::sort(by_chance);
  const auto all = static_cast<double>(by_chance.size());
  const auto count = std::min<Index>(policy::max_scores_of_tail, static_cast<Index>(policy::share_of_tail * all));
  if (count < policy::min_scores_of_tail || score <= by_chance.back()) return std::nullopt;
  const auto first = by_chance.end() - count;
  const double threshold = 0.5 * (*first + *(first - 1));
  // Moments weighted by ranks (Hosking & Wallis 1987).
  double mean = 0;
  double weighted = 0;
  for (Index i = 0; i < count; ++i) {
    const double excess = *(first + i) - threshold;
    mean += excess / static_cast<double>(count);
    weighted += excess * static_cast<double>(count - 1 - i) / static_cast<double>(count * (count - 1));
  }
  const double difference = mean - 2.0 * weighted;
  if (!(mean > 0) || !(difference > 0)) return std::nullopt;
  double shape = 2.0 - mean / difference;
  double scale = 2.0 * mean * weighted / difference;
  if (shape <= 0) {  // a tail that ends somewhere would give p-values of 0: then an exponential one, which does not
    shape = 0;
    scale = mean;
  }
  const double excess = (score - threshold) / scale;
  const double beyond = shape > 1e-6 ? std::pow(1.0 + shape * excess, -1.0 / shape) : std::exp(-excess);
  return beyond * static_cast<double>(count + 1) / (all + 1.0);
}

}  // namespace disc
