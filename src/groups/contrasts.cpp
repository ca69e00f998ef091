// How communities of one condition differ from what the others have. method (18)
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "disc/groups.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// A group as another condition sees it: the parts that lie in its communities, and the rest, in no community, last.
struct Parts {
  std::vector<Index> community;            // of all parts but the last
  std::vector<std::vector<Index>> inside;  // features, ascending
};

Parts parts_of(const std::vector<Index>& group, const Communities& there) {
  std::map<Index, std::vector<Index>> by_community;
  std::vector<Index> rest;
  for (const Index j : group) {
    const Index c = there.labels[at(j)];
    (c >= 0 ? by_community[c] : rest).push_back(j);
  }
  Parts parts;
  for (auto& [community, features] : by_community) {
    parts.community.push_back(community);
    parts.inside.push_back(std::move(features));
  }
  parts.inside.push_back(std::move(rest));
  return parts;
}

// Sum of correlations per feature of the group over pairs that are not in two different communities there.
double connected_sum(const Correlations& correlations, const Parts& parts, double size) {
  const Matrix sums = correlations.sums_between(parts.inside);
  const Index last = sums.rows() - 1;
  const double sum = sums.diagonal().sum() + 2.0 * sums.col(last).head(last).sum();
  return (sum - size) / size;  // without the diagonal
}

// Pairs of a member and somebody who shares its community there but is no member.
double pairs_shared(const std::vector<std::vector<Index>>& members_there, const Parts& parts) {
  double pairs = 0;
  for (std::size_t k = 0; k < parts.community.size(); ++k) {
    const auto inside = static_cast<double>(parts.inside[k].size());
    pairs += inside * (static_cast<double>(members_there[at(parts.community[k])].size()) - inside);
  }
  return pairs;
}

// Sum of correlations per feature of the group with those who share its members' communities there but are no members.
double shared_sum(const SetSums& communities_there, const Parts& parts, double size) {
  double sum = 0;
  for (std::size_t k = 0; k < parts.community.size(); ++k) {
    sum += communities_there.part_with_rest(parts.community[k], parts.inside[k]);
  }
  return sum / size;
}

}  // namespace

double log_ratio(double a, double b, Index samples_a, Index samples_b) {
  const double error = std::sqrt(2.0 / static_cast<double>(samples_a) + 2.0 / static_cast<double>(samples_b));
  return (std::log1p(std::max(a, 0.0)) - std::log1p(std::max(b, 0.0))) / error;
}

std::vector<GroupContrast> contrast_groups(std::span<const Correlations> correlations,
                                           std::span<const Communities> communities, Index condition) {
  const Correlations& here = correlations[at(condition)];
  std::vector<GroupContrast> result;
  for (std::vector<Index>& group : communities[at(condition)].members()) {
    GroupContrast contrast;
    contrast.features = std::move(group);
    contrast.strength = contrast.separation = std::numeric_limits<double>::infinity();
    result.push_back(std::move(contrast));
  }
  for (std::size_t k = 0; k < correlations.size(); ++k) {
    if (static_cast<Index>(k) == condition) continue;
    const Correlations& there = correlations[k];
    const std::vector<std::vector<Index>> members_there = communities[k].members();
    const SetSums sums_here(here, members_there);
    const SetSums sums_there(there, members_there);
    for (GroupContrast& contrast : result) {
      const auto size = static_cast<double>(contrast.features.size());
      const Parts parts = parts_of(contrast.features, communities[k]);
      const double stronger =
          log_ratio(connected_sum(here, parts, size), connected_sum(there, parts, size), here.samples, there.samples);
      const double shared_there = shared_sum(sums_there, parts, size);
      const double shared_here = shared_sum(sums_here, parts, size);
      const double apart = log_ratio(shared_there, shared_here, there.samples, here.samples);
      if (std::max(stronger, apart) >= std::max(contrast.strength, contrast.separation)) continue;
      contrast.strength = stronger;
      contrast.separation = apart;
      contrast.loss = (shared_there - shared_here) * size / std::max(1.0, pairs_shared(members_there, parts));
    }
  }
  return result;
}

}  // namespace disc
