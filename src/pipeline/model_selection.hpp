// What the run chooses for its user: dimensions, and which groups are real.
#pragma once

#include "pipeline/study.hpp"
#include "spectral/eigenpairs_beyond.hpp"
#include "stats/split_halves.hpp"

namespace disc {

class Engine;

/// The leading eigenpairs of a condition: as many as count as structure.
struct Spectrum {
  Dimensions dimensions;
  Eigenpairs pairs;
};
/// Eigenvalues beside the trivial one that features without connection would show; unset where that is not known.
std::optional<double> noise_threshold_of(const Dataset& condition, std::span<const Index> columns,
                                         const Vector& degrees, const RunOptions& used, const Context& context,
                                         const Team* team = nullptr);
/// Solves for the eigenpairs and chooses d by this condition alone; some pairs beyond may be there. method (5), (14)
Spectrum choose_spectrum(const PairSolver& solve, const std::optional<double>& edge, Index features, Index conditions,
                         const RunOptions& used);
/// Lowers d to what two halves of the samples agree on, where it comes from the data, and lets the engine keep as many eigenvectors.
/// method (15)
void settle_dimensions(Engine& engine, Analysis& analysis, const Context& context);
/// Drops the pairs beyond those chosen.
void keep_chosen(Eigenpairs& pairs, const Dimensions& dimensions);
/// How many leading eigenpairs do not belong to the bases: the trivial one, or none.
Index trivial_pairs(const DifferentialOptions& options);
/// The columns of all right eigenvectors that count as explained: those chosen, with or without the trivial one.
Matrix basis_columns(const Matrix& all_eigenvectors, const Dimensions& dimensions, const DifferentialOptions& options);

/// The first `count` sigma of a condition where the columns of `bases` are what every condition explains; none where that leaves
/// fewer directions.
using SigmaSolver = std::function<Vector(std::span<const Matrix> bases, Index count, const SolverOptions& solver)>;
/// sigma for growing numbers of eigenvectors of the others.
std::vector<SigmaAtDimension> sigma_path(std::span<const Matrix> all_eigenvectors, const SigmaSolver& solve);

/// What the test of groups needs to know.
TestOptions test_options(const Study& study, const RunOptions& used);

/// Compares the groups with the named sets, if there are any.
void compare_with_genesets(const Study& study, Analysis& analysis);

}  // namespace disc
