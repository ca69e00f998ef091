// How every unit (donor, subject) shows every group.
#include <algorithm>
#include <map>

#include "report/run_data.hpp"

namespace disc::report {
namespace {

constexpr std::size_t max_units = 500;  // of all conditions

// Places of the columns of units.tsv.
struct Columns {
  explicit Columns(const TextTable& table) {
    const auto place = [&](const char* name) { return at(table.column(name, "units.tsv")); };
    condition = place("condition");
    group = place("group");
    unit_condition = place("unit_condition");
    unit = place("unit");
    samples = place("unit_size");
    score = place("score");
    correlation = place("mean_correlation");
  }
  std::size_t condition, group, unit_condition, unit, samples, score, correlation;
};

}  // namespace

Json describe_units(const Run& run, const std::vector<Group>& groups) {
  const TextTable table = run.files.table("units.tsv");
  const Columns columns(table);
  std::map<std::pair<std::string, std::string>, std::size_t> group_of, unit_of;
  const std::size_t drawn = std::min(groups.size(), max_drawn_groups);
  for (std::size_t g = 0; g < drawn; ++g) group_of[{run.condition_names[groups[g].condition], groups[g].id}] = g;
  Json units = Json::array();
  for (const auto& row : table.rows) {
    const auto home = std::ranges::find(run.condition_names, row[columns.unit_condition]);
    if (home == run.condition_names.end() || units.size() == max_units) continue;
    if (!unit_of.try_emplace({row[columns.unit_condition], row[columns.unit]}, units.size()).second) continue;
    units.push_back({{"name", row[columns.unit]},
                     {"condition", home - run.condition_names.begin()},
                     {"samples", cell_number(row[columns.samples])}});
  }
  if (units.empty()) return nullptr;
  const Json unknown = std::vector<Json>(units.size(), nullptr);
  std::vector<Json> correlations(drawn, unknown), scores(drawn, unknown);
  for (const auto& row : table.rows) {
    const auto group = group_of.find({row[columns.condition], row[columns.group]});
    const auto unit = unit_of.find({row[columns.unit_condition], row[columns.unit]});
    if (group == group_of.end() || unit == unit_of.end()) continue;
    correlations[group->second][unit->second] = cell_number(row[columns.correlation]);
    scores[group->second][unit->second] = cell_number(row[columns.score]);
  }
  return {{"units", std::move(units)}, {"correlations", correlations}, {"scores", scores}};
}

}  // namespace disc::report
