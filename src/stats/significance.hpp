// The parts of test_groups.
#pragma once

#include "stats/analyze.hpp"
#include "stats/unit_sums.hpp"

namespace disc {

/// What truth, permutations and bootstraps have in common.
AnalyzeOptions analyze_options(const UnitSums& sums, const Units& units, const TestOptions& options, Index conditions,
                               const Context& context);

/// Single pairs that changed: fills `pairs` of every target.
void find_changed_pairs(const UnitSums& sums, const Units& units, const TestOptions& options, TestResult& result,
                        const Context& context);

/// Correlation of every member of a group with the sum of the others, in one condition.
struct MemberCorrelations {
  std::vector<double> with_rest;
  Index samples = 0;
};
/// Members whose connection with the others is new in `condition`: gained beyond chance, and at least a share of what the hubs
/// gained (policy::min_share_of_hubs). Of a group that was lost: lost.
std::vector<Index> core_of(const FeatureGroup& group, std::span<const MemberCorrelations> conditions, Index condition);

/// Evidence of the groups whose p-value is at most the level.
void add_evidence(std::span<const Dataset> conditions, const FeatureMatch& match, const UnitSums& sums,
                  const Units& units, const TestOptions& options, const AnalyzeOptions& analysis, TestResult& result,
                  const Context& context);

}  // namespace disc
