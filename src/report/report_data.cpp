// From the files of a run to what its page shows. Everything has a limit, so that a page stays a page; the page says what is
// shown of how much.
#include "report/report_data.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>

#include "report/images.hpp"
#include "report/run_data.hpp"

namespace disc::report {
namespace {

constexpr std::size_t max_features = 4000;  // with their names and entries of the vectors
constexpr std::size_t max_typical = 2000;   // of them for the members of groups
constexpr std::size_t max_excluded = 2000;
constexpr std::size_t max_reasons = 10;
constexpr std::size_t max_candidate_names = 50;
constexpr Index max_vectors = 6;

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

// The group of each feature shown, or -1, in one condition: the lists of members may be shortened.
Json groups_of_shown(const Run& run, const std::vector<Group>& groups, std::size_t condition,
                     const std::vector<Index>& shown) {
  std::vector<int> group_of(run.names.size(), -1);
  for (std::size_t g = groups.size(); g-- > 0;) {  // a group stands before its parts
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
    if (vectors.cols() > 0 && vectors.rows() != run.features()) {
      throw InputError({.file = "vectors.npz"}, "does not belong to features.tsv");
    }
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

Json describe_weights(const Run& run, const std::vector<Group>& groups) {
  const std::vector<Index> order = run.files.places("figure_data.npz", "order", run.features());
  const std::vector<Index> begins = run.files.places("figure_data.npz", "bin_start", run.features() + 1);
  std::vector<Json> groups_of(run.names.size(), Json::array());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const auto& [member, weight] : groups[g].members) groups_of[at(member)].push_back(g);
  }
  Json lines = Json::array();
  for (std::size_t line = 0; line + 1 < begins.size(); ++line) {
    if (begins[line] >= begins[line + 1] || begins[line + 1] > static_cast<Index>(order.size())) {
      throw InputError({.file = "figure_data.npz"}, "array 'bin_start' does not rise up to the number of features");
    }
    const Index first = order[at(begins[line])];
    lines.push_back({{"first", run.names[at(first)]},
                     {"last", run.names[at(order[at(begins[line + 1]) - 1])]},
                     {"features", begins[line + 1] - begins[line]},
                     {"groups", groups_of[at(first)]}});
  }
  Json matrices = Json::array();
  for (const std::string& key : run.keys) {
    const RowMatrix weights = run.files.array("figure_data.npz", "weights_" + key);
    if (weights.rows() != static_cast<Index>(lines.size()) || weights.cols() != weights.rows()) {
      throw InputError({.file = "figure_data.npz"},
                       "array 'weights_" + key + "' has not as many lines as 'bin_start' says");
    }
    matrices.push_back(lower_triangle(weights));
  }
  return {{"lines", std::move(lines)}, {"conditions", std::move(matrices)}};
}

// Keeps the first entries of a list; returns how many there were.
std::size_t cut(Json& list, std::size_t most) {
  const std::size_t before = list.size();
  if (before > most) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
  return before;
}

// The lists in summary.json that grow with the number of features.
void shorten(Json& summary) {
  std::map<std::string, std::size_t> reasons;
  for (const Json& one : summary.at("features").at("excluded")) ++reasons[one.at("reason").get<std::string>()];
  std::vector<std::pair<std::size_t, std::string>> by_number;
  for (const auto& [reason, number] : reasons) by_number.emplace_back(number, reason);
  std::ranges::sort(by_number, std::greater<>());
  summary["features"]["excluded_reasons"] = Json::array();
  for (const auto& [number, reason] : by_number | std::views::take(max_reasons)) {
    summary["features"]["excluded_reasons"].push_back({{"reason", reason}, {"features", number}});
  }
  const std::size_t excluded = cut(summary.at("features").at("excluded"), max_excluded);
  summary["features"]["excluded_total"] = excluded;
  for (Json& condition : summary.at("conditions")) {
    if (!condition.contains("candidates")) continue;
    for (Json& candidate : condition["candidates"]) {
      if (candidate.contains("features")) cut(candidate["features"], max_candidate_names);
    }
  }
}

Json assemble(Run& run) {
  const std::vector<Group> groups = read_groups(run);
  const std::vector<Index> shown = features_shown(run, groups);
  Json names = Json::array();
  for (const Index j : shown) names.push_back(run.names[at(j)]);
  const bool has_figure_data = run.files.has("figure_data.npz");
  normalize_groups(run.summary, groups);
  Json data = {{"features", {{"total", run.features()}, {"names", std::move(names)}, {"places", shown}}},
               {"conditions", describe_conditions(run, groups, shown)},
               {"groups", describe_groups(run, groups)},
               {"weights", has_figure_data ? describe_weights(run, groups) : Json(nullptr)},
               {"graphs", has_figure_data ? describe_graphs(run, groups) : Json::array()},
               {"samples", run.files.has("samples.tsv") ? describe_samples(run) : Json::array()},
               {"units", run.files.has("units.tsv") ? describe_units(run, groups) : Json(nullptr)},
               {"values", has_figure_data ? describe_values(run) : Json(nullptr)},
               {"partners", has_figure_data ? describe_partners(run, shown) : Json(nullptr)},
               {"images", nullptr},
               {"enrichment", run.files.has("enrichment.tsv") ? describe_enrichment(run, groups) : Json(nullptr)},
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
