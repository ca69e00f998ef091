#include "stats/unit_weights.hpp"

#include <algorithm>
#include <cmath>

#include "stats/policy.hpp"

namespace disc {

UnitWeights::UnitWeights(const Units& units, const Sampling& sampling, Index total) : count_alike(sampling.weighted) {
  const auto count = static_cast<Index>(units.units.size());
  const double mean = static_cast<double>(total) / static_cast<double>(count);
  factor = Vector::Ones(count);
  totals.resize(count);
  samples.resize(count);
  for (Index u = 0; u < count; ++u) {
    const auto size = static_cast<double>(units.units[static_cast<std::size_t>(u)].samples.size());
    if (sampling.weighted) factor[u] = mean * std::min(1.0, size / (policy::min_share_of_mean_size * mean)) / size;
    totals[u] = size * factor[u];
    samples[u] = (size - (sampling.centered ? 1.0 : 0.0)) * sampling.effective_share;
  }
}

Index UnitWeights::effective(const Vector& counts) const {
  constexpr Index least = 4;
  const double all = counts.sum();
  if (count_alike) {  // each unit stands for as many, whichever condition it is given to
    const double alike = static_cast<double>(samples.size()) / samples.cwiseMax(1.0).cwiseInverse().sum();
    return std::max<Index>(least, std::lround(alike * all * all / counts.squaredNorm()));
  }
  const double counted = samples.dot(counts);
  return std::max<Index>(least, std::lround(counted * counted / samples.dot(counts.cwiseAbs2())));
}

}  // namespace disc
