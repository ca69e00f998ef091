// From the files of a run to what its page shows. Everything has a limit, so that a page stays a page; the page says what is
// shown of how much.
#include "report/report_data.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "io/number.hpp"
#include "io/text_table.hpp"
#include "report/images.hpp"
#include "report/run_files.hpp"

namespace disc::report {
namespace {

constexpr std::size_t max_features = 4000;  // with their names and entries of the vectors
constexpr std::size_t max_typical = 2000;   // of them for the members of groups
constexpr std::size_t max_members = 20000;  // of all groups together
constexpr std::size_t max_excluded = 2000;
constexpr std::size_t max_candidate_names = 50;
constexpr std::size_t max_samples = 1000;  // of one condition
constexpr std::size_t max_meta_features = 60;
constexpr std::size_t max_pairs = 500;  // of one condition
constexpr std::size_t max_sets = 30;    // of one group
constexpr Index max_vectors = 6;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// A cell of a table that holds a number, or nothing.
Json cell_number(const std::string& cell) {
  double value = 0;
  const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return failure == std::errc() && end == cell.data() + cell.size() ? rounded(value) : Json(nullptr);
}

// Exactly, where cell_number() rounds for the page; 0 where there is none.
double energy_in(const std::string& cell) {
  double value = 0;
  return io::read_cell_number(cell, value) && std::isfinite(value) ? value : 0.0;
}

// What every part of the data needs to know.
struct Run {
  explicit Run(RunFiles all) : files(std::move(all)), summary(files.json("summary.json")) {
    const TextTable features = files.table("features.tsv");
    const std::size_t name = at(features.column("feature", "features.tsv"));
    const std::size_t used = at(features.column("used", "features.tsv"));
    for (const auto& row : features.rows) {
      if (row[used] == "yes") names.push_back(row[name]);
    }
    for (const Json& condition : summary.at("conditions")) {
      condition_names.push_back(tsv_cell(condition.at("name")));
      keys.push_back(condition.at("key"));
      const std::size_t column = at(features.column("energy_" + condition_names.back(), "features.tsv"));
      energy.emplace_back();
      for (const auto& row : features.rows) {
        if (row[used] == "yes") energy.back().push_back(energy_in(row[column]));
      }
    }
    for (std::size_t j = 0; j < names.size(); ++j) place_of.emplace(names[j], static_cast<Index>(j));
  }
  Index features() const { return static_cast<Index>(names.size()); }

  RunFiles files;
  Json summary;
  std::vector<std::string> names, condition_names, keys;
  std::vector<std::vector<double>> energy;  // per condition and feature
  std::unordered_map<std::string, Index> place_of;
};

struct Group {
  std::size_t condition = 0;
  std::string id;
  std::vector<std::pair<Index, double>> members{};  // by falling weight
  std::unordered_set<Index> core{};                 // members whose connections with each other are new
  bool core_known = false;
};

std::vector<Group> read_groups(const Run& run) {
  const TextTable table = run.files.table("groups.tsv");
  const std::size_t condition = at(table.column("condition", "groups.tsv"));
  const std::size_t group = at(table.column("group", "groups.tsv"));
  const std::size_t feature = at(table.column("feature", "groups.tsv"));
  const std::size_t weight = at(table.column("weight", "groups.tsv"));
  const std::size_t core = at(table.column("core", "groups.tsv"));
  std::vector<Group> groups;
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
      groups.push_back({m, row[group]});
    const Json value = cell_number(row[weight]);
    groups.back().members.emplace_back(place->second, value.is_null() ? 0.0 : value.get<double>());
    if (row[core] == "yes") groups.back().core.insert(place->second);
    groups.back().core_known |= !row[core].empty();
  }
  for (Group& one : groups) {
    std::ranges::stable_sort(one.members, std::greater<>(), [](const auto& member) { return member.second; });
  }
  return groups;
}

// How many members of each group are taken so that there are no more than about `most` of all groups.
std::size_t members_taken(const std::vector<Group>& groups, std::size_t most) {
  std::size_t members = 0;
  for (const Group& group : groups) members += group.members.size();
  return members <= most ? members : std::max<std::size_t>(20, most / groups.size());
}

// The most typical members of every group, then by energy; in the order of the file.
std::vector<Index> features_shown(const Run& run, const std::vector<Group>& groups) {
  std::vector<double> rank(run.names.size(), 0);
  for (const auto& energy : run.energy) {
    const double largest = energy.empty() ? 0.0 : *std::ranges::max_element(energy);
    for (std::size_t j = 0; j < rank.size() && largest > 0; ++j) rank[j] = std::max(rank[j], energy[j] / largest);
  }
  const std::size_t taken = members_taken(groups, max_typical);
  for (const Group& group : groups) {
    for (std::size_t i = 0; i < std::min(taken, group.members.size()); ++i) rank[at(group.members[i].first)] += 1;
  }
  std::vector<Index> shown(run.names.size());
  std::iota(shown.begin(), shown.end(), Index{0});
  if (shown.size() > max_features) {
    std::ranges::stable_sort(shown, std::greater<>(), [&](Index j) { return rank[at(j)]; });
    shown.resize(max_features);
    std::ranges::sort(shown);
  }
  return shown;
}

Json describe_groups(const Run& run, const std::vector<Group>& groups) {
  const std::size_t most = members_taken(groups, max_members);
  Json list = Json::array();
  for (const Group& group : groups) {
    Json names = Json::array();
    Json weights = Json::array();
    Json core = Json::array();
    for (std::size_t i = 0; i < std::min(most, group.members.size()); ++i) {
      const auto [member, weight] = group.members[i];
      names.push_back(run.names[at(member)]);
      weights.push_back(rounded(weight));
      if (group.core.contains(member)) core.push_back(i);
    }
    list.push_back({{"condition", group.condition},
                    {"id", group.id},
                    {"size", group.members.size()},
                    {"features", std::move(names)},
                    {"weights", std::move(weights)},
                    {"core", group.core_known ? std::move(core) : Json(nullptr)}});
  }
  return list;
}

// The group of each feature shown, or -1, in one condition: the lists of members may be shortened.
Json groups_of_shown(const Run& run, const std::vector<Group>& groups, std::size_t condition,
                     const std::vector<Index>& shown) {
  std::vector<int> group_of(run.names.size(), -1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].condition != condition) continue;
    for (const auto& [member, weight] : groups[g].members) group_of[at(member)] = static_cast<int>(g);
  }
  Json list = Json::array();
  for (const Index j : shown) list.push_back(group_of[at(j)]);
  return list;
}

Json describe_conditions(const Run& run, const std::vector<Group>& groups, const std::vector<Index>& shown) {
  Json list = Json::array();
  for (std::size_t m = 0; m < run.keys.size(); ++m) {
    const RowMatrix vectors = run.files.vectors(run.keys[m]);
    if (vectors.cols() > 0 && vectors.rows() != run.features()) throw InputError({.file = "vectors.npz"}, "does not belong to features.tsv");
    Json energy = Json::array();
    for (const Index j : shown) energy.push_back(rounded(run.energy[m][at(j)]));
    Json columns = Json::array();
    for (Index i = 0; i < std::min(max_vectors, vectors.cols()); ++i) {
      Json column = Json::array();
      for (const Index j : shown) column.push_back(rounded(vectors(j, i)));
      columns.push_back(std::move(column));
    }
    list.push_back({{"energy", std::move(energy)},
                    {"vectors", std::move(columns)},
                    {"group", groups_of_shown(run, groups, m, shown)}});
  }
  return list;
}

// Both triangles are the same: rows of the lower one, without the diagonal where it is about single features.
Json lower_triangle(const RowMatrix& matrix) {
  Json values = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) values.push_back(rounded(matrix(i, j), 3));
  }
  return values;
}

Json describe_weights(const Run& run, const std::vector<Group>& groups) {
  const std::vector<Index> order = run.files.places("figure_data.npz", "order", run.features());
  const std::vector<Index> begins = run.files.places("figure_data.npz", "line_begin", run.features() + 1);
  std::vector<int> group_of(run.names.size(), -1);
  for (std::size_t g = groups.size(); g-- > 0;) {  // the first group that lists a feature counts
    for (const auto& [member, weight] : groups[g].members) group_of[at(member)] = static_cast<int>(g);
  }
  Json lines = Json::array();
  for (std::size_t line = 0; line + 1 < begins.size(); ++line) {
    if (begins[line] >= begins[line + 1] || begins[line + 1] > static_cast<Index>(order.size())) {
      throw InputError({.file = "figure_data.npz"}, "array 'line_begin' does not rise up to the number of features");
    }
    const Index first = order[at(begins[line])];
    lines.push_back({{"first", run.names[at(first)]},
                     {"last", run.names[at(order[at(begins[line + 1]) - 1])]},
                     {"features", begins[line + 1] - begins[line]},
                     {"group", group_of[at(first)]}});
  }
  Json matrices = Json::array();
  for (const std::string& key : run.keys) {
    const RowMatrix weights = run.files.array("figure_data.npz", "weights_" + key);
    if (weights.rows() != static_cast<Index>(lines.size()) || weights.cols() != weights.rows()) {
      throw InputError({.file = "figure_data.npz"},
                       "array 'weights_" + key + "' has not as many lines as 'line_begin' says");
    }
    matrices.push_back(lower_triangle(weights));
  }
  return {{"lines", std::move(lines)}, {"conditions", std::move(matrices)}};
}

// Up to 60 groups have a picture: those listed first.
Json describe_graphs(const Run& run, const std::vector<Group>& groups) {
  Json list = Json::array();
  for (std::size_t g = 0; g < std::min(groups.size(), max_meta_features); ++g) {
    const std::string name = run.keys[groups[g].condition] + "_" + groups[g].id;
    const std::vector<Index> members = run.files.places("figure_data.npz", "members_" + name, run.features());
    const Index count = static_cast<Index>(members.size());
    const RowMatrix weights = run.files.array("figure_data.npz", "group_" + name);
    if (weights.cols() != count || weights.rows() != count * static_cast<Index>(run.keys.size())) {
      throw InputError({.file = "figure_data.npz"}, "array 'group_" + name + "' does not belong to its 'members_'");
    }
    Json names = Json::array();
    for (const Index member : members) names.push_back(run.names[at(member)]);
    Json matrices = Json::array();
    for (Index m = 0; m < static_cast<Index>(run.keys.size()); ++m) {
      matrices.push_back(lower_triangle(weights.middleRows(m * count, count)));
    }
    list.push_back({{"features", std::move(names)}, {"conditions", std::move(matrices)}});
  }
  return list;
}

// Calls f(line, condition) for the lines below the header; the condition is that of the first cell, or past the last one.
template <class Function>
void for_each_sample(const Run& run, Function&& f) {
  const std::string_view text = run.files.text("samples.tsv");
  for (std::size_t begin = std::min(text.find('\n'), text.size() - 1) + 1; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const auto name = std::ranges::find(run.condition_names, line.substr(0, line.find('\t')));
    f(line, static_cast<std::size_t>(name - run.condition_names.begin()));
    begin = end + 1;
  }
}

// How many samples a condition has, and a table of some of them, evenly spaced. There may be very many: only these are taken apart.
struct SomeSamples {
  std::vector<std::size_t> total;
  TextTable table;
};

SomeSamples some_samples(const Run& run) {
  SomeSamples samples{std::vector<std::size_t>(run.condition_names.size() + 1), {}};
  for_each_sample(run, [&](std::string_view, std::size_t m) { ++samples.total[m]; });
  const std::string_view all = run.files.text("samples.tsv");
  std::string some(all.substr(0, all.find('\n')));
  some += '\n';
  std::vector<std::size_t> seen(samples.total.size()), kept(samples.total.size());
  for_each_sample(run, [&](std::string_view line, std::size_t m) {
    if (seen[m]++ != kept[m] * samples.total[m] / std::min(samples.total[m], max_samples)) return;
    ++kept[m];
    some.append(line) += '\n';
  });
  samples.table = decode_tsv(some, "samples.tsv");
  return samples;
}

Json describe_samples(const Run& run) {
  const SomeSamples samples = some_samples(run);
  const TextTable& table = samples.table;
  constexpr std::size_t columns_before_groups = 4;
  const std::size_t columns = std::min(table.columns.size(), columns_before_groups + max_meta_features);
  if (columns < columns_before_groups) throw InputError({.file = "samples.tsv"}, "has fewer than four columns");
  Json list = Json::array();
  for (std::size_t m = 0; m < run.condition_names.size(); ++m) {
    Json names = Json::array();
    std::vector<Json> numbers(columns - 2, Json::array());
    for (const std::vector<std::string>& row : table.rows) {
      if (row[0] != run.condition_names[m]) continue;
      names.push_back(row[1]);
      for (std::size_t column = 2; column < columns; ++column) numbers[column - 2].push_back(cell_number(row[column]));
    }
    Json meta_features = Json::array();
    for (std::size_t k = 2; k < numbers.size(); ++k) meta_features.push_back(std::move(numbers[k]));
    list.push_back({{"total", samples.total[m]},
                    {"names", std::move(names)},
                    {"x", std::move(numbers[0])},
                    {"y", std::move(numbers[1])},
                    {"metaFeatures", std::move(meta_features)}});
  }
  return list;
}

// The sets that come first for each group; the table has them by falling significance.
Json describe_enrichment(const Run& run) {
  const TextTable table = run.files.table("enrichment.tsv");
  const std::size_t condition = at(table.column("condition", "enrichment.tsv"));
  const std::size_t group = at(table.column("group", "enrichment.tsv"));
  std::map<std::pair<std::string, std::string>, std::size_t> listed;
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    if (listed[{row[condition], row[group]}]++ < max_sets) rows.push_back(row);
  }
  return {{"columns", table.columns}, {"rows", std::move(rows)}};
}

// Single pairs that changed, the first of each condition; the table has the strongest first.
Json describe_pairs(const Run& run) {
  const TextTable table = run.files.table("pairs.tsv");
  const std::size_t condition = at(table.column("condition", "pairs.tsv"));
  std::map<std::string, std::size_t> listed;
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    if (listed[row[condition]]++ < max_pairs) rows.push_back(row);
  }
  return {{"columns", table.columns}, {"rows", std::move(rows)}, {"total", table.rows.size()}};
}

// Keeps the first entries of a list; returns how many there were.
std::size_t cut(Json& list, std::size_t most) {
  const std::size_t before = list.size();
  if (before > most) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
  return before;
}

// The lists in summary.json that grow with the number of features.
void shorten(Json& summary) {
  const std::size_t excluded = cut(summary.at("features").at("excluded"), max_excluded);
  summary["features"]["excluded_total"] = excluded;
  for (Json& condition : summary.at("conditions")) {
    if (!condition.contains("candidates")) continue;
    for (Json& candidate : condition["candidates"]) cut(candidate.at("features"), max_candidate_names);
  }
}

Json assemble(Run& run) {
  const std::vector<Group> groups = read_groups(run);
  const std::vector<Index> shown = features_shown(run, groups);
  Json names = Json::array();
  for (const Index j : shown) names.push_back(run.names[at(j)]);
  const bool has_figure_data = run.files.has("figure_data.npz");
  Json data = {{"features", {{"total", run.features()}, {"names", std::move(names)}, {"places", shown}}},
               {"conditions", describe_conditions(run, groups, shown)},
               {"groups", describe_groups(run, groups)},
               {"weights", has_figure_data ? describe_weights(run, groups) : Json(nullptr)},
               {"graphs", has_figure_data ? describe_graphs(run, groups) : Json::array()},
               {"samples", run.files.has("samples.tsv") ? describe_samples(run) : Json::array()},
               {"images", nullptr},
               {"enrichment", run.files.has("enrichment.tsv") ? describe_enrichment(run) : Json(nullptr)},
               {"pairs", run.files.has("pairs.tsv") ? describe_pairs(run) : Json(nullptr)}};
  const Json& shape = run.summary.at("settings").at("used").value("shape", Json(nullptr));
  if (has_figure_data && shape.is_string()) {
    std::vector<std::vector<std::vector<Index>>> members(run.keys.size());
    for (const Group& group : groups) {
      members[group.condition].emplace_back();
      for (const auto& [member, weight] : group.members) members[group.condition].back().push_back(member);
    }
    data["images"] = describe_images(run.files, run.keys, members, shape, run.features());
  }
  shorten(run.summary);
  data["summary"] = std::move(run.summary);
  return data;
}

}  // namespace

Json report_data(const std::vector<OutputFile>& files) { return report_data(files_in_memory(files)); }

Json report_data(RunFiles files) {
  try {
    Run run(std::move(files));
    return assemble(run);
  } catch (const Json::exception& error) {  // a field that is missing, or has another type
    throw InputError({.file = "summary.json"}, std::string("is not what disc run writes: ") + error.what());
  }
}

}  // namespace disc::report
