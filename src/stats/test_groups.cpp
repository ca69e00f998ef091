// Significance and evidence, in order: units, their sums, relabellings, single pairs, resamples.
#include <algorithm>
#include <limits>

#include "stats/significance.hpp"

namespace disc {
namespace {

// Up to so many multiplications per relabelling (some 0.1 s) every sample stays a unit: the more units, the less do the
// differences that are there disturb each other when labels are exchanged.
constexpr double cheap = 8e9;
constexpr Index units_at_most = 256;

// How many units are kept apart. The sums of a unit take 2 p^2 bytes; of single samples no sums are kept.
Index most_units(std::span<const Dataset> conditions, const Design& design, Index features, double gibibytes) {
  Index samples = 0;
  for (const Dataset& condition : conditions) samples += condition.values.rows();
  const double pairs = static_cast<double>(features) * static_cast<double>(features);
  if (design.units.empty() && static_cast<double>(samples) * pairs <= cheap) return samples;
  return std::clamp<Index>(static_cast<Index>(gibibytes * 1024 * 1024 * 1024 / (2.0 * pairs)), 4, units_at_most);
}

}  // namespace

StatisticsOptions resolved(StatisticsOptions options, const GraphOptions& graph, Index features, Index samples) {
  constexpr Index usual_relabellings = 199;
  constexpr Index usual_resamples = 40;
  constexpr Index fewest = 19;              // the smallest p-value is then 1/20
  constexpr double values_per_run = 2e9;    // relabellings times values: a minute or two
  if (!options.relabellings) {
    const double values = static_cast<double>(features) * static_cast<double>(samples);
    const bool all = graph.form != GraphForm::neighbors;
    options.relabellings =
        all ? usual_relabellings
            : std::clamp(static_cast<Index>(values_per_run / values), fewest, usual_relabellings);
  }
  if (!options.resamples) {
    const bool few = *options.relabellings > 0 && *options.relabellings < 2 * usual_resamples;
    options.resamples = few ? (*options.relabellings + 1) / 2 : usual_resamples;
  }
  return options;
}

Statistics test_groups(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                       const TestOptions& given, const Context& context) {
  const Index features = static_cast<Index>(match.features.size());
  Index samples = 0;
  for (const Dataset& condition : conditions) samples += condition.values.rows();
  TestOptions options = given;
  options.statistics = resolved(given.statistics, given.graph, features, samples);
  // The form `neighbors` keeps all samples: there is nothing to gain from fewer units.
  const Index most = options.graph.form == GraphForm::neighbors
                         ? std::numeric_limits<Index>::max()
                         : most_units(conditions, design, features, options.statistics.memory_limit);
  const Units units = make_units(conditions, design, most, context);
  const UnitSums sums(conditions, match, options.graph, units, context);
  Statistics statistics = relabel_and_test(sums, units, options, context);
  if (sums.has_matrices()) find_changed_pairs(sums, units, options, statistics, context);
  add_evidence(conditions, match, sums, units, options, statistics, context);
  return statistics;
}

}  // namespace disc
