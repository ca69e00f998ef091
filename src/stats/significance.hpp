// The two halves of test_groups.
#pragma once

#include "stats/unit_sums.hpp"

namespace disc {

/// p- and q-values of all vectors and communities.
Statistics relabel_and_test(const UnitSums& sums, const Units& units, const TestOptions& options,
                            const Context& context);

/// Evidence of the groups whose p-value is at most the level.
void add_evidence(std::span<const Dataset> conditions, const FeatureMatch& match, const UnitSums& sums,
                  const Units& units, const TestOptions& options, Statistics& statistics, const Context& context);

}  // namespace disc
