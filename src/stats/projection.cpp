#include "stats/projection.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "disc/spectral.hpp"
#include "matrix/blas.hpp"
#include "spectral/symmetric_dense.hpp"
#include "stats/policy.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// c = a b or a' b
MatrixF product(const MatrixF& a, const MatrixF& b, Op op) {
  MatrixF c(op == Op::plain ? a.rows() : a.cols(), b.cols());
  multiply(op, Op::plain, 1.0F, tile_of(a), tile_of(b), 0.0F, tile_of(c));
  return c;
}

}  // namespace

// Gram and Schmidt, twice.
void orthonormalize(MatrixF& columns) {
  constexpr float explained = 1e-3F;  // of its length
  Index kept = 0;
  for (Index j = 0; j < columns.cols(); ++j) {
    Eigen::VectorXf column = columns.col(j);
    const float length = column.norm();
    for (int pass = 0; pass < 2 && kept > 0; ++pass) {
      const Eigen::VectorXf along = columns.leftCols(kept).transpose() * column;
      column -= columns.leftCols(kept) * along;
    }
    const float left = column.norm();
    if (!(left > explained * length)) continue;
    columns.col(kept++) = column / left;
  }
  columns.conservativeResize(Eigen::NoChange, kept);
}

MatrixF random_directions(Index features, Index count, std::uint64_t seed) {
  std::mt19937_64 random = random_stream(seed, "stats/directions");
  std::normal_distribution<float> normal;
  MatrixF start(features, count);
  for (Index i = 0; i < start.size(); ++i) start.data()[i] = normal(random);
  return start;
}

Directions leading_directions(const MatrixF& correlations, const MatrixF& start, Index steps) {
  MatrixF q = start;
  orthonormalize(q);
  for (Index step = 0; step < steps; ++step) {
    q = product(correlations, q, Op::plain);
    orthonormalize(q);
  }
  // Rayleigh and Ritz: the eigenvectors within the subspace.
  const MatrixF rq = product(correlations, q, Op::plain);
  const Matrix small = product(q, rq, Op::transposed).cast<double>();
  const SmallEigen ritz = small_symmetric_eigen(0.5 * (small + small.transpose()));
  const MatrixF turn = ritz.vectors.rowwise().reverse().cast<float>();
  return {product(q, turn, Op::plain), ritz.values.reverse().cast<float>()};
}

Index Directions::above_noise(Index samples) const {
  const double root = 1.0 + std::sqrt(static_cast<double>(vectors.rows()) / static_cast<double>(samples));
  const auto edge = static_cast<float>(policy::noise_margin * root * root);
  Index count = 0;
  while (count < values.size() && values[count] > edge) ++count;
  return count;
}

MatrixF times(const Correlations& correlations, const MatrixF& columns) {
  return product(correlations.values, columns, Op::plain);
}

ProjectedCorrelations::ProjectedCorrelations(const Correlations& correlations, const MatrixF& basis,
                                             const MatrixF& product, Index count)
    : correlations_(correlations), basis_(basis), count_(count) {
  scale_ = Eigen::VectorXf::Ones(correlations.values.rows());
  if (count == 0) return;
  const MatrixF zrz = z().transpose() * product.leftCols(count);
  half_ = product.leftCols(count);
  half_.noalias() -= 0.5F * (z() * zrz);
  const Eigen::VectorXf explained = 2.0F * (half_.array() * z().array()).rowwise().sum();
  scale_ = (1.0F - explained.array()).max(static_cast<float>(policy::min_residual_variance)).rsqrt();
}

MatrixF ProjectedCorrelations::matrix() const {
  const MatrixF& r = correlations_.values;
  if (count_ == 0) return r;
  const Index p = r.rows();
  MatrixF result(p, p);
  // Q R Q = R - Z H' - H Z', H = R Z - Z (Z'RZ) / 2
  MatrixF left(p, 2 * count_);
  MatrixF right(p, 2 * count_);
  left << z(), half_;
  right << half_, z();
  multiply(Op::plain, Op::transposed, -1.0F, tile_of(std::as_const(left)), tile_of(std::as_const(right)), 0.0F,
           tile_of(result));
  for (Index j = 0; j < p; ++j) {
    result.col(j).array() = (result.col(j).array() + r.col(j).array()) * (scale_.array() * scale_[j]);
    result(j, j) = 1.0F;
  }
  return result;
}

MatrixF ProjectedCorrelations::upper_among(std::span<const Index> features) const {
  const auto size = static_cast<Index>(features.size());
  MatrixF block(size, size);
  const std::vector<Index> places(features.begin(), features.end());
  if (count_ > 0) {
    const MatrixF rows = z()(places, Eigen::all);
    const MatrixF halves = half_(places, Eigen::all);
    block.noalias() = rows * halves.transpose();
    block += block.transpose().eval();
  } else {
    block.setZero();
  }
  const Eigen::VectorXf scale = scale_(places);
  for (Index b = 0; b < size; ++b) {
    const float* const column = correlations_.values.data() + features[at(b)] * correlations_.values.rows();
    float* const into = block.data() + b * size;
    for (Index a = 0; a < b; ++a) into[a] = (column[features[at(a)]] - into[a]) * scale[a] * scale[b];
  }
  return block;
}

double ProjectedCorrelations::connection(std::span<const Index> set, std::span<const std::int8_t> sign) const {
  const auto size = static_cast<Index>(set.size());
  Vector weight(size);
  for (Index i = 0; i < size; ++i) {
    weight[i] = static_cast<double>(scale_[set[at(i)]]) * (sign.empty() ? 1.0 : static_cast<double>(sign[at(i)]));
  }
  double sum = 0;
  for (Index b = 0; b < size; ++b) {
    const float* const column = correlations_.values.data() + set[at(b)] * correlations_.values.rows();
    double of_column = 0;
    for (Index a = 0; a < b; ++a) of_column += weight[a] * static_cast<double>(column[set[at(a)]]);
    sum += 2.0 * weight[b] * of_column;
  }
  if (count_ > 0) {
    Vector along = Vector::Zero(count_);
    Vector half = along;
    for (Index i = 0; i < size; ++i) {
      along += weight[i] * z().row(set[at(i)]).transpose().cast<double>();
      half += weight[i] * half_.row(set[at(i)]).transpose().cast<double>();
      // Pairs only: the feature with itself is taken out again.
      sum += 2.0 * weight[i] * weight[i] * z().row(set[at(i)]).cast<double>().dot(half_.row(set[at(i)]).cast<double>());
    }
    sum -= 2.0 * along.dot(half);
  }
  return sum / static_cast<double>(size);
}

}  // namespace disc
