#include "disc/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "pipeline/sample_columns.hpp"

namespace disc {
namespace {

constexpr Index min_units = 4;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

struct Population {
  Dataset data;
  std::vector<std::vector<Index>> units;  // samples of each
};

// The label of the design, or the file where several make a condition, or every sample for itself.
std::vector<std::string> unit_of_samples(const Dataset& data, const SampleColumns& columns, const DesignOptions& design,
                                         std::string& chosen) {
  chosen = design.unit.empty() ? design.paired : design.unit;
  if (!chosen.empty()) return columns.of(data, chosen, design.unit.empty() ? "paired" : "unit");
  const auto file = std::ranges::find(data.labels, "file", &LabelColumn::name);
  const bool are_several =
      file != data.labels.end() && std::set<std::string>(file->values.begin(), file->values.end()).size() > 1;
  if (!are_several) return {};
  chosen = "file";
  return file->values;
}

Population population_of(const Dataset& data, const SampleColumns& columns, const DesignOptions& design,
                         std::string& unit) {
  Population population{data, {}};
  columns.add_labels(population.data);
  const std::vector<std::string> names = unit_of_samples(data, columns, design, unit);
  std::map<std::string, std::size_t> place;
  for (Index i = 0; i < data.values.rows(); ++i) {
    const std::string name = names.empty() ? std::to_string(i) : names[at(i)];
    const auto [found, is_new] = place.try_emplace(name, population.units.size());
    if (is_new) population.units.emplace_back();
    population.units[found->second].push_back(i);
  }
  const auto count = static_cast<Index>(population.units.size());
  if (count < min_units) {
    throw InputError({.file = data.source}, "condition '" + data.name + "' has " + std::to_string(count) +
                                                (unit.empty() ? " samples" : " units ('" + unit + "')") +
                                                "; random halves need at least " + std::to_string(min_units));
  }
  return population;
}

Dataset part_of(const Population& population, std::span<const std::size_t> units, const std::string& name) {
  std::vector<Index> samples;
  for (const std::size_t u : units) {
    samples.insert(samples.end(), population.units[u].begin(), population.units[u].end());
  }
  std::ranges::sort(samples);
  Dataset part = select_samples(population.data, samples);
  part.name = name;
  return part;
}

std::vector<Dataset> halves_of(const Population& population, std::uint64_t seed, Index number) {
  std::vector<std::size_t> order(population.units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random = random_stream(seed, "pipeline/halves", static_cast<std::uint64_t>(number));
  std::shuffle(order.begin(), order.end(), random);
  const std::size_t middle = order.size() / 2;
  return {part_of(population, std::span(order).first(middle), "half A"),
          part_of(population, std::span(order).subspan(middle), "half B")};
}

// What the halves are analyzed with: that of the study, without what only its conditions have.
RunOptions options_for_halves(const RunOptions& given, const std::string& unit, Index permutations) {
  RunOptions options = given;
  options.design.by.clear();
  options.design.where.clear();
  options.design.contrast.clear();
  options.design.metadata.clear();  // its columns are labels by now
  options.design.paired.clear();
  options.design.unit = unit;
  options.genesets.clear();
  options.statistics.permutations = permutations;
  options.statistics.bootstraps = 0;
  return options;
}

RandomHalves outcome(const Analysis& analysis, double level) {
  RandomHalves result;
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    const ConditionResult& condition = analysis.conditions[m];
    result.samples[m] = condition.samples;
    for (const auto* list : {&condition.groups.groups, &condition.candidates}) {
      for (const FeatureGroup& group : *list) {
        if (group.parent >= 0) continue;
        result.p = std::min(result.p, group.p);
        if (group.p > level) continue;
        ++result.groups;
        result.largest = std::max(result.largest, static_cast<Index>(group.features.size()));
      }
    }
  }
  return result;
}

}  // namespace

Index Calibration::found() const {
  return std::ranges::count_if(halves, [&](const RandomHalves& one) { return one.p <= level; });
}

double Calibration::chance() const {
  const auto n = static_cast<double>(halves.size());
  double below = 0;
  for (Index k = 0; k < found(); ++k) {
    const auto x = static_cast<double>(k);
    below += std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) + x * std::log(level) +
                      (n - x) * std::log1p(-level));
  }
  return std::clamp(1.0 - below, 0.0, 1.0);
}

Calibration calibrate(const std::vector<Dataset>& populations, const RunOptions& options,
                      const CalibrationOptions& calibration, const Context& context) {
  Calibration result;
  result.level = options.statistics.level;
  result.permutations = calibration.permutations;
  const SampleColumns columns(options.design.metadata, options.design.by.empty());
  std::vector<Population> prepared;
  for (const Dataset& data : populations) {
    result.populations.push_back(data.name);
    prepared.push_back(population_of(data, columns, options.design, result.unit));
  }
  const RunOptions halves = options_for_halves(options, result.unit, calibration.permutations);
  std::set<std::string> said;
  for (Index number = 0; number < calibration.repeats; ++number) {
    context.check_stop();
    context.progress("random halves", static_cast<double>(number) / static_cast<double>(calibration.repeats));
    const Index population = number % static_cast<Index>(prepared.size());
    const Analysis analysis = run(halves_of(prepared[at(population)], context.seed(), number), halves, context);
    result.halves.push_back(outcome(analysis, result.level));
    result.halves.back().population = population;
    for (const std::string& warning : analysis.warnings) {
      const bool is_of_group = warning.starts_with("group ") || warning.starts_with("condition ");
      if (!is_of_group && said.insert(warning).second) result.warnings.push_back(warning);
    }
  }
  context.progress("random halves", 1.0);
  return result;
}

std::string calibration_tsv(const Calibration& calibration) {
  TextTable table{{"condition", "halves", "samples_a", "samples_b", "p", "groups", "largest_group"}, {}};
  for (std::size_t i = 0; i < calibration.halves.size(); ++i) {
    const RandomHalves& one = calibration.halves[i];
    table.rows.push_back({calibration.populations[at(one.population)], std::to_string(i + 1),
                          std::to_string(one.samples[0]), std::to_string(one.samples[1]), format_number(one.p),
                          std::to_string(one.groups), std::to_string(one.largest)});
  }
  return encode_tsv(table);
}

}  // namespace disc
