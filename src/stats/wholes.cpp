#include "stats/wholes.hpp"

#include <algorithm>
#include <limits>

#include "stats/policy.hpp"

namespace disc {
namespace {

// Members of the part and the others, each with both signs of the whole.
std::vector<std::vector<Index>> quarters(const Candidate& whole, const Candidate& part) {
  std::vector<std::vector<Index>> sets(4);
  for (std::size_t i = 0; i < whole.features.size(); ++i) {
    const bool is_inside = std::ranges::binary_search(part.features, whole.features[i]);
    const bool is_negative = !whole.sign.empty() && whole.sign[i] < 0;
    sets[(is_inside ? 0U : 2U) + (is_negative ? 1U : 0U)].push_back(whole.features[i]);
  }
  return sets;
}

// Mean correlations, with the signs of the whole: within the part, and of it with the others.
struct Means {
  double within = 0, across = 0;
};

Means means_of(const Correlations& correlations, std::span<const std::vector<Index>> sets) {
  const Matrix sums = correlations.sums_between(sets);
  const auto inside = static_cast<double>(sets[0].size() + sets[1].size());
  const auto others = static_cast<double>(sets[2].size() + sets[3].size());
  const double within = sums(0, 0) + sums(1, 1) - 2.0 * sums(0, 1) - inside;
  const double across = sums(0, 2) + sums(1, 3) - sums(0, 3) - sums(1, 2);
  return {within / std::max(1.0, inside * (inside - 1.0)), across / std::max(1.0, inside * others)};
}

// What a pair across the border of the part gained, relative to a pair within it, against the condition where that is least;
// 0 where the part gained nothing.
double share_across(std::span<const Correlations> conditions, const View& view, const Candidate& whole,
                    const Candidate& part) {
  const std::vector<std::vector<Index>> sets = quarters(whole, part);
  const double direction = view.kind == ViewKind::lost ? -1.0 : 1.0;
  const auto target = static_cast<std::size_t>(whole.condition);
  const Means here = means_of(conditions[target], sets);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    if (k == target) continue;
    const Means there = means_of(conditions[k], sets);
    const double within = direction * (here.within - there.within);
    const double across = direction * (here.across - there.across);
    least = std::min(least, within <= 0 ? 0.0 : across / within);
  }
  return least;
}

// Sum over pairs of members, with their signs, per member: c(S).
double connection(const Correlations& correlations, const Candidate& group) {
  std::vector<std::vector<Index>> sides(2);
  for (std::size_t i = 0; i < group.features.size(); ++i) {
    sides[!group.sign.empty() && group.sign[i] < 0 ? 1U : 0U].push_back(group.features[i]);
  }
  const Matrix sums = correlations.sums_between(sides);
  return (sums(0, 0) + sums(1, 1) - 2.0 * sums(0, 1)) / static_cast<double>(group.features.size()) - 1.0;
}

// What a group gains as a whole in the correlations themselves, against the condition where that is least. method (25)
double gain_as_a_whole(std::span<const Correlations> conditions, const View& view, const Candidate& group) {
  const double direction = view.kind == ViewKind::lost ? -1.0 : 1.0;
  const auto target = static_cast<std::size_t>(group.condition);
  const double here = connection(conditions[target], group);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    if (k == target) continue;
    const double there = connection(conditions[k], group);
    least = std::min(least, direction * log_ratio(here, there, conditions[target].samples, conditions[k].samples));
  }
  return least;
}

}  // namespace

bool is_whole(std::span<const Correlations> conditions, const View& view, const Candidate& whole,
              const Candidate& part) {
  if (share_across(conditions, view, whole, part) < policy::min_share_of_whole) return false;
  if (view.kind == ViewKind::separation) return true;  // judged by what it lost, not by what it gained
  return gain_as_a_whole(conditions, view, whole) >= gain_as_a_whole(conditions, view, part);
}

bool is_part(std::span<const Correlations> conditions, const View& view, const Candidate& whole,
             const Candidate& part) {
  return share_across(conditions, view, whole, part) <= policy::max_share_across_parts;
}

bool is_explained(std::span<const Correlations> conditions, std::span<const Communities> communities,
                  const Candidate& candidate, const std::vector<bool>& is_found) {
  std::vector<Index> left;
  for (Index j = 0; j < conditions[0].features(); ++j) {
    if (!is_found[static_cast<std::size_t>(j)]) left.push_back(j);
  }
  std::vector<Correlations> correlations;
  std::vector<Communities> labels;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    correlations.push_back(conditions[m].among(left));
    labels.push_back({{}, communities[m].count});
    for (const Index j : left) {
      const bool is_target = static_cast<Index>(m) == candidate.condition;
      const bool is_member = std::ranges::binary_search(candidate.features, j);
      labels[m].labels.push_back(is_target ? (is_member ? 0 : -1) : communities[m].labels[static_cast<std::size_t>(j)]);
    }
  }
  labels[static_cast<std::size_t>(candidate.condition)].count = 1;
  const GroupContrast rest = contrast_groups(correlations, labels, candidate.condition).front();
  return separation_statistic(rest) < policy::min_share_unexplained * candidate.statistic;
}

Judgement judgement_of(const std::vector<Correlations>& conditions, const AnalyzeOptions& options,
                       const Context& context) {
  Judgement judgement;
  judgement.is_whole = [&](const Candidate& whole, const Candidate& part) {
    return is_whole(conditions, options.views[static_cast<std::size_t>(whole.view)], whole, part);
  };
  judgement.is_part = [&](const Candidate& whole, const Candidate& part) {
    return is_part(conditions, options.views[static_cast<std::size_t>(whole.view)], whole, part);
  };
  if (!conditions[0].has_matrix()) return judgement;
  std::vector<Communities> coarse;
  for (const Correlations& condition : conditions) {
    coarse.push_back(find_communities(condition, options.association_z, options.min_group_size, context).back());
  }
  const auto is_apart = [&](const Candidate& candidate) {
    return options.views[static_cast<std::size_t>(candidate.view)].kind == ViewKind::separation;
  };
  // The parts of a group that fell apart are set apart from each other, which explains neither.
  judgement.is_explained = [&conditions, coarse, is_apart](const Candidate& candidate,
                                                           std::span<const TestedCandidate> before) {
    if (!is_apart(candidate)) return false;
    std::vector<bool> is_found(static_cast<std::size_t>(conditions[0].features()), false);
    for (const TestedCandidate& one : before) {
      if (is_apart(one.candidate)) continue;
      for (const Index j : one.candidate.features) is_found[static_cast<std::size_t>(j)] = true;
    }
    return is_explained(conditions, coarse, candidate, is_found);
  };
  return judgement;
}

}  // namespace disc
