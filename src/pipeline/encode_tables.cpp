// The tables of a run. docs/outputs.md explains every column.
#include <algorithm>

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
                          std::to_string(overlap.group + 1), overlap.set, overlap.description,
                          std::to_string(overlap.features.size()), std::to_string(overlap.group_size),
                          std::to_string(overlap.set_size), std::to_string(overlap.tested), format_number(overlap.p),
                          format_number(overlap.q), shared});
  }
  return encode_tsv(table);
}

std::string groups_tsv(const Analysis& analysis) {
  TextTable table{{"condition", "group", "feature", "weight", "stability", "core"}, {}};
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    const ConditionResult& condition = analysis.conditions[m];
    for (std::size_t g = 0; g < condition.groups.groups.size(); ++g) {
      const FeatureGroup& group = condition.groups.groups[g];
      const GroupEvidence* evidence =
          analysis.statistics ? &analysis.statistics->conditions[m].groups[g].evidence : nullptr;
      for (std::size_t i = 0; i < group.features.size(); ++i) {
        const double weight = group.weight.empty() ? condition.groups.energy[group.features[i]] : group.weight[i];
        const bool has_core = evidence != nullptr && !evidence->core.empty();
        const bool is_core = has_core && std::ranges::binary_search(evidence->core, group.features[i]);
        table.rows.push_back({condition.name, std::to_string(g + 1),
                              analysis.features[static_cast<std::size_t>(group.features[i])], format_number(weight),
                              evidence == nullptr ? "" : format_number(evidence->stability),
                              has_core ? (is_core ? "yes" : "no") : ""});
      }
    }
  }
  return encode_tsv(table);
}

// Pairs of features that are connected more strongly in a condition than in all others.
std::string pairs_tsv(const Analysis& analysis) {
  TextTable table{{"condition", "feature_a", "feature_b", "correlation", "elsewhere", "z", "z_modes", "q"}, {}};
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    if (!analysis.statistics || !analysis.statistics->conditions[m].pairs) continue;
    for (const ChangedPair& pair : analysis.statistics->conditions[m].pairs->pairs) {
      table.rows.push_back({analysis.conditions[m].name, analysis.features[static_cast<std::size_t>(pair.a)],
                            analysis.features[static_cast<std::size_t>(pair.b)], format_number(pair.here),
                            format_number(pair.elsewhere), format_number(pair.z), format_number(pair.z_modes),
                            format_number(pair.q)});
    }
  }
  return encode_tsv(table);
}

namespace {

// The groups of each feature as text; the threshold rule may put one into several.
std::vector<std::string> group_cells(const FeatureGroups& found, std::size_t features) {
  std::vector<std::string> cells(features);
  for (std::size_t g = 0; g < found.groups.size(); ++g) {
    for (const Index member : found.groups[g].features) {
      std::string& cell = cells[static_cast<std::size_t>(member)];
      cell += (cell.empty() ? "" : ",") + std::to_string(g + 1);
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
