#include "differential/alternatives.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "matrix/blas.hpp"
#include "spectral/symmetric_dense.hpp"
#include "spectral/tall_skinny.hpp"

namespace disc {
namespace {

const RandomWalk& walk_of(const ConditionSpectra& spectra, Index condition) {
  return spectra.walks[static_cast<std::size_t>(condition)];
}

// W, written out in double, from the walk.
Matrix weights_of(const RandomWalk& walk) {
  Matrix w = walk.conjugate.visit([](const auto& values) -> Matrix { return Matrix(values.template cast<double>()); });
  const Vector root = walk.degrees.cwiseSqrt();
  w = root.asDiagonal() * w * root.asDiagonal();
  w.array() += walk.uniform_weight;
  return w;
}

Matrix laplacian_of(const RandomWalk& walk) {
  Matrix l = -weights_of(walk);
  l.diagonal() += walk.degrees;
  return l;
}

Matrix transition_of(const RandomWalk& walk) { return walk.degrees.cwiseInverse().asDiagonal() * weights_of(walk); }

// Mean of f(walk) over the other conditions.
template <class F>
Matrix mean_over_others(const ConditionSpectra& spectra, Index condition, F&& f) {
  Matrix sum = Matrix::Zero(walk_of(spectra, condition).size(), walk_of(spectra, condition).size());
  for (std::size_t k = 0; k < spectra.walks.size(); ++k) {
    if (static_cast<Index>(k) != condition) sum += f(spectra.walks[k]);
  }
  return sum / static_cast<double>(spectra.walks.size() - 1);
}

// The mean of the other conditions' conjugates as an operator.
class MeanConjugate final : public LinearOperator {
 public:
  MeanConjugate(const ConditionSpectra& spectra, Index condition) : spectra_(spectra), condition_(condition) {}
  Index rows() const override { return walk_of(spectra_, condition_).size(); }
  Index cols() const override { return rows(); }
  void apply(const Block& x, Block& y, const Context& context) const override {
    Block part;
    y.setZero(x.rows(), x.cols());
    for (std::size_t k = 0; k < spectra_.walks.size(); ++k) {
      if (static_cast<Index>(k) == condition_) continue;
      ConjugateOperator(spectra_.walks[k]).apply(x, part, context);
      y += part / static_cast<double>(spectra_.walks.size() - 1);
    }
  }
  void apply_transpose(const Block& x, Block& y, const Context& context) const override { apply(x, y, context); }

 private:
  const ConditionSpectra& spectra_;
  Index condition_;
};

// (S_B + g I)^-1/2 on the d leading pairs of S_B, g^-1/2 elsewhere. method (12)
class WhitenedOperator final : public LinearOperator {
 public:
  WhitenedOperator(const RandomWalk& walk, const Eigenpairs& others, double g) : walk_(walk), others_(others) {
    floor_ = 1.0 / std::sqrt(g);
    extra_ = (others.values.array().cwiseMax(0.0) + g).rsqrt() - floor_;
  }
  Index rows() const override { return walk_.size(); }
  Index cols() const override { return walk_.size(); }
  void apply(const Block& x, Block& y, const Context& context) const override {
    Block whitened = x;
    whiten(whitened, context);
    ConjugateOperator(walk_).apply(whitened, y, context);
    whiten(y, context);
  }
  void apply_transpose(const Block& x, Block& y, const Context& context) const override { apply(x, y, context); }

 private:
  void whiten(Block& x, const Context& context) const {
    const Index count = others_.vectors.cols();
    const Matrix h = (-extra_).asDiagonal() * project(others_.vectors, count, x, context);
    x *= floor_;
    subtract(others_.vectors, count, h, x, context);
  }

  const RandomWalk& walk_;
  const Eigenpairs& others_;
  double floor_;
  Vector extra_;
};

// The value farthest below the straight line from the first to the last: where the spectrum stops falling steeply.
double knee(const Vector& values) {
  const Index last = values.size() - 1;
  Index best = last;
  double farthest = 0;
  for (Index i = 1; i < last; ++i) {
    const double line = values[0] + (values[last] - values[0]) * static_cast<double>(i) / static_cast<double>(last);
    if (line - values[i] > farthest) {
      farthest = line - values[i];
      best = i;
    }
  }
  return values[best];
}

}  // namespace

// (L_others + e I)^-1 L_m f = mu f, smallest mu: smooth on the condition's graph, rough on the others'. The constant vector
// (mu = 0 whatever the data) is skipped. method (10)
DifferentialVectors generalized_vectors(const ConditionSpectra& spectra, Index condition, Index count,
                                        const DifferentialOptions& options, const Context& /*context*/) {
  prepare_blas();
  const RandomWalk& walk = walk_of(spectra, condition);
  const Index p = walk.size();
  Matrix own = laplacian_of(walk);
  Matrix others = mean_over_others(spectra, condition, laplacian_of);
  others.diagonal().array() += options.epsilon * others.trace() / static_cast<double>(p);
  // Lift the constant vector out of the way: it satisfies own * 1 = 0.
  own.array() += 2.0 * own.diagonal().maxCoeff() / (options.epsilon * static_cast<double>(p));
  Vector values(p);
  const auto n = static_cast<lapack_int>(p);
  const lapack_int info =
      LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', n, own.data(), n, others.data(), n, values.data());
  if (info != 0) throw Error("LAPACK dsygvd failed with code " + std::to_string(info));
  DifferentialVectors result;
  result.vectors = own.leftCols(count).colwise().normalized();
  result.sigma = values.head(count);
  return result;
}

// (I + l P_others)^-1 P_m f = mu f, largest mu. Not symmetric; complex pairs are ordered by their real part. method (11)
DifferentialVectors regularized_inverse_vectors(const ConditionSpectra& spectra, Index condition, Index count,
                                                const DifferentialOptions& options, const Context& /*context*/) {
  prepare_blas();
  const Index p = walk_of(spectra, condition).size();
  Matrix system = options.inverse_strength * mean_over_others(spectra, condition, transition_of);
  system.diagonal().array() += 1.0;
  Matrix product = transition_of(walk_of(spectra, condition));
  const auto n = static_cast<lapack_int>(p);
  std::vector<lapack_int> pivot(static_cast<std::size_t>(p));
  lapack_int info = LAPACKE_dgesv(LAPACK_COL_MAJOR, n, n, system.data(), n, pivot.data(), product.data(), n);
  if (info != 0) throw Error("LAPACK dgesv failed with code " + std::to_string(info));
  Vector real(p);
  Vector imaginary(p);
  Matrix vectors(p, p);
  info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, product.data(), n, real.data(), imaginary.data(), nullptr, n,
                       vectors.data(), n);
  if (info != 0) throw Error("LAPACK dgeev failed with code " + std::to_string(info));
  std::vector<Index> order(static_cast<std::size_t>(p));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return real[a] > real[b]; });
  DifferentialVectors result;
  result.vectors.resize(p, count);
  result.sigma.resize(count);
  for (Index k = 0; k < count; ++k) {
    // LAPACK keeps real and imaginary part of a pair in neighboring columns: each is a column of its own here.
    const Index from = order[static_cast<std::size_t>(k)];
    result.vectors.col(k) = vectors.col(from).normalized();
    result.sigma[k] = real[from];
  }
  return result;
}

DifferentialVectors whitened_vectors(const ConditionSpectra& spectra, Index condition, Index count,
                                     const DifferentialOptions& options, const SolverOptions& solver,
                                     const Context& context) {
  const bool two = spectra.walks.size() == 2;
  const Eigenpairs others =
      two ? spectra.pairs[static_cast<std::size_t>(1 - condition)]
          : symmetric_eigenpairs(MeanConjugate(spectra, condition), spectra.pairs[0].values.size(),
                                 Matrix(walk_of(spectra, condition).size(), 0), 1.0, solver, context);
  const double g = options.whitening ? *options.whitening : std::max(0.01, knee(others.values));
  const WhitenedOperator op(walk_of(spectra, condition), others, g);
  const Eigenpairs pairs = symmetric_eigenpairs(op, count, Matrix(op.rows(), 0), 1.0 / g, solver, context);
  DifferentialVectors result;
  result.vectors = pairs.vectors;
  result.sigma = pairs.values;
  result.convergence = pairs.convergence;
  return result;
}

// The condition's own eigenvectors without the trivial one, scaled by their eigenvalues: every structure, shared or not.
DifferentialVectors diffusion_map_vectors(const ConditionSpectra& spectra, Index condition, Index count,
                                          const DifferentialOptions& options) {
  const Eigenpairs& pairs = spectra.pairs[static_cast<std::size_t>(condition)];
  const Index available = std::min(count, pairs.values.size() - 1);
  DifferentialVectors result;
  result.sigma = pairs.values.segment(1, available).array().cwiseMax(0.0).pow(options.diffusion_time);
  result.vectors =
      walk_eigenvectors(walk_of(spectra, condition), pairs).middleCols(1, available) * result.sigma.asDiagonal();
  return result;
}

// One column: how far each feature moved. With more than two conditions, the root mean square over the others. method (13)
DifferentialVectors changing_data_vectors(const ConditionSpectra& spectra, Index condition,
                                          const DifferentialOptions& options) {
  Vector sum = Vector::Zero(walk_of(spectra, condition).size());
  for (std::size_t k = 0; k < spectra.pairs.size(); ++k) {
    if (static_cast<Index>(k) == condition) continue;
    sum += changing_data_distance(spectra.pairs[static_cast<std::size_t>(condition)], spectra.pairs[k],
                                  options.diffusion_time)
               .cwiseAbs2();
  }
  const Vector distance = (sum / static_cast<double>(spectra.pairs.size() - 1)).cwiseSqrt();
  DifferentialVectors result;
  result.sigma = Vector::Constant(1, distance.norm());
  result.vectors = distance / std::max(distance.norm(), 1e-300);
  return result;
}

Vector changing_data_distance(const Eigenpairs& a, const Eigenpairs& b, double time) {
  const auto power = [time](const Vector& values) -> Vector { return values.array().cwiseMax(0.0).pow(time); };
  const Matrix left = a.vectors * power(a.values).asDiagonal();
  const Matrix right = b.vectors * power(b.values).asDiagonal();
  const Matrix cross = a.vectors.transpose() * b.vectors;
  const Vector squared = left.rowwise().squaredNorm() + right.rowwise().squaredNorm() -
                         2.0 * (left * cross).cwiseProduct(right).rowwise().sum();
  return squared.cwiseMax(0.0).cwiseSqrt();
}

}  // namespace disc
