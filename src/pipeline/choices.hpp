// What the run chooses for its user: dimensions, and which groups are real.
#pragma once

#include "pipeline/study.hpp"

namespace disc {

/// Correlation for the association kernel: of ranks where the features of some condition have heavy tails (counts, outliers),
/// else of values.
struct CorrelationChoice {
  Distance distance = Distance::correlation;
  double excess_kurtosis = 0;  ///< median over features, of the condition where it is largest
};
CorrelationChoice choose_correlation(std::span<const Dataset> conditions, const FeatureMatch& match);

/// The leading eigenpairs of a condition: as many as count as structure.
struct Spectrum {
  Dimensions dimensions;
  Eigenpairs pairs;
  Matrix all_eigenvectors;  ///< right eigenvectors of P, also those beyond: for the path of sigma
};
/// Solves for the eigenpairs and chooses d. method (5), (14), (15)
Spectrum leading_spectrum(const Dataset& condition, std::span<const Index> columns, const RandomWalk& walk,
                          const RunOptions& used, Index conditions, const Context& context);

/// sigma of one condition for growing numbers of eigenvectors of the others: the bases are nested.
std::vector<SigmaAtDimension> sigma_path(const ConditionSpectra& spectra, std::span<const Matrix> all_eigenvectors,
                                         Index condition, const Context& context);

/// Finds the communities of all conditions, tests them by relabelling, and keeps those that are significant. method (16)
/// to (19)
void find_groups(const Study& study, const FeatureMatch& match, Analysis& analysis, const Context& context);

/// Compares the groups with the named sets, if there are any.
void compare_with_genesets(const Study& study, Analysis& analysis);

}  // namespace disc
