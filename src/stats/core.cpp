// Which members of a group are connected by what is new. method (18), (19)
#include <algorithm>
#include <limits>

#include "disc/differential.hpp"
#include "stats/significance.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Correlation here minus the largest elsewhere, between members.
Matrix gains_of(const std::vector<Index>& group, std::span<const Correlations> correlations, Index condition) {
  const auto size = static_cast<Index>(group.size());
  Matrix gains = Matrix::Zero(size, size);
  for (Index b = 0; b < size; ++b) {
    for (Index a = 0; a < size; ++a) {
      if (a == b) continue;
      double elsewhere = -std::numeric_limits<double>::infinity();
      for (std::size_t m = 0; m < correlations.size(); ++m) {
        if (static_cast<Index>(m) == condition) continue;
        elsewhere = std::max(elsewhere, correlations[m](group[at(a)], group[at(b)]));
      }
      gains(a, b) = correlations[at(condition)](group[at(a)], group[at(b)]) - elsewhere;
    }
  }
  return gains;
}

class SymmetricProduct final : public LinearOperator {
 public:
  explicit SymmetricProduct(const Matrix& matrix) : matrix_(matrix) {}
  Index rows() const override { return matrix_.rows(); }
  Index cols() const override { return matrix_.cols(); }
  void apply(const Block& x, Block& y, const Context& /*context*/) const override { y = matrix_ * x; }
  void apply_transpose(const Block& x, Block& y, const Context& context) const override { apply(x, y, context); }

 private:
  const Matrix& matrix_;
};

}  // namespace

std::vector<Index> core_of(const std::vector<Index>& group, std::span<const Correlations> correlations, Index condition,
                           const Context& context) {
  const Matrix gains = gains_of(group, correlations, condition);
  SolverOptions solver;
  solver.tolerance = 1e-6;  // of a vector that is only cut
  const Eigenpairs leading =
      symmetric_eigenpairs(SymmetricProduct(gains), 1, Matrix(gains.rows(), 0), gains.norm(), solver, context);
  DifferentialVectors vector;
  vector.vectors = leading.vectors;
  if (vector.vectors.sum() < 0) vector.vectors = -vector.vectors;
  vector.sigma = Vector::Ones(1);
  vector.leading = 1;
  GroupOptions cut;
  cut.grouping = Grouping::threshold;
  cut.min_group_size = 1;
  std::vector<Index> core;
  for (const FeatureGroup& side : group_features(vector, cut, context).groups) {
    if (vector.vectors(side.features.front(), 0) <= 0) continue;
    for (const Index place : side.features) core.push_back(group[at(place)]);
  }
  return core;
}

}  // namespace disc
