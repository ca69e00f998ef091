// The parts of test_groups.
#pragma once

#include "stats/analyze.hpp"
#include "stats/unit_sums.hpp"

namespace disc {

/// What truth, permutations and bootstraps have in common.
AnalyzeOptions analyze_options(const UnitSums& sums, const Units& units, const TestOptions& options, Index conditions,
                               const Context& context);

/// Groups with their p- and q-values.
TestResult permute_and_test(const UnitSums& sums, const Units& units, const TestOptions& options,
                            const AnalyzeOptions& analysis, Index conditions, const Context& context);

/// Single pairs that changed: fills `pairs` of every target.
void find_changed_pairs(const UnitSums& sums, const Units& units, const TestOptions& options, TestResult& result,
                        const Context& context);

/// Members of a group whose connections with each other are new in `condition`: the leading eigenvector of the gains of
/// correlation, cut as the paper cuts a vector (section 3.3).
std::vector<Index> core_of(const std::vector<Index>& group, std::span<const Correlations> correlations, Index condition,
                           const Context& context);

/// From groups of some features, numbered as in `drawn`, to groups of all: every feature joins the group that it correlates
/// with best in the group's condition, if any passes as a member's would.
void extend_groups(std::span<const Dataset> conditions, const FeatureMatch& match, std::span<const Index> drawn,
                   const TestOptions& options, TestResult& result, const Context& context);

/// Evidence of the groups whose p-value is at most the level.
void add_evidence(std::span<const Dataset> conditions, const FeatureMatch& match, const UnitSums& sums,
                  const Units& units, const TestOptions& options, const AnalyzeOptions& analysis, TestResult& result,
                  const Context& context);

}  // namespace disc
