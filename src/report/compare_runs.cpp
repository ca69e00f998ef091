// Which groups two runs share. Only features that both runs used count.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "disc/io.hpp"
#include "disc/report.hpp"

namespace disc {
namespace {

using Names = std::set<std::string>;

struct NamedGroup {
  std::string condition, id;
  Names features;
};

std::size_t column(const TextTable& table, std::string_view name, const std::string& file) {
  return static_cast<std::size_t>(table.column(name, file));
}

Names used_features(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "features.tsv";
  const TextTable table = read_tsv(file);
  const std::size_t feature = column(table, "feature", file.string());
  const std::size_t used = column(table, "used", file.string());
  Names names;
  for (const auto& row : table.rows) {
    if (row[used] == "yes") names.insert(row[feature]);
  }
  return names;
}

std::vector<NamedGroup> groups_of(const std::filesystem::path& folder, const Names& wanted) {
  const std::filesystem::path file = folder / "groups.tsv";
  const TextTable table = read_tsv(file);
  const std::size_t condition = column(table, "condition", file.string());
  const std::size_t group = column(table, "group", file.string());
  const std::size_t feature = column(table, "feature", file.string());
  std::vector<NamedGroup> groups;
  for (const auto& row : table.rows) {
    if (groups.empty() || groups.back().condition != row[condition] || groups.back().id != row[group]) {
      groups.push_back({row[condition], row[group], {}});
    }
    if (wanted.contains(row[feature])) groups.back().features.insert(row[feature]);
  }
  return groups;
}

struct Candidate {
  std::size_t first = 0, second = 0;
  Index common = 0;
  double jaccard = 0;
};

// All pairs of groups of one condition that share features, the most alike first.
std::vector<Candidate> candidates(const std::vector<NamedGroup>& first, const std::vector<NamedGroup>& second) {
  std::vector<Candidate> list;
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = 0; j < second.size(); ++j) {
      if (first[i].condition != second[j].condition) continue;
      const auto common = std::ranges::count_if(
          first[i].features, [&](const std::string& name) { return second[j].features.contains(name); });
      const std::size_t either =
          first[i].features.size() + second[j].features.size() - static_cast<std::size_t>(common);
      if (common > 0) list.push_back({i, j, common, static_cast<double>(common) / static_cast<double>(either)});
    }
  }
  std::ranges::stable_sort(list, std::greater<>(), &Candidate::jaccard);
  return list;
}

}  // namespace

RunComparison compare_runs(const std::filesystem::path& first, const std::filesystem::path& second) {
  for (const auto& folder : {first, second}) {
    if (std::filesystem::is_directory(folder)) continue;
    throw InputError({.file = folder.string()}, "is no folder; the one that disc run wrote is needed");
  }
  const Names of_first = used_features(first);
  const Names of_second = used_features(second);
  RunComparison result;
  Names both;
  std::ranges::set_intersection(of_first, of_second, std::inserter(both, both.end()));
  result.features_first = static_cast<Index>(of_first.size());
  result.features_second = static_cast<Index>(of_second.size());
  result.features_both = static_cast<Index>(both.size());
  if (both.empty()) {
    throw InputError({.file = second.string()}, "used none of the features of " + first.string() +
                                                    ": only runs over the same features can be compared");
  }
  const std::vector<NamedGroup> left = groups_of(first, both);
  const std::vector<NamedGroup> right = groups_of(second, both);
  std::map<std::size_t, Candidate> partner_of;
  std::set<std::size_t> taken;
  for (const Candidate& one : candidates(left, right)) {  // each group has one partner: the best that is free
    if (partner_of.contains(one.first) || taken.contains(one.second)) continue;
    partner_of[one.first] = one;
    taken.insert(one.second);
  }
  const auto size = [](const NamedGroup& group) { return static_cast<Index>(group.features.size()); };
  for (std::size_t i = 0; i < left.size(); ++i) {
    GroupMatch match{left[i].condition, left[i].id, "", size(left[i]), 0, 0, 0};
    if (const auto found = partner_of.find(i); found != partner_of.end()) {
      const NamedGroup& partner = right[found->second.second];
      match.second = partner.id;
      match.size_second = size(partner);
      match.common = found->second.common;
      match.jaccard = found->second.jaccard;
    }
    result.matches.push_back(std::move(match));
  }
  for (std::size_t j = 0; j < right.size(); ++j) {
    if (!taken.contains(j)) result.matches.push_back({right[j].condition, "", right[j].id, 0, size(right[j]), 0, 0});
  }
  return result;
}

std::string verdict(const GroupMatch& match) {
  constexpr double same_from = 0.5;
  if (match.first.empty()) return "new";
  if (match.second.empty()) return "gone";
  return match.jaccard >= same_from ? "same" : "changed";
}

std::string comparison_tsv(const RunComparison& comparison) {
  TextTable table{{"condition", "first", "second", "verdict", "jaccard", "features_first", "features_second", "common"},
                  {}};
  for (const GroupMatch& match : comparison.matches) {
    table.rows.push_back({match.condition, match.first, match.second, verdict(match), format_number(match.jaccard),
                          std::to_string(match.size_first), std::to_string(match.size_second),
                          std::to_string(match.common)});
  }
  return encode_tsv(table);
}

}  // namespace disc
