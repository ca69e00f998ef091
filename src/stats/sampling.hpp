// How samples depend on each other: in time, and within units.
#pragma once

#include "graph/prepared_columns.hpp"
#include "stats/units.hpp"

namespace disc {

using Sampling = Statistics::Sampling;

/// Correlation of consecutive samples, in the order of the file: median over features, mean over conditions. `units`: pairs count
/// within a unit only; empty: all.
double autocorrelation(std::span<const PreparedColumns> conditions, std::span<const Unit> units,
                       const Context& context);

/// Median over features of the intraclass correlation: what share of a feature's variance within a condition lies between units.
double similarity_within(std::span<const PreparedColumns> conditions, const Units& units, const Context& context);

/// What is known of the samples, and the units as they are exchanged: blocks of consecutive samples where no unit is given and
/// samples depend on their neighbours.
Sampling look_at_samples(std::span<const PreparedColumns> conditions, const StatisticsOptions& options, Units& units,
                         const Context& context);

}  // namespace disc
