// Vectors that are functions of the ones before them. method (20)
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "disc/differential.hpp"

namespace disc {
namespace {

constexpr Index max_points = 1000;  // the residual is a mean: more features change its third digit

// Rows of the vectors, all or an even selection.
Matrix points_of(const Matrix& vectors) {
  const Index count = std::min(vectors.rows(), max_points);
  Matrix points(count, vectors.cols());
  for (Index i = 0; i < count; ++i) points.row(i) = vectors.row(i * vectors.rows() / count);
  return points;
}

double median_of(Matrix& distances) {
  const auto middle = distances.data() + distances.size() / 2;
  std::nth_element(distances.data(), middle, distances.data() + distances.size());
  return *middle;
}

Matrix distances_of(const Matrix& points) {
  const Vector squares = points.rowwise().squaredNorm();
  Matrix distances = -2.0 * points * points.transpose();
  distances.colwise() += squares;
  distances.rowwise() += squares.transpose();
  return distances.cwiseMax(0.0).cwiseSqrt();
}

// What a local linear fit at point i, made without it, says about the value there.
double fitted_without(Index i, const Matrix& points, const Vector& values, const Vector& weights) {
  Matrix design(points.rows(), points.cols() + 1);
  design.col(0).setOnes();
  design.rightCols(points.cols()) = points.rowwise() - points.row(i);
  const Matrix weighted = design.array().colwise() * weights.array();
  Matrix normal = weighted.transpose() * design;
  normal.diagonal().array() += 1e-10 * normal.trace() + 1e-300;
  return normal.ldlt().solve(weighted.transpose() * values)[0];
}

}  // namespace

Vector local_linear_residuals(const Matrix& vectors, const Context& context) {
  if (vectors.rows() == 0) return Vector::Ones(vectors.cols());  // they are with another process
  const Matrix points = points_of(vectors);
  Vector residuals = Vector::Ones(vectors.cols());
  for (Index k = 1; k < vectors.cols(); ++k) {
    const Matrix before = points.leftCols(k);
    const Vector values = points.col(k);
    const Matrix distances = distances_of(before);
    Matrix scratch = distances;
    const double bandwidth = median_of(scratch) / 3.0;
    if (bandwidth <= 0 || values.squaredNorm() <= 0) continue;
    Vector errors(points.rows());
    context.parallel_for(points.rows(), [&](Index i) {
      Vector weights = (-(distances.col(i) / bandwidth).array().square()).exp();
      weights[i] = 0.0;
      errors[i] = values[i] - fitted_without(i, before, values, weights);
    });
    residuals[k] = std::min(1.0, errors.norm() / values.norm());
  }
  return residuals;
}

}  // namespace disc
