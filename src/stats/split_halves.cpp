#include "stats/split_halves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/prepared_columns.hpp"
#include "matrix/blas.hpp"
#include "spectral/symmetric_dense.hpp"

namespace disc {
namespace {

constexpr Index min_samples = 20;
constexpr Index samples_at_once = 1000;
constexpr Index side_by_side_up_to = 4000;  // features: two graphs at once take memory
constexpr Index nobody = -1;
constexpr double min_cosine = 0.9;      // of the largest angle between two spaces that count as the same: 26 degrees
constexpr double min_remainder = 1e-6;  // of a column that adds a direction to a basis; the trivial ones repeat
constexpr double tolerance = 1e-4;      // of eigenvectors that are compared with others that differ by far more

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Sums of products of all pairs of features, turned into correlations. A feature that does not vary is connected to none.
void to_correlations(MatrixF& sums, const Vector& totals, Index samples) {
  const auto n = static_cast<double>(samples);
  const Vector mean = totals / n;
  const Vector variance = sums.diagonal().cast<double>() / n - mean.cwiseAbs2();
  const Eigen::VectorXf scale =
      (variance.array() > 1e-6).select(variance.array().max(1e-6).rsqrt(), 0.0).matrix().cast<float>();
  const Eigen::VectorXf centre = mean.cast<float>();
  for (Index j = 0; j < sums.cols(); ++j) {
    auto column = sums.col(j).tail(sums.rows() - j).array();
    column = (column / static_cast<float>(n) - centre.tail(sums.rows() - j).array() * centre[j]) * scale[j] *
             scale.tail(sums.rows() - j).array();
    sums(j, j) = 1.0F;
  }
  sums = sums.selfadjointView<Eigen::Lower>();
}

Correlations correlations_of(const PreparedColumns& prepared, std::span<const Index> samples, const Context& context) {
  const Index p = prepared.features();
  const auto count = static_cast<Index>(samples.size());
  const float unit = std::sqrt(static_cast<float>(prepared.samples()));
  Correlations result;
  result.samples = count;
  result.values = MatrixF::Zero(p, p);
  Vector totals = Vector::Zero(p);
  MatrixF values(p, std::min(count, samples_at_once));
  for (Index first = 0; first < count; first += samples_at_once) {
    context.check_stop();
    values.resize(p, std::min(samples_at_once, count - first));
    for (Index i = 0; i < values.cols(); ++i) prepared.fill_all(samples[at(first + i)], 1, values.col(i).data());
    values *= unit;
    multiply_self(tile_of(std::as_const(values)), 1.0F, tile_of(result.values));
    totals += values.rowwise().sum().cast<double>();
  }
  to_correlations(result.values, totals, count);
  return result;
}

// Bases for growing numbers of eigenvectors: each begins with the one before.
struct NestedBasis {
  Matrix vectors;           // orthonormal
  std::vector<Index> rank;  // columns that belong to 0, 1, 2, ... eigenvectors beside the trivial one
};

// What is left of a column beside the basis, of unit length; false: nothing.
bool add_direction(Matrix& basis, Index rank, Vector column) {
  const double before = column.norm();
  for (int pass = 0; pass < 2; ++pass) {
    column -= basis.leftCols(rank) * (basis.leftCols(rank).transpose() * column).eval();
  }
  if (column.norm() <= min_remainder * before) return false;
  basis.col(rank) = column.normalized();
  return true;
}

NestedBasis nested_basis(std::span<const HalfEigenvectors> conditions, std::size_t half, Index excluded) {
  Index columns = 0;
  Index most = 0;
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    if (static_cast<Index>(k) == excluded) continue;
    columns += conditions[k][half].cols();
    most = std::max(most, conditions[k][half].cols());
  }
  NestedBasis basis;
  basis.vectors.resize(conditions[0][half].rows(), std::min(columns, conditions[0][half].rows()));
  Index rank = 0;
  for (Index i = 0; i < most; ++i) {
    for (std::size_t k = 0; k < conditions.size(); ++k) {
      const bool is_part = static_cast<Index>(k) != excluded && i < conditions[k][half].cols();
      if (is_part && rank < basis.vectors.cols() && add_direction(basis.vectors, rank, conditions[k][half].col(i)))
        ++rank;
    }
    basis.rank.push_back(rank);
  }
  return basis;
}

// Of the largest angle between two spaces, from the cosines between their bases: the smallest singular value, by its square. That is exact to
// about 1e-8, and is only compared with min_cosine.
double smallest_cosine(const Matrix& cosines) {
  const bool wide = cosines.rows() < cosines.cols();
  const SmallEigen squares =
      small_symmetric_eigen(wide ? Matrix(cosines * cosines.transpose()) : Matrix(cosines.transpose() * cosines));
  return std::sqrt(std::max(squares.values[0], 0.0));
}

// Per number of eigenvectors beside the trivial one, whether the basis of all conditions but one is the same in both halves.
std::vector<bool> agreement(std::span<const HalfEigenvectors> conditions, Index excluded) {
  const NestedBasis first = nested_basis(conditions, 0, excluded);
  const NestedBasis second = nested_basis(conditions, 1, excluded);
  const Matrix cosines = first.vectors.transpose() * second.vectors;
  std::vector<bool> agrees;
  for (std::size_t d = 0; d < first.rank.size(); ++d) {
    agrees.push_back(smallest_cosine(cosines.topLeftCorner(first.rank[d], second.rank[d])) >= min_cosine);
  }
  return agrees;
}

// The largest number beside 0 for which it is true; 0: none.
Index largest(const std::vector<bool>& agrees) {
  Index d = static_cast<Index>(agrees.size()) - 1;
  while (d > 0 && !agrees[at(d)]) --d;
  return d;
}

}  // namespace

HalfEigenvectors eigenvectors_of_halves(const Dataset& condition, std::span<const Index> columns, Index count,
                                        const GraphOptions& options, const Context& context, const Team* team,
                                        const Vector& sizes) {
  HalfEigenvectors result;
  const auto p = static_cast<Index>(columns.size());
  const Index samples = condition.values.rows();
  if (samples < min_samples || count < 1) return result;
  prepare_blas();
  const PreparedColumns prepared(condition, columns, *options.distance, context);
  std::vector<Index> order(at(samples));
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 random = random_stream(context.seed(), "stats/halves");
  std::shuffle(order.begin(), order.end(), random);
  SolverOptions solver;
  solver.tolerance = tolerance;
  for (Matrix& half : result) half = Matrix::Zero(p, count + 1);
  const auto solve = [&](Index half) {
    const auto own = std::span(order).subspan(at(half * (samples / 2)), at(samples / 2));
    const Correlations correlations = correlations_of(prepared, own, context);
    FeatureGraph graph = sizes.size() == 0 ? graph_from_correlations(correlations, options, context)
                                           : graph_of_prototypes(correlations.values.cast<double>(),
                                                                 correlations.samples, sizes, options, context);
    const RandomWalk walk = make_walk(std::move(graph), context);
    result[at(half)] = walk_eigenvectors(walk, leading_eigenpairs(walk, count + 1, solver, context));
  };
  const std::vector<Index> share = own_share(team, 2);
  if (p <= side_by_side_up_to) {
    context.parallel_for(static_cast<Index>(share.size()), [&](Index i) { solve(share[at(i)]); });
  } else {
    for (const Index half : share) solve(half);
  }
  for (Matrix& half : result) sum_over(team, {half.data(), at(half.size())});
  return result;
}

std::vector<Index> dimensions_agreed(std::span<const HalfEigenvectors> conditions, const Context& context) {
  std::vector<Index> result(conditions.size(), 0);
  if (std::ranges::any_of(conditions, [](const HalfEigenvectors& halves) { return halves[0].cols() < 2; }))
    return result;
  std::vector<std::vector<bool>> together(conditions.size());  // without this condition
  std::vector<std::vector<bool>> alone(conditions.size());
  context.parallel_for(static_cast<Index>(conditions.size()), [&](Index m) {
    together[at(m)] = agreement(conditions, m);
    alone[at(m)] = agreement(conditions.subspan(at(m), 1), nobody);
  });
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    std::vector<bool> in_all = alone[k];
    for (std::size_t d = 0; d < in_all.size(); ++d) {
      for (std::size_t m = 0; m < conditions.size(); ++m) {
        if (m != k && !together[m][std::min(d, together[m].size() - 1)]) in_all[d] = false;
      }
    }
    result[k] = largest(in_all);
    if (result[k] == 0) result[k] = largest(alone[k]);
  }
  return result;
}

}  // namespace disc
