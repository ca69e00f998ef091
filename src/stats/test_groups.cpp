// Significance and evidence, in order: units, their sums, relabellings, resamples.
#include <algorithm>

#include "stats/significance.hpp"

namespace disc {
namespace {

// More make relabelling slower and nothing better.
constexpr Index samples_put_together_into = 64;
constexpr Index named_units_at_most = 256;

// How many units are kept apart. The sums of a unit take 2 p^2 bytes; of few samples no sums are kept.
Index most_units(std::span<const Dataset> conditions, const Design& design, Index features, double gibibytes) {
  Index samples = 0;
  for (const Dataset& condition : conditions) samples += condition.values.rows();
  if (samples <= UnitSums::few_samples) return samples;
  const double bytes = 2.0 * static_cast<double>(features) * static_cast<double>(features);
  const Index allowed = std::max<Index>(4, static_cast<Index>(gibibytes * 1024 * 1024 * 1024 / bytes));
  return std::min(allowed, design.units.empty() ? samples_put_together_into : named_units_at_most);
}

}  // namespace

Statistics test_groups(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                       const TestOptions& options, const Context& context) {
  const Index features = static_cast<Index>(match.features.size());
  const Index most = most_units(conditions, design, features, options.statistics.memory_limit);
  const Units units = make_units(conditions, design, most, context);
  const UnitSums sums(conditions, match, *options.graph.distance, units, context);
  Statistics statistics = relabel_and_test(sums, units, options, context);
  add_evidence(conditions, match, sums, units, options, statistics, context);
  return statistics;
}

}  // namespace disc
