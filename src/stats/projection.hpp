// What the leading directions of the other conditions do not explain, in the space of correlations. method (21), (22)
#pragma once

#include "disc/correlations.hpp"

namespace disc {

/// The leading eigenvectors of correlations, by some steps of subspace iteration from `start` (p x count or more columns). The
/// start decides how exact they are: it must not depend on a labelling. The largest first.
struct Directions {
  MatrixF vectors;
  Eigen::VectorXf values;  ///< Rayleigh quotients
  /// How many are above what `samples` samples of features without any connection would show (Marchenko & Pastur 1967).
  Index above_noise(Index samples) const;
};
Directions leading_directions(const MatrixF& correlations, const MatrixF& start, Index steps);
/// A start that has something of every direction.
MatrixF random_directions(Index features, Index count, std::uint64_t seed);
/// Columns as an orthonormal basis; what the first ones explain is dropped.
void orthonormalize(MatrixF& columns);

/// A product with correlations: p x p times p x columns.
MatrixF times(const Correlations& correlations, const MatrixF& columns);

/// Correlations of one condition seen through Q = I - Z Z', rescaled to a unit diagonal. Z are the first `count` columns of an
/// orthonormal basis, with which the correlations were multiplied once for all counts.
class ProjectedCorrelations {
 public:
  /// Refers to all three. With count 0 the correlations themselves.
  ProjectedCorrelations(const Correlations& correlations, const MatrixF& basis, const MatrixF& product, Index count);
  Index samples() const { return correlations_.samples; }
  /// The whole matrix.
  MatrixF matrix() const;
  /// Of some features with each other, in their order: what lies above the diagonal. The rest is not to be used.
  MatrixF upper_among(std::span<const Index> features) const;
  /// Sum over pairs within the set, per feature: c(S). `sign`, if not empty, flips features.
  double connection(std::span<const Index> set, std::span<const std::int8_t> sign = {}) const;

 private:
  auto z() const { return basis_.leftCols(count_); }

  const Correlations& correlations_;
  const MatrixF& basis_;
  Index count_;
  MatrixF half_;           // R Z - Z (Z'RZ) / 2
  Eigen::VectorXf scale_;  // 1 / standard deviation of what is left
};

}  // namespace disc
