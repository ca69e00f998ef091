// The tables of a run. docs/outputs.md explains every column.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "pipeline/encode.hpp"

namespace disc {

std::string enrichment_tsv(const Analysis& analysis) {
  TextTable table{
      {"condition", "group", "set", "description", "shared", "group_size", "set_size", "tested", "p", "q", "features"},
      {}};
  for (const SetOverlap& overlap : analysis.enrichment) {
    std::string shared;
    for (const Index feature : overlap.features) {
      shared += (shared.empty() ? "" : ",") + analysis.features[static_cast<std::size_t>(feature)];
    }
    table.rows.push_back({analysis.conditions[static_cast<std::size_t>(overlap.condition)].name,
                          group_name(analysis.conditions[static_cast<std::size_t>(overlap.condition)].groups,
                                     static_cast<std::size_t>(overlap.group)),
                          overlap.set, overlap.description, std::to_string(overlap.features.size()),
                          std::to_string(overlap.group_size), std::to_string(overlap.set_size),
                          std::to_string(overlap.tested), format_number(overlap.p), format_number(overlap.q), shared});
  }
  return encode_tsv(table);
}

std::string group_name(const FeatureGroups& found, std::size_t group) {
  std::size_t number = 0;
  std::size_t part = 0;
  for (std::size_t g = 0; g <= group; ++g) {
    const bool is_part = found.groups[g].parent >= 0;
    part = is_part ? part + 1 : 0;
    number += is_part ? 0 : 1;
  }
  return std::to_string(number) + (part > 0 ? "." + std::to_string(part) : "");
}

namespace {

// Positions of the weights, that of the largest first.
std::vector<std::size_t> by_weight(const std::vector<double>& weights) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return weights[i]; });
  return order;
}

// One row per member; what they have in common stands before and after.
void add_rows(const Analysis& analysis, std::size_t m, std::size_t g, TextTable& table) {
  const ConditionResult& condition = analysis.conditions[m];
  const FeatureGroup& group = condition.groups.groups[g];
  const bool is_tested = analysis.statistics.has_value();
  const bool has_p = is_tested && analysis.statistics->permutations > 0;
  const std::vector<Index>& core = group.evidence.core;
  const std::string parent =
      group.parent >= 0 ? group_name(condition.groups, static_cast<std::size_t>(group.parent)) : "";
  std::vector<double> weights = group.weight;
  if (weights.empty()) {
    for (const Index feature : group.features) weights.push_back(condition.groups.energy[feature]);
  }
  for (const std::size_t i : by_weight(weights)) {
    const Index feature = group.features[i];
    const std::string sign = !group.sign.empty() && group.sign[i] < 0 ? "-" : "+";
    table.rows.push_back(
        {condition.name, group_name(condition.groups, g), group.parent < 0 ? "1" : "2", parent,
         analysis.features[static_cast<std::size_t>(feature)], format_number(weights[i]), is_tested ? sign : "",
         core.empty() ? "" : (std::ranges::binary_search(core, feature) ? "yes" : "no"),
         is_tested ? format_number(group.evidence.stability) : "", has_p ? format_number(group.p) : "",
         has_p && std::isfinite(group.q) ? format_number(group.q) : "", group.is_lost() ? "lost" : "gained"});
  }
}

}  // namespace

std::string groups_tsv(const Analysis& analysis) {
  TextTable table{{"condition", "group", "level", "parent", "feature", "weight", "sign", "core", "stability", "p", "q",
                   "direction"},
                  {}};
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    for (std::size_t g = 0; g < analysis.conditions[m].groups.groups.size(); ++g) add_rows(analysis, m, g, table);
  }
  return encode_tsv(table);
}

// Pairs of features that are connected more strongly in a condition than in all others.
std::string pairs_tsv(const Analysis& analysis) {
  TextTable table{{"condition", "feature_a", "feature_b", "correlation", "elsewhere", "z", "z_low_rank", "q"}, {}};
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    if (!analysis.conditions[m].pairs_changed) continue;
    for (const ChangedPair& pair : analysis.conditions[m].pairs_changed->pairs) {
      table.rows.push_back({analysis.conditions[m].name, analysis.features[static_cast<std::size_t>(pair.a)],
                            analysis.features[static_cast<std::size_t>(pair.b)], format_number(pair.here),
                            format_number(pair.elsewhere), format_number(pair.z), format_number(pair.z_low_rank),
                            format_number(pair.q)});
    }
  }
  return encode_tsv(table);
}

namespace {

// The groups of each feature as text: of parts too, and groups may overlap.
std::vector<std::string> group_cells(const FeatureGroups& found, std::size_t features) {
  std::vector<std::string> cells(features);
  for (std::size_t g = 0; g < found.groups.size(); ++g) {
    for (const Index member : found.groups[g].features) {
      std::string& cell = cells[static_cast<std::size_t>(member)];
      cell += (cell.empty() ? "" : ",") + group_name(found, g);
    }
  }
  return cells;
}

}  // namespace

std::string features_tsv(const Analysis& analysis) {
  std::vector<std::string> columns{"feature", "used", "reason"};
  std::vector<std::vector<std::string>> groups;
  for (const ConditionResult& condition : analysis.conditions) {
    columns.push_back("energy_" + condition.name);
    columns.push_back("group_" + condition.name);
    groups.push_back(group_cells(condition.groups, analysis.features.size()));
  }
  std::string text = encode_tsv({columns, {}});
  std::vector<std::string> cells(columns.size());  // line by line: there may be very many features
  for (std::size_t j = 0; j < analysis.features.size(); ++j) {
    cells.assign({analysis.features[j], "yes", ""});
    for (std::size_t m = 0; m < groups.size(); ++m) {
      cells.push_back(format_number(analysis.conditions[m].groups.energy[static_cast<Index>(j)]));
      cells.push_back(groups[m][j]);
    }
    text += encode_tsv({cells, {}});
  }
  for (const Excluded& feature : analysis.excluded) {
    cells.assign(columns.size(), "");
    cells[0] = feature.feature;
    cells[1] = "no";
    cells[2] = feature.reason;
    text += encode_tsv({cells, {}});
  }
  return text;
}

}  // namespace disc
