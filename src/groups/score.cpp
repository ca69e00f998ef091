// Agreement of groups found with the truth.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "disc/groups.hpp"

namespace disc {
namespace {

double pairs(double count) { return count * (count - 1) / 2; }

/// The groups of one condition by one grouping.
struct Side {
  std::vector<std::string> names;       ///< in order of first appearance
  std::vector<std::set<Index>> groups;  ///< features that took part; may overlap, may be empty
  std::vector<Index> labels;            ///< per feature: 1 + the first group that lists it, 0 = in none
};

Side side_of(const NamedGroups& grouping, const std::string& condition,
             const std::unordered_map<std::string, Index>& positions) {
  Side side;
  side.labels.assign(positions.size(), 0);
  std::unordered_map<std::string, Index> numbers;
  for (const NamedGroups::Row& row : grouping.rows) {
    if (row.condition != condition) continue;
    const auto [entry, is_new] = numbers.try_emplace(row.group, static_cast<Index>(side.names.size()));
    if (is_new) {
      side.names.push_back(row.group);
      side.groups.emplace_back();
    }
    const auto position = positions.find(row.feature);
    if (position == positions.end()) continue;  // took no part
    side.groups[static_cast<std::size_t>(entry->second)].insert(position->second);
    Index& label = side.labels[static_cast<std::size_t>(position->second)];
    if (label == 0) label = entry->second + 1;
  }
  return side;
}

double jaccard(const std::set<Index>& a, const std::set<Index>& b) {
  Index common = 0;
  for (const Index feature : a) common += b.contains(feature) ? 1 : 0;
  const Index either = static_cast<Index>(a.size() + b.size()) - common;
  return either == 0 ? 0.0 : static_cast<double>(common) / static_cast<double>(either);
}

Score::Match best_match(const std::string& name, const std::set<Index>& group, const Side& found) {
  Score::Match match{name, "", 0};
  for (std::size_t g = 0; g < found.groups.size(); ++g) {
    const double value = jaccard(group, found.groups[g]);
    if (value > match.jaccard) match = {name, found.names[g], value};
  }
  return match;
}

Score score_condition(const std::string& condition, const Side& found, const Side& truth) {
  Score score;
  score.condition = condition;
  score.adjusted_rand = adjusted_rand_index(found.labels, truth.labels);
  score.groups_found = static_cast<Index>(found.groups.size());
  score.groups_true = static_cast<Index>(truth.groups.size());
  Index said = 0;
  Index to_find = 0;
  Index right = 0;
  for (std::size_t j = 0; j < found.labels.size(); ++j) {
    said += found.labels[j] > 0 ? 1 : 0;
    to_find += truth.labels[j] > 0 ? 1 : 0;
    right += found.labels[j] > 0 && truth.labels[j] > 0 ? 1 : 0;
  }
  score.precision = said == 0 ? 1.0 : static_cast<double>(right) / static_cast<double>(said);
  score.recall = to_find == 0 ? 1.0 : static_cast<double>(right) / static_cast<double>(to_find);
  for (std::size_t g = 0; g < truth.groups.size(); ++g) {
    score.matches.push_back(best_match(truth.names[g], truth.groups[g], found));
  }
  return score;
}

}  // namespace

double adjusted_rand_index(std::span<const Index> a, std::span<const Index> b) {
  if (a.size() != b.size()) {
    throw InputError("the two partitions have " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                     " members, but they must partition the same things");
  }
  std::map<std::pair<Index, Index>, Index> both;
  std::map<Index, Index> rows;
  std::map<Index, Index> columns;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ++both[{a[i], b[i]}];
    ++rows[a[i]];
    ++columns[b[i]];
  }
  const auto pairs_within = [](const auto& counts) {
    double sum = 0;
    for (const auto& [label, count] : counts) sum += pairs(static_cast<double>(count));
    return sum;
  };
  const double within_a = pairs_within(rows);
  const double within_b = pairs_within(columns);
  const double total = pairs(static_cast<double>(a.size()));
  // In this order it is exact when one side is a single cluster.
  const double expected = total > 0 ? std::min(within_a, within_b) * (std::max(within_a, within_b) / total) : 0;
  const double largest = (within_a + within_b) / 2;
  // Equal only when both have one cluster, or both only clusters of one: then the partitions are equal.
  if (largest == expected) return 1;
  return (pairs_within(both) - expected) / (largest - expected);
}

std::vector<Score> score_groups(const NamedGroups& found, const NamedGroups& truth,
                                std::span<const std::string> conditions, std::span<const std::string> features) {
  std::unordered_map<std::string, Index> positions;
  for (const std::string& feature : features) {
    positions.try_emplace(feature, static_cast<Index>(positions.size()));
  }
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const std::string& condition : conditions) add(condition);
  for (const NamedGroups* grouping : {&found, &truth}) {
    for (const NamedGroups::Row& row : grouping->rows) add(row.condition);
  }
  std::vector<Score> scores;
  scores.reserve(names.size());
  for (const std::string& condition : names) {
    scores.push_back(
        score_condition(condition, side_of(found, condition, positions), side_of(truth, condition, positions)));
  }
  return scores;
}

}  // namespace disc
