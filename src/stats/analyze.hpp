// The method on one labelling of the units: the truth, a permutation or a bootstrap. method (21) to (25)
#pragma once

#include "disc/groups.hpp"

namespace disc {

/// What no labelling changes.
struct AnalyzeOptions {
  double association_z = 1.5;
  Index min_group_size = 3;
  std::vector<bool> is_target;  ///< per condition
  std::vector<View> views;
  MatrixF start;  ///< directions of all samples together, from which those of a condition are sought
};

/// A group that one labelling proposes.
struct Candidate {
  Index condition = 0;
  Index view = 0;  ///< its place in AnalyzeOptions::views
  double statistic = 0;
  std::vector<Index> features;    ///< ascending
  std::vector<std::int8_t> sign;  ///< per feature; empty: all go together
};

/// How surely a group is set apart, less where little correlation was lost.
double separation_statistic(const GroupContrast& contrast);

/// The views that fit the data: `samples` of a condition of average size.
std::vector<View> views_for(Index features, Index samples, Index conditions, bool has_matrices);

/// All groups that set a target apart from the other conditions, in all views. Truth, permutations and bootstraps go through
/// this one function.
std::vector<Candidate> analyze(std::span<const Correlations> conditions, const AnalyzeOptions& options,
                               const Context& context);

}  // namespace disc
