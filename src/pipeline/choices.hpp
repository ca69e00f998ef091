// What the run chooses for its user: dimensions, and which groups are real.
#pragma once

#include "pipeline/study.hpp"

namespace disc {

/// Eigenpairs to compute per condition, the trivial one included.
Index pairs_needed(const RunOptions& used, Index features, Index conditions);

/// Chooses d and drops the eigenpairs beyond it. method (14), (15)
Dimensions choose_dimensions(const Dataset& condition, std::span<const Index> columns, const RandomWalk& walk,
                             Eigenpairs& pairs, const RunOptions& used, Index conditions, const Context& context);

/// sigma of one condition for growing numbers of eigenvectors of the others: the bases are nested.
std::vector<SigmaAtDimension> sigma_path(const ConditionSpectra& spectra, std::span<const Matrix> all_eigenvectors,
                                         Index condition, const Context& context);

/// Finds the communities of all conditions, tests them by relabelling, and keeps those that are significant. method (16)
/// to (19)
void find_groups(const Study& study, const FeatureMatch& match, Analysis& analysis, const Context& context);

}  // namespace disc
