// How communities of one condition differ from what the others have. method (18)
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "disc/groups.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// log(1 + a) - log(1 + b) in units of its standard error: the logarithm of a variance estimated from n samples has a
// variance of about 2 / n, whatever the correlations.
double log_ratio(double a, double b, Index samples_a, Index samples_b) {
  const double error = std::sqrt(2.0 / static_cast<double>(samples_a) + 2.0 / static_cast<double>(samples_b));
  return (std::log1p(std::max(a, 0.0)) - std::log1p(std::max(b, 0.0))) / error;
}

bool are_separated(const Communities& communities, Index i, Index j) {
  const Index a = communities.of_feature[at(i)];
  const Index b = communities.of_feature[at(j)];
  return a >= 0 && b >= 0 && a != b;
}

// Sum of correlations per feature of the group, here and there: over pairs of the group that are not in two different
// communities there.
double strength(const std::vector<Index>& group, const Correlations& here, const Correlations& there,
                const Communities& communities_there) {
  double sum_here = 0;
  double sum_there = 0;
  for (const Index j : group) {
    for (const Index i : group) {
      if (i == j || are_separated(communities_there, i, j)) continue;
      sum_here += static_cast<double>(here.values(i, j));
      sum_there += static_cast<double>(there.values(i, j));
    }
  }
  const double size = static_cast<double>(group.size());
  return log_ratio(sum_here / size, sum_there / size, here.samples, there.samples);
}

// Sum of correlations per feature of the group with those who share its members' communities there but are no members.
double separation(const std::vector<Index>& group, const Correlations& here, const Correlations& there,
                  const Communities& communities_there) {
  std::vector<bool> is_member(communities_there.of_feature.size(), false);
  for (const Index j : group) is_member[at(j)] = true;
  double sum_here = 0;
  double sum_there = 0;
  for (Index c = 0; c < communities_there.count; ++c) {
    std::vector<Index> inside;
    std::vector<Index> outside;
    for (const Index j : communities_there.members(c)) (is_member[at(j)] ? inside : outside).push_back(j);
    for (const Index j : inside) {
      for (const Index i : outside) {
        sum_here += static_cast<double>(here.values(i, j));
        sum_there += static_cast<double>(there.values(i, j));
      }
    }
  }
  const double size = static_cast<double>(group.size());
  return log_ratio(sum_there / size, sum_here / size, there.samples, here.samples);
}

}  // namespace

std::vector<GroupContrast> contrast_groups(std::span<const Correlations> correlations,
                                           std::span<const Communities> communities, Index condition) {
  std::vector<GroupContrast> result;
  const Correlations& here = correlations[at(condition)];
  for (Index c = 0; c < communities[at(condition)].count; ++c) {
    GroupContrast contrast;
    contrast.features = communities[at(condition)].members(c);
    contrast.strength = contrast.separation = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < correlations.size(); ++k) {
      if (static_cast<Index>(k) == condition) continue;
      const double stronger = strength(contrast.features, here, correlations[k], communities[k]);
      const double apart = separation(contrast.features, here, correlations[k], communities[k]);
      if (std::max(stronger, apart) >= contrast.statistic()) continue;
      contrast.strength = stronger;
      contrast.separation = apart;
    }
    result.push_back(std::move(contrast));
  }
  return result;
}

}  // namespace disc
