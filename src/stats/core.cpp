// Which members of a group are connected by what is new. method (19)
#include <algorithm>
#include <cmath>
#include <limits>

#include "matrix/normal_quantile.hpp"
#include "stats/policy.hpp"
#include "stats/significance.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double fisher(double r) { return std::atanh(std::clamp(r, -0.999, 0.999)); }

// Mean of the largest.
double of_hubs(std::vector<double> gains) {
  const std::size_t count = std::min(policy::hubs_of_core, gains.size());
  std::ranges::partial_sort(gains, gains.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += gains[i];
  return sum / static_cast<double>(count);
}

}  // namespace

std::vector<Index> core_of(const FeatureGroup& group, std::span<const MemberCorrelations> conditions, Index condition) {
  const std::size_t size = group.features.size();
  const double direction = group.is_lost() ? -1.0 : 1.0;
  const double beyond_chance = normal_upper_quantile(policy::level_of_core / static_cast<double>(size));
  std::vector<double> gain(size, std::numeric_limits<double>::infinity());
  std::vector<bool> is_clear(size, true);
  const MemberCorrelations& here = conditions[at(condition)];
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    if (static_cast<Index>(k) == condition) continue;
    const MemberCorrelations& there = conditions[k];
    const double error = std::sqrt(1.0 / std::max(1.0, static_cast<double>(here.samples - 3)) +
                                   1.0 / std::max(1.0, static_cast<double>(there.samples - 3)));
    for (std::size_t i = 0; i < size; ++i) {
      gain[i] = std::min(gain[i], direction * (here.with_rest[i] - there.with_rest[i]));
      const double z = direction * (fisher(here.with_rest[i]) - fisher(there.with_rest[i])) / error;
      is_clear[i] = is_clear[i] && z > beyond_chance;
    }
  }
  const double least = policy::min_share_of_hubs * of_hubs(gain);
  std::vector<Index> core;
  for (std::size_t i = 0; i < size; ++i) {
    if (is_clear[i] && gain[i] >= least) core.push_back(group.features[i]);
  }
  return core;
}

}  // namespace disc
