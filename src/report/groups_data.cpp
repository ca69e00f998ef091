// The groups of a run as the page shows them. What summary.json says of a group differs between versions of the program; from here
// on it is one form.
#include <algorithm>

#include "io/text_table.hpp"
#include "report/images.hpp"
#include "report/run_data.hpp"

namespace disc::report {
namespace {

constexpr std::size_t max_members = 20000;  // of all groups together

// Evidence per condition: a list with the names of the conditions, or intervals in the order of the conditions.
Json evidence_of(const Json& group, const Json& conditions) {
  if (group.contains("conditions")) return group["conditions"];
  if (!group.contains("mean_correlation") || !group["mean_correlation"].is_array()) return nullptr;
  Json list = Json::array();
  for (std::size_t m = 0; m < group["mean_correlation"].size() && m < conditions.size(); ++m) {
    const Json& interval = group["mean_correlation"][m];
    list.push_back({{"condition", conditions[m].at("name")},
                    {"mean_correlation", interval.value("value", Json(nullptr))},
                    {"mean_correlation_low", interval.value("low", Json(nullptr))},
                    {"mean_correlation_high", interval.value("high", Json(nullptr))}});
    if (group.contains("conductance") && m < group["conductance"].size()) {
      list.back()["conductance"] = group["conductance"][m];
    }
  }
  return list;
}

Json edges_of(const Json& group) {
  Json list = Json::array();
  for (const Json& edge : group.value("edges", group.value("edges_gained", Json::array()))) {
    list.push_back({{"a", edge.at("a")},
                    {"b", edge.at("b")},
                    {"here", edge.value("here", edge.value("correlation", Json(nullptr)))},
                    {"elsewhere", edge.value("elsewhere", Json(nullptr))}});
  }
  return list;
}

// "STIM-1", whether the file says so or "1" in condition STIM; "9 group 1" where the condition is a number itself, as a digit of MNIST is.
std::string label_of(const std::string& condition, const std::string& id) {
  constexpr const char* number = "0123456789.";
  if (id.find_first_not_of(number) != std::string::npos) return id;
  const bool is_number = condition.find_first_not_of(number) == std::string::npos;
  return condition + (is_number ? " group " : "-") + id;
}

Json normalized(const Json& group, const std::string& condition, const Json& conditions) {
  Json one = group;
  const Json given = group.value("id", Json(""));
  const std::string id = given.is_string() ? given.get<std::string>() : given.dump();
  one["label"] = label_of(condition, id);
  one["id"] = id;
  for (const auto& [field, otherwise] : {std::pair<const char*, Json>{"level", 1},
                                         {"parent", nullptr},
                                         {"direction", "gained"},
                                         {"significant", true}}) {
    if (!group.contains(field)) one[field] = otherwise;
  }
  one["conditions"] = evidence_of(group, conditions);
  one["edges"] = edges_of(group);
  if (group.contains("core") && group["core"].is_array()) one["core_size"] = group["core"].size();
  for (const char* field : {"core", "mean_correlation", "edges_gained", "conductance"}) one.erase(field);
  return one;
}

}  // namespace

std::vector<Group> read_groups(const Run& run) {
  const TextTable table = run.files.table("groups.tsv");
  const std::size_t condition = at(table.column("condition", "groups.tsv"));
  const std::size_t group = at(table.column("group", "groups.tsv"));
  const std::size_t feature = at(table.column("feature", "groups.tsv"));
  const std::size_t weight = at(table.column("weight", "groups.tsv"));
  const std::size_t core = at(table.column("core", "groups.tsv"));
  const auto sign = static_cast<std::size_t>(std::ranges::find(table.columns, "sign") - table.columns.begin());
  std::vector<Group> groups;
  std::vector<std::size_t> groups_in(run.condition_names.size());
  for (const auto& row : table.rows) {
    const auto m =
        static_cast<std::size_t>(std::ranges::find(run.condition_names, row[condition]) - run.condition_names.begin());
    const auto place = run.place_of.find(row[feature]);
    if (m == run.condition_names.size() || place == run.place_of.end()) {
      throw InputError({.file = "groups.tsv", .value = row[feature]}, "names the condition '" + row[condition] +
                                                                          "' or the feature '" + row[feature] +
                                                                          "', which the run did not have");
    }
    if (groups.empty() || groups.back().condition != m || groups.back().id != row[group])
      groups.push_back({m, row[group], ++groups_in[m]});
    const Json value = cell_number(row[weight]);
    groups.back().members.emplace_back(place->second, value.is_null() ? 0.0 : value.get<double>());
    if (sign < row.size() && row[sign].starts_with('-')) groups.back().opposite.insert(place->second);
    if (row[core] == "yes") groups.back().core.insert(place->second);
    groups.back().core_known |= !row[core].empty();
  }
  for (Group& one : groups) {
    std::ranges::stable_sort(one.members, std::greater<>(), [](const auto& member) { return member.second; });
  }
  return groups;
}

void normalize_groups(Json& summary, const std::vector<Group>& groups) {
  const Json conditions = summary.at("conditions");
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    Json& condition = summary["conditions"][m];
    if (!condition.contains("groups")) continue;
    Json listed = Json::array();
    Json candidates = condition.value("candidates", Json::array());
    for (const Json& group : condition["groups"]) {
      Json one = normalized(group, condition.at("name"), conditions);
      const bool is_listed = std::ranges::any_of(groups, [&](const Group& known) {
        return known.condition == m && known.id == tsv_cell(one["id"].get<std::string>());
      });
      (is_listed ? listed : candidates).push_back(std::move(one));
    }
    for (const Group& group : groups) {
      const auto is_it = [&](const Json& one) { return tsv_cell(one["id"].get<std::string>()) == group.id; };
      if (group.condition != m || std::ranges::any_of(listed, is_it)) continue;
      throw InputError({.file = "groups.tsv", .value = group.id},
                       "names group '" + group.id + "', which summary.json does not have");
    }
    condition["groups"] = std::move(listed);
    condition["candidates"] = std::move(candidates);
  }
}

// How many members of each group are taken so that there are no more than about `most` of all groups.
std::size_t members_taken(const std::vector<Group>& groups, std::size_t most) {
  std::size_t members = 0;
  for (const Group& group : groups) members += group.members.size();
  return members <= most ? members : std::max<std::size_t>(20, most / groups.size());
}

Json describe_groups(const Run& run, const std::vector<Group>& groups) {
  const std::size_t most = members_taken(groups, max_members);
  Json list = Json::array();
  for (const Group& group : groups) {
    Json names = Json::array();
    Json weights = Json::array();
    Json core = Json::array();
    Json opposite = Json::array();
    for (std::size_t i = 0; i < std::min(most, group.members.size()); ++i) {
      const auto [member, weight] = group.members[i];
      names.push_back(run.names[at(member)]);
      weights.push_back(rounded(weight));
      if (group.core.contains(member)) core.push_back(i);
      if (group.opposite.contains(member)) opposite.push_back(i);
    }
    list.push_back({{"condition", group.condition},
                    {"id", group.id},
                    {"size", group.members.size()},
                    {"features", std::move(names)},
                    {"weights", std::move(weights)},
                    {"number", group.number},
                    {"opposite", std::move(opposite)},
                    {"core", group.core_known ? std::move(core) : Json(nullptr)}});
  }
  return list;
}

namespace {

// Several matrices that stand one below the other in an archive, as triangles.
Json triangles(const Run& run, const std::string& array, std::size_t members) {
  const auto count = static_cast<Index>(members);
  const auto conditions = static_cast<Index>(run.keys.size());
  const RowMatrix stacked = run.files.array("figure_data.npz", array);
  if (stacked.rows() != conditions * count || stacked.cols() != count) {
    throw InputError({.file = "figure_data.npz"}, "array '" + array + "' does not have the size of its members");
  }
  Json list = Json::array();
  for (Index m = 0; m < conditions; ++m) list.push_back(lower_triangle(stacked.middleRows(m * count, count)));
  return list;
}

}  // namespace

Json describe_graphs(const Run& run, const std::vector<Group>& groups) {
  Json list = Json::array();
  const bool has_correlations = run.files.has_array("figure_data.npz", "values_" + run.keys.front());
  for (std::size_t g = 0; g < std::min(groups.size(), max_drawn_groups); ++g) {
    const std::string name = run.keys[groups[g].condition] + "_" + groups[g].id;
    const std::vector<Index> members = run.files.places("figure_data.npz", "members_" + name, run.features());
    Json names = Json::array();
    for (const Index member : members) names.push_back(run.names[at(member)]);
    Json core = nullptr;
    Json correlations = nullptr;
    if (has_correlations) {
      correlations = triangles(run, "correlations_" + name, members.size());
      core = Json::array();
      const RowMatrix means = run.files.array("figure_data.npz", "core_correlation_" + name);
      for (Index m = 0; m < means.size(); ++m) core.push_back(rounded(means.data()[m], 3));
    }
    list.push_back({{"features", std::move(names)},
                    {"conditions", triangles(run, "group_" + name, members.size())},
                    {"correlations", std::move(correlations)},
                    {"coreCorrelation", std::move(core)}});
  }
  return list;
}

}  // namespace disc::report
