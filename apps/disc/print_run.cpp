#include "print_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "console.hpp"
#include "disc/report.hpp"
#include "terminal.hpp"

namespace disc::app {
namespace {

std::string significant(double value, int digits) {
  std::ostringstream text;
  text << std::setprecision(digits) << value;
  return text.str();
}

std::string two_decimals(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << (std::abs(value) < 0.005 ? 0.0 : value);
  return text.str();
}

// How sure it is, and by how much the connection differs.
std::string evidence_of(const FeatureGroup& group, std::size_t condition,
                        const std::vector<ConditionResult>& conditions) {
  std::string text = " (p " + significant(group.p, 2);
  if (group.p_tail) text += ", extrapolated " + significant(*group.p_tail, 2);
  const auto& means = group.evidence.mean_correlation;
  for (std::size_t m = 0; m < means.size(); ++m) {
    text += (m == 0 ? "; mean correlation " : ", ") + two_decimals(means[m].value) + " in " + conditions[m].name;
  }
  if (!means.empty() && means[condition].value > 0 && group.view.kind == ViewKind::separation) {
    text += "; set apart from others it belongs to elsewhere";
  }
  return text + ")";
}

// As the report lists them.
std::vector<Index> most_typical_first(const FeatureGroup& group) {
  std::vector<std::size_t> order(group.features.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (group.weight.size() == order.size())
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return group.weight[i]; });
  std::vector<Index> members;
  for (const std::size_t i : order) members.push_back(group.features[i]);
  return members;
}

void print_group(const std::string& name, const FeatureGroup& group, const std::vector<std::string>& features,
                 const std::string& evidence) {
  constexpr std::size_t shown = 8;
  const bool is_number = name.find_first_not_of("0123456789.") == std::string::npos;
  std::string line = (!is_number         ? "  "
                      : group.parent < 0 ? "  group "
                                         : "    part ") +
                     name + ": " + std::to_string(group.features.size()) + " features" + evidence + ": ";
  const std::vector<Index> members = most_typical_first(group);
  for (std::size_t i = 0; i < std::min(shown, members.size()); ++i) {
    line += (i > 0 ? ", " : "") + features[static_cast<std::size_t>(members[i])];
  }
  std::cout << wrapped(line + (members.size() > shown ? ", ..." : ""), columns_of(STDOUT_FILENO, 0), 4) << "\n";
}

// What was exchanged: the first thing to doubt about a p-value.
void print_design(const Statistics& statistics, const std::string& unit) {
  std::cout << "p-values: " << (statistics.exact ? "all " : "") << statistics.permutations
            << (statistics.permutations == 1 ? " permutation of " : " permutations of ") << statistics.units_in_design
            << (statistics.samples_are_units ? " samples" : " units") << (unit.empty() ? "" : " (" + unit + ")")
            << (statistics.stopped_early ? ", stopped early" : "") << "; smallest possible "
            << significant(statistics.min_p, 2) << "\n";
  if (statistics.samples_are_units) {
    std::cout
        << "  every sample counts as independent; if some belong together (cells of a donor), say so with --unit\n";
  }
}

void print_step(const PreparationStep& step) {
  std::cout << "prepared: " << step.step << ": " << step.count << " " << step.changed
            << (step.condition.empty() ? "" : " in " + step.condition) << "\n";
}

// The named sets that agree best with a group.
void print_sets(const Analysis& analysis, std::size_t condition, std::size_t group) {
  constexpr int shown = 3;
  int count = 0;
  for (const SetOverlap& overlap : analysis.enrichment) {
    const bool is_here =
        overlap.condition == static_cast<Index>(condition) && overlap.group == static_cast<Index>(group);
    if (!is_here || overlap.q > 0.05 || count == shown) continue;
    ++count;
    std::cout << "    " << overlap.set << ": " << overlap.features.size() << " of " << overlap.set_size << ", q "
              << significant(overlap.q, 2) << "\n";
  }
}

// Nothing found: what could have been, and what came closest.
void print_power(const Analysis& analysis) {
  const auto has_groups = [](const ConditionResult& condition) { return !condition.groups.groups.empty(); };
  if (!analysis.statistics || analysis.statistics->permutations == 0) return;
  if (std::ranges::any_of(analysis.conditions, has_groups)) return;
  Index fewest = analysis.conditions.front().samples;
  const FeatureGroup* closest = nullptr;
  for (const ConditionResult& condition : analysis.conditions) {
    fewest = std::min(fewest, condition.samples);
    for (const FeatureGroup& candidate : condition.candidates) {
      if (closest == nullptr || candidate.p < closest->p) closest = &candidate;
    }
  }
  // A single pair, found with a probability of 80 % at a level of 1e-4: the report says the same.
  const double smallest = std::tanh((3.89 + 0.84) / std::sqrt(static_cast<double>(std::max<Index>(4, fewest) - 3)));
  std::cout << "what could have been seen: with " << fewest
            << " samples in the smallest condition a single pair stands out from a correlation of about "
            << two_decimals(smallest) << " on, groups from less, the more members they have\n";
  if (closest != nullptr) {
    print_group("closest candidate", *closest, analysis.features, " (p " + significant(closest->p, 2) + ")");
  }
}

}  // namespace

void print_result(const Analysis& analysis, const std::filesystem::path& folder) {
  const CleanOutput clean;
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    const ConditionResult& condition = analysis.conditions[m];
    if (!condition.is_target) continue;
    const auto count =
        std::ranges::count_if(condition.groups.groups, [](const FeatureGroup& group) { return group.parent < 0; });
    std::cout << condition.name << ": " << count << (count == 1 ? " group" : " groups")
              << " of features connected here and not elsewhere\n";
    std::size_t number = 0;
    std::size_t part = 0;
    for (std::size_t g = 0; g < condition.groups.groups.size(); ++g) {
      const bool tested = analysis.statistics && analysis.statistics->permutations > 0;
      const bool is_part = condition.groups.groups[g].parent >= 0;
      number += is_part ? 0 : 1;
      part = is_part ? part + 1 : 0;
      print_group(std::to_string(number) + (is_part ? "." + std::to_string(part) : ""), condition.groups.groups[g],
                  analysis.features, tested ? evidence_of(condition.groups.groups[g], m, analysis.conditions) : "");
      print_sets(analysis, m, g);
    }
  }
  print_power(analysis);
  if (analysis.statistics && analysis.statistics->permutations > 0) {
    print_design(*analysis.statistics, analysis.used.design.unit);
  }
  for (const PreparationStep& step : analysis.preparation) print_step(step);
  if (!analysis.excluded.empty()) {
    const Excluded& first = analysis.excluded.front();
    std::cout << "excluded: " << analysis.excluded.size() << " of " << analysis.total_features << " features, such as "
              << first.feature << " (" << first.reason << "); features.tsv lists them\n";
  }
  for (const std::string& warning : analysis.warnings) {
    std::cout << wrapped("warning: " + warning, columns_of(STDOUT_FILENO, 0), 2) << "\n";
  }
  std::error_code ignored;
  const bool has_map = std::filesystem::exists(folder / "maps.tif", ignored);
  std::cout << "results: " << (folder / "").string() << " (groups.tsv, features.tsv, pairs.tsv, "
            << (analysis.used.genesets.empty() ? "" : "enrichment.tsv, ") << (has_map ? "maps.tif, " : "")
            << "samples.tsv, units.tsv, summary.json, vectors.npz, figure_data.npz, disc_mqc.json)\n";
  if (has_report_page()) {
    std::cout << "report: " << (folder / report_name).string() << "\n";
  } else {
    std::cout << "report: none, this disc was built without the report page (tools/build_report.sh makes it)\n";
  }
}

}  // namespace disc::app
