// Which named sets share more features with a group than chance would.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "disc/stats.hpp"
#include "stats/false_discovery.hpp"

namespace disc {
namespace {

constexpr Index min_set = 3;

// log(0!), log(1!), ... log(n!)
std::vector<double> log_factorials(Index n) {
  std::vector<double> table(static_cast<std::size_t>(n) + 1, 0.0);
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = table[i - 1] + std::log(static_cast<double>(i));
  return table;
}

// Probability that at least `shared` of `group` features drawn from `tested` belong to the `set`.
double chance_of(Index shared, Index group, Index set, Index tested, const std::vector<double>& log_factorial) {
  if (shared == 0) return 1.0;
  const auto log_choices = [&](Index n, Index k) {
    const auto at = [&](Index i) { return log_factorial[static_cast<std::size_t>(i)]; };
    return at(n) - at(k) - at(n - k);
  };
  double sum = 0;
  for (Index k = shared; k <= std::min(group, set); ++k) {
    if (group - k > tested - set) continue;
    sum += std::exp(log_choices(set, k) + log_choices(tested - set, group - k) - log_choices(tested, group));
  }
  return std::min(sum, 1.0);
}

// The tested features of every set, without repetitions.
std::vector<std::vector<Index>> tested_members(std::span<const NamedSet> sets, std::span<const std::string> features) {
  std::unordered_map<std::string_view, Index> place;
  for (std::size_t j = 0; j < features.size(); ++j) place.emplace(features[j], static_cast<Index>(j));
  std::vector<std::vector<Index>> members;
  for (const NamedSet& set : sets) {
    std::vector<Index>& own = members.emplace_back();
    for (const std::string& name : set.members) {
      if (const auto found = place.find(name); found != place.end()) own.push_back(found->second);
    }
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  return members;
}

}  // namespace

std::vector<SetOverlap> compare_with_sets(std::span<const FeatureGroups> groups, std::span<const std::string> features,
                                          std::span<const NamedSet> sets) {
  const auto tested = static_cast<Index>(features.size());
  const std::vector<double> log_factorial = log_factorials(tested);
  const std::vector<std::vector<Index>> members = tested_members(sets, features);
  std::vector<SetOverlap> all;
  for (std::size_t m = 0; m < groups.size(); ++m) {
    for (std::size_t g = 0; g < groups[m].groups.size(); ++g) {
      std::vector<Index> group = groups[m].groups[g].features;
      std::ranges::sort(group);
      for (std::size_t s = 0; s < sets.size(); ++s) {
        const auto set_size = static_cast<Index>(members[s].size());
        if (set_size < min_set) continue;
        SetOverlap& overlap = all.emplace_back();
        overlap.condition = static_cast<Index>(m);
        overlap.group = static_cast<Index>(g);
        overlap.set = sets[s].name;
        overlap.description = sets[s].description;
        overlap.group_size = static_cast<Index>(group.size());
        overlap.set_size = set_size;
        overlap.tested = tested;
        std::ranges::set_intersection(group, members[s], std::back_inserter(overlap.features));
        overlap.p =
            chance_of(static_cast<Index>(overlap.features.size()), overlap.group_size, set_size, tested, log_factorial);
      }
    }
  }
  std::vector<std::pair<double, double*>> tests;
  tests.reserve(all.size());
  for (SetOverlap& overlap : all) tests.emplace_back(overlap.p, &overlap.q);
  adjust_for_all(std::move(tests));
  std::erase_if(all, [](const SetOverlap& overlap) { return overlap.features.empty(); });
  std::ranges::stable_sort(
      all, {}, [](const SetOverlap& overlap) { return std::tuple(overlap.condition, overlap.group, overlap.p); });
  return all;
}

}  // namespace disc
