// Named sets that agree with groups, and pairs that changed.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>

#include "report/images.hpp"
#include "report/run_data.hpp"

namespace disc::report {
namespace {

constexpr std::size_t max_pairs = 500;  // of one condition
constexpr std::size_t max_sets = 30;    // of one group

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

// That at least `shared` of `size` features drawn from `tested` are among `set_size`: the tail of the hypergeometric law.
double chance_of(Index shared, Index size, Index set_size, Index tested) {
  double sum = 0;
  for (Index k = shared; k <= std::min(size, set_size); ++k) {
    if (size - k > tested - set_size) continue;
    const auto n = [](Index value) { return static_cast<double>(value); };
    sum += std::exp(log_choose(n(set_size), n(k)) + log_choose(n(tested - set_size), n(size - k)) -
                    log_choose(n(tested), n(size)));
  }
  return std::min(1.0, sum);
}

// False discovery rates of some p-values among `total`, of which the others are 1 (Benjamini & Hochberg).
std::vector<double> false_discovery_rates(const std::vector<double>& p, double total) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater<>(), [&](std::size_t i) { return p[i]; });
  std::vector<double> q(p.size());
  double smallest = 1;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    smallest = std::min(smallest, p[order[rank]] * total / static_cast<double>(order.size() - rank));
    q[order[rank]] = smallest;
  }
  return q;
}

// How many comparisons were made: the table leaves out sets that share nothing. q = p * comparisons / rank for the rows that
// decide, and less for all others.
double comparisons(std::vector<std::pair<double, double>> p_and_q) {
  std::ranges::sort(p_and_q);
  auto most = static_cast<double>(p_and_q.size());
  for (std::size_t rank = 0; rank < p_and_q.size(); ++rank) {
    const auto [p, q] = p_and_q[rank];
    if (p > 0) most = std::max(most, std::round(q * static_cast<double>(rank + 1) / p));
  }
  return most;
}

struct SetTable {
  explicit SetTable(TextTable all) : table(std::move(all)) {}
  std::size_t place(const char* name) const { return at(table.column(name, "enrichment.tsv")); }
  Index number(const std::vector<std::string>& row, const char* name) const {
    const Json value = cell_number(row[place(name)]);
    return value.is_number() ? value.get<Index>() : 0;
  }
  bool has(const std::string& name) const { return std::ranges::find(table.columns, name) != table.columns.end(); }
  TextTable table;
};

// How many features of the core of its group a row shares, or nothing where the core is not known.
std::vector<std::optional<Index>> shared_with_cores(const SetTable& sets, const Run& run,
                                                    const std::vector<Group>& groups, std::vector<double>& p) {
  std::vector<std::optional<Index>> shared;
  for (const auto& row : sets.table.rows) {
    const auto group = std::ranges::find_if(groups, [&](const Group& one) {
      return run.condition_names[one.condition] == row[sets.place("condition")] && one.id == row[sets.place("group")];
    });
    shared.emplace_back();
    p.push_back(1);
    if (group == groups.end() || group->core.empty() || group->core.size() == group->members.size()) continue;
    Index count = 0;
    std::istringstream features(row[sets.place("features")]);
    for (std::string name; std::getline(features, name, ',');) {
      const auto place = run.place_of.find(name);
      count += place != run.place_of.end() && group->core.contains(place->second) ? 1 : 0;
    }
    shared.back() = count;
    p.back() = chance_of(count, static_cast<Index>(group->core.size()), sets.number(row, "set_size"),
                         sets.number(row, "tested"));
  }
  return shared;
}

// Adds columns core_shared and core_q: how well each set agrees with the core of the group.
void add_cores(SetTable& sets, const Run& run, const std::vector<Group>& groups) {
  for (const char* name : {"features", "set_size", "tested", "p", "q"}) {
    if (!sets.has(name)) return;
  }
  std::vector<double> p;
  const std::vector<std::optional<Index>> shared = shared_with_cores(sets, run, groups, p);
  std::vector<std::pair<double, double>> given;
  for (const auto& row : sets.table.rows) {
    const Json row_p = cell_number(row[sets.place("p")]);
    const Json row_q = cell_number(row[sets.place("q")]);
    if (row_p.is_number() && row_q.is_number()) given.emplace_back(row_p.get<double>(), row_q.get<double>());
  }
  const std::vector<double> q = false_discovery_rates(p, comparisons(std::move(given)));
  sets.table.columns.insert(sets.table.columns.end(), {"core_shared", "core_q"});
  for (std::size_t i = 0; i < sets.table.rows.size(); ++i) {
    sets.table.rows[i].push_back(shared[i] ? std::to_string(*shared[i]) : "");
    sets.table.rows[i].push_back(shared[i] ? format_number(q[i]) : "");
  }
}

}  // namespace

// The sets that come first for each group; the table has them by falling significance.
Json describe_enrichment(const Run& run, const std::vector<Group>& groups) {
  SetTable sets(run.files.table("enrichment.tsv"));
  add_cores(sets, run, groups);
  const std::size_t condition = sets.place("condition");
  const std::size_t group = sets.place("group");
  const std::size_t core = sets.has("core_q") ? sets.place("core_q") : 0;
  std::map<std::pair<std::string, std::string>, std::size_t> listed;
  constexpr double significant = 0.05;
  Json rows = Json::array();
  for (const auto& row : sets.table.rows) {
    const Json core_q = core > 0 ? cell_number(row[core]) : Json(nullptr);
    const bool core_counts = core_q.is_number() && core_q.get<double>() <= significant;
    if (listed[{row[condition], row[group]}]++ < max_sets || core_counts) rows.push_back(row);
  }
  return {{"columns", sets.table.columns}, {"rows", std::move(rows)}};
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
  constexpr double level = 0.05;
  const auto q = static_cast<std::size_t>(std::ranges::find(table.columns, "q") - table.columns.begin());
  const auto changed = std::ranges::count_if(table.rows, [&](const auto& row) {
    const Json value = q < row.size() ? cell_number(row[q]) : Json(nullptr);
    return value.is_number() && value.template get<double>() <= level;
  });
  return {{"columns", table.columns}, {"rows", std::move(rows)}, {"total", table.rows.size()}, {"changed", changed}};
}

}  // namespace disc::report
