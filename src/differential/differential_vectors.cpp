// The one door to all methods.
#include <algorithm>

#include "differential/alternatives.hpp"
#include "differential/finish.hpp"

namespace disc {
namespace {

constexpr Index max_vectors = 60;  // when not told; and not more than an eighth of the features

// Vectors before the largest relative drop of sigma.
Index before_largest_drop(const Vector& sigma) {
  Index leading = 1;
  double largest = 1.0;
  for (Index k = 0; k + 1 < sigma.size(); ++k) {
    const double drop = sigma[k] / std::max(sigma[k + 1], 1e-12);
    if (drop > largest) {
      largest = drop;
      leading = k + 1;
    }
  }
  return leading;
}

DifferentialVectors by_method(const ConditionSpectra& spectra, Index condition, Index count,
                              const DifferentialOptions& options, const SolverOptions& solver, const Context& context) {
  switch (options.method) {
    case Method::disc:
      return singular_vectors(spectra.walks[static_cast<std::size_t>(condition)],
                              basis_of_others(spectra.eigenvectors, condition, context), count, solver, context);
    case Method::generalized:
      return generalized_vectors(spectra, condition, count, options, context);
    case Method::regularized_inverse:
      return regularized_inverse_vectors(spectra, condition, count, options, context);
    case Method::whitened:
      return whitened_vectors(spectra, condition, count, options, solver, context);
    case Method::diffusion_maps:
      return diffusion_map_vectors(spectra, condition, count, options);
    case Method::changing_data:
      return changing_data_vectors(spectra, condition, options);
  }
  throw Error("unknown method");
}

}  // namespace

DifferentialVectors vectors_above_noise(const VectorSolver& solve, const DifferentialOptions& options, Index p,
                                        Index taken, const std::optional<double>& edge) {
  if (options.vectors && *options.vectors > p - 1) {
    throw OptionError("vectors", std::to_string(*options.vectors),
                      "must be at most " + std::to_string(p - 1) + " (features used - 1)");
  }
  if (options.vectors) return solve(*options.vectors);
  const Index room = std::max<Index>(1, p - 1 - (options.method == Method::disc ? std::min(taken, p - 2) : 0));
  const Index at_least = std::min(vectors_when_not_told, room);
  DifferentialVectors result = solve(at_least);
  if (!edge || options.method != Method::disc) return result;
  const Index most = std::min({max_vectors, p / 8, room});
  Index count = at_least;
  while (count < most && result.sigma[count - 1] > *edge) {
    count = std::min(2 * count, most);
    result = solve(count);
  }
  while (count > at_least && result.sigma[count - 1] <= *edge) --count;
  result.vectors.conservativeResize(Eigen::NoChange, count);
  result.sigma.conservativeResize(count);
  if (!result.degenerate_subspace.empty()) result.degenerate_subspace.resize(static_cast<std::size_t>(count));
  return result;
}

Index leading_vectors(const DifferentialOptions& options, const Vector& sigma) {
  return options.vectors ? sigma.size()
                         : before_largest_drop(sigma.head(std::min(sigma.size(), vectors_when_not_told)));
}

DifferentialVectors differential_vectors(const ConditionSpectra& spectra, Index condition,
                                         const DifferentialOptions& options, const SolverOptions& solver,
                                         const Context& context) {
  const Index p = spectra.walks[0].size();
  Index taken = 0;  // directions that the other conditions may explain
  for (std::size_t k = 0; k < spectra.eigenvectors.size(); ++k) {
    if (static_cast<Index>(k) != condition) taken += spectra.eigenvectors[k].cols();
  }
  const VectorSolver solve = [&](Index count) {
    return by_method(spectra, condition, count, options, solver, context);
  };
  const std::optional<double> edge =
      spectra.noise.empty() ? std::nullopt : spectra.noise[static_cast<std::size_t>(condition)];
  DifferentialVectors result = vectors_above_noise(solve, options, p, taken, edge);
  if (context.team().size() > 1) result.vectors = context.team().rows_to_first(result.vectors);
  if (result.vectors.rows() > 0) fix_signs(result.vectors);
  if (result.degenerate_subspace.empty()) mark_degenerate_subspaces(result, solver.tolerance);
  result.leading = leading_vectors(options, result.sigma);
  return result;
}

Matrix meta_features(const Dataset& condition, std::span<const Index> columns, const Matrix& vectors) {
  const Index samples = condition.values.rows();
  Matrix result(samples, vectors.cols());
  RowMatrix rows;
  const Index at_once = std::clamp<Index>((Index{1} << 22) / vectors.rows(), 1, 256);  // 32 MB
  for (Index first = 0; first < samples; first += at_once) {
    const Index count = std::min(at_once, samples - first);
    condition.values.copy_rows(first, count, columns, rows);
    result.middleRows(first, count) = rows * vectors;
  }
  return result;
}

}  // namespace disc
