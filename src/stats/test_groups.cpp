// Significance and evidence, in order: units, their sums, relabellings, single pairs, resamples.
#include <algorithm>

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

Statistics test_groups(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                       const TestOptions& options, const Context& context) {
  const Index features = static_cast<Index>(match.features.size());
  const Index most = most_units(conditions, design, features, options.statistics.memory_limit);
  const Units units = make_units(conditions, design, most, context);
  const UnitSums sums(conditions, match, *options.graph.distance, units, context);
  Statistics statistics = relabel_and_test(sums, units, options, context);
  find_changed_pairs(sums, units, options, statistics, context);
  add_evidence(conditions, match, sums, units, options, statistics, context);
  return statistics;
}

}  // namespace disc
