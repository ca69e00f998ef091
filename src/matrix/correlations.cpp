#include "disc/correlations.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "matrix/blas.hpp"
#include "matrix/simd.hpp"

namespace disc {
namespace {

constexpr Index lanes = 16;
constexpr Index features_at_once = 1024;
// Groups up to this size are worth a matrix of their own: some dozen products with it follow. With fewer samples than members a
// product by way of the samples takes less time.
constexpr Index members_of_a_matrix = 2000;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Sums in lanes, in an order that does not depend on the machine.
DISC_SIMD float weighted_product(const float* x, const float* y, const float* weight, Index count) {
  float sums[lanes] = {};
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (Index lane = 0; lane < lanes; ++lane) sums[lane] += weight[i + lane] * (x[i + lane] * y[i + lane]);
  }
  for (; i < count; ++i) sums[i % lanes] += weight[i] * (x[i] * y[i]);
  for (Index half = lanes / 2; half > 0; half /= 2) {
    for (Index lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  }
  return sums[0];
}

DISC_SIMD float product(const float* x, const float* y, Index count) {
  float sums[lanes] = {};
  Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (Index lane = 0; lane < lanes; ++lane) sums[lane] += x[i + lane] * y[i + lane];
  }
  for (; i < count; ++i) sums[i % lanes] += x[i] * y[i];
  for (Index half = lanes / 2; half > 0; half /= 2) {
    for (Index lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  }
  return sums[0];
}

DISC_SIMD void add_scaled(const float* x, double factor, Index count, double* sum) {
  for (Index i = 0; i < count; ++i) sum[i] += factor * static_cast<double>(x[i]);
}

// Four columns one after the other, while a sum is at hand.
DISC_SIMD void add_four_scaled(const float* const* x, const double* factor, Index count, double* sum) {
  const float *const a = x[0], *const b = x[1], *const c = x[2], *const d = x[3];
  const double of_a = factor[0], of_b = factor[1], of_c = factor[2], of_d = factor[3];
  for (Index i = 0; i < count; ++i) {
    double here = sum[i];
    here += of_a * static_cast<double>(a[i]);
    here += of_b * static_cast<double>(b[i]);
    here += of_c * static_cast<double>(c[i]);
    here += of_d * static_cast<double>(d[i]);
    sum[i] = here;
  }
}

// Columns of a matrix, each with its factor, that are added up in their order.
class WeightedColumns {
 public:
  explicit WeightedColumns(const MatrixF& matrix) : matrix_(matrix) {}
  void add(Index column, double factor) {
    columns_.push_back(matrix_.get().data() + column * matrix_.get().rows());
    factors_.push_back(factor);
  }
  void add_to(double* sum) const {
    const Index count = matrix_.get().rows();
    std::size_t k = 0;
    for (; k + 4 <= columns_.size(); k += 4) add_four_scaled(&columns_[k], &factors_[k], count, sum);
    for (; k < columns_.size(); ++k) add_scaled(columns_[k], factors_[k], count, sum);
  }
  Vector sum() const {
    Vector result = Vector::Zero(matrix_.get().rows());
    add_to(result.data());
    return result;
  }

 private:
  std::reference_wrapper<const MatrixF> matrix_;
  std::vector<const float*> columns_;
  std::vector<double> factors_;
};

// The standardised sum of some features: values per sample, and their mean under the weights.
struct SetVector {
  Vector values;
  double mean = 0;
  // Sum of correlations between two sets.
  double times(const SetVector& other, const Eigen::VectorXf& weight) const {
    return (values.array() * weight.array().cast<double>()).matrix().dot(other.values) - mean * other.mean;
  }
};

SetVector vector_of(const Correlations& r, std::span<const Index> set) {
  WeightedColumns values(r.source->values);
  double mean = 0;
  for (const Index j : set) {
    const auto scale = static_cast<double>(r.scale[j]);
    values.add(j, scale);
    mean += scale * static_cast<double>(r.mean[j]);
  }
  return {values.sum(), mean};
}

// All correlations within a group, by one product of its standardised values.
MatrixF matrix_of(const Correlations& r, const std::vector<Index>& group) {
  const MatrixF& z = r.source->values;
  std::vector<Index> samples;
  std::vector<float> roots;
  for (Index i = 0; i < r.weight.size(); ++i) {
    if (r.weight[i] <= 0) continue;
    samples.push_back(i);
    roots.push_back(std::sqrt(r.weight[i]));
  }
  const auto rows = static_cast<Index>(samples.size());
  const auto size = static_cast<Index>(group.size());
  MatrixF standardised(rows, size);
  for (Index k = 0; k < size; ++k) {
    const Index j = group[at(k)];
    const float* const values = z.data() + j * z.rows();
    for (Index i = 0; i < rows; ++i) {
      standardised(i, k) = roots[at(i)] * (values[samples[at(i)]] - r.mean[j]) * r.scale[j];
    }
  }
  MatrixF result(size, size);
  prepare_blas();
  multiply(Op::transposed, Op::plain, 1.0F, tile_of(std::as_const(standardised)), tile_of(std::as_const(standardised)),
           0.0F, tile_of(result));
  return result;
}

// In double: the products are differences of large sums.
Vector product_with(const MatrixF& matrix, const Vector& x) {
  WeightedColumns columns(matrix);
  for (Index j = 0; j < matrix.cols(); ++j) {
    if (x[j] != 0) columns.add(j, x[j]);
  }
  return columns.sum();
}

}  // namespace

Correlations Correlations::among(const std::vector<Index>& kept) const {
  Correlations result;
  result.values = values(kept, kept);
  result.samples = samples;
  return result;
}

double Correlations::operator()(Index i, Index j) const {
  if (has_matrix()) return static_cast<double>(values(i, j));
  if (i == j) return 1.0;
  const MatrixF& z = source->values;
  const float products = weighted_product(z.data() + i * z.rows(), z.data() + j * z.rows(), weight.data(), z.rows());
  return static_cast<double>((products - mean[i] * mean[j]) * (scale[i] * scale[j]));
}

double Correlations::sum_between(std::span<const Index> a, std::span<const Index> b) const {
  if (!has_matrix()) return vector_of(*this, a).times(vector_of(*this, b), weight);
  double sum = 0;
  for (const Index j : b) {
    for (const Index i : a) sum += static_cast<double>(values(i, j));
  }
  return sum;
}

Matrix Correlations::sums_between(std::span<const std::vector<Index>> sets) const {
  const auto count = static_cast<Index>(sets.size());
  Matrix sums(count, count);
  if (has_matrix()) {
    for (Index a = 0; a < count; ++a) {
      for (Index b = 0; b <= a; ++b) sums(a, b) = sums(b, a) = sum_between(sets[at(b)], sets[at(a)]);
    }
    return sums;
  }
  Matrix vectors(weight.size(), count);
  Vector means(count);
  for (Index a = 0; a < count; ++a) {
    const SetVector one = vector_of(*this, sets[at(a)]);
    vectors.col(a) = one.values.array() * weight.array().cast<double>().sqrt();
    means[a] = one.mean;
  }
  prepare_blas();
  multiply(Op::transposed, Op::plain, 1.0, tile_of(std::as_const(vectors)), tile_of(std::as_const(vectors)), 0.0,
           tile_of(sums));
  sums.noalias() -= means * means.transpose();
  return sums;
}

Correlations weigh_samples(std::shared_ptr<const SampleValues> source, const Eigen::VectorXf& weight, Index samples,
                           const Context& context) {
  Correlations result;
  result.samples = samples;
  result.weight = weight / weight.sum();
  const MatrixF& z = source->values;
  result.mean.resize(z.cols());
  result.scale.resize(z.cols());
  context.parallel_for((z.cols() + features_at_once - 1) / features_at_once, [&](Index piece) {
    const Index end = std::min(z.cols(), (piece + 1) * features_at_once);
    for (Index j = piece * features_at_once; j < end; ++j) {
      const float* const x = z.data() + j * z.rows();
      const float mean = product(x, result.weight.data(), z.rows());
      const float variance = weighted_product(x, x, result.weight.data(), z.rows()) - mean * mean;
      result.mean[j] = mean;
      result.scale[j] = variance > 1e-12F ? 1.0F / std::sqrt(variance) : 0.0F;
    }
  });
  result.source = std::move(source);
  return result;
}

GroupSums::GroupSums(const Correlations& correlations, std::span<const std::vector<Index>> groups)
    : correlations_(correlations) {
  const auto count = static_cast<Index>(groups.size());
  if (correlations.has_matrix()) {
    sums_ = Matrix::Zero(correlations.features(), count);
    for (Index g = 0; g < count; ++g) {
      WeightedColumns columns(correlations.values);
      for (const Index i : groups[at(g)]) columns.add(i, 1.0);
      columns.add_to(sums_.data() + g * sums_.rows());
    }
    return;
  }
  vectors_.resize(correlations.weight.size(), count);
  means_.resize(count);
  for (Index g = 0; g < count; ++g) {
    const SetVector one = vector_of(correlations, groups[at(g)]);
    vectors_.col(g) = (one.values.array() * correlations.weight.array().cast<double>()).cast<float>();
    means_[g] = one.mean;
  }
}

void GroupSums::move(std::span<const Index> before, std::span<const Index> after) {
  std::vector<WeightedColumns> changes(at(sums_.cols()), WeightedColumns(correlations_.values));
  for (std::size_t j = 0; j < before.size(); ++j) {
    if (before[j] == after[j]) continue;
    if (before[j] >= 0) changes[at(before[j])].add(static_cast<Index>(j), -1.0);
    if (after[j] >= 0) changes[at(after[j])].add(static_cast<Index>(j), 1.0);
  }
  for (Index g = 0; g < sums_.cols(); ++g) changes[at(g)].add_to(sums_.data() + g * sums_.rows());
}

double GroupSums::from_samples(Index feature, Index group) const {
  const MatrixF& z = correlations_.source->values;
  const auto products =
      static_cast<double>(product(z.data() + feature * z.rows(), vectors_.data() + group * vectors_.rows(), z.rows()));
  const auto scale = static_cast<double>(correlations_.scale[feature]);
  return scale * (products - static_cast<double>(correlations_.mean[feature]) * means_[group]);
}

SetSums::SetSums(const Correlations& correlations, const std::vector<std::vector<Index>>& sets)
    : correlations_(correlations), sets_(sets) {
  if (correlations.has_matrix()) return;
  const auto count = static_cast<Index>(sets.size());
  vectors_.resize(correlations.weight.size(), count);
  means_.resize(count);
  for (Index k = 0; k < count; ++k) {
    const SetVector one = vector_of(correlations, sets[at(k)]);
    vectors_.col(k) = one.values;
    means_[k] = one.mean;
  }
}

double SetSums::part_with_rest(Index set, const std::vector<Index>& part) const {
  if (correlations_.has_matrix()) {
    std::vector<Index> rest;
    std::ranges::set_difference(sets_[at(set)], part, std::back_inserter(rest));
    return correlations_.sum_between(rest, part);
  }
  const SetVector inside = vector_of(correlations_, part);
  const SetVector rest{vectors_.col(set) - inside.values, means_[set] - inside.mean};
  return rest.times(inside, correlations_.weight);
}

GroupProduct::GroupProduct(const Correlations& correlations, const std::vector<Index>& group)
    : correlations_(correlations), group_(group) {
  if (correlations.has_matrix()) {
    within_ = correlations.values(group, group);
  } else if (size() <= std::min(members_of_a_matrix, correlations.source->values.rows())) {
    within_ = matrix_of(correlations, group);
  }
}

Vector GroupProduct::operator*(const Vector& x) const {
  if (within_.size() > 0) return product_with(within_, x);
  const MatrixF& z = correlations_.source->values;
  WeightedColumns columns(z);
  double mean = 0;
  for (Index i = 0; i < size(); ++i) {
    const Index j = group_[at(i)];
    const double factor = x[i] * static_cast<double>(correlations_.scale[j]);
    if (factor == 0) continue;
    columns.add(j, factor);
    mean += factor * static_cast<double>(correlations_.mean[j]);
  }
  const Eigen::VectorXf weighted = (columns.sum().array() * correlations_.weight.array().cast<double>()).cast<float>();
  Vector result(size());
  for (Index i = 0; i < size(); ++i) {
    const Index j = group_[at(i)];
    const auto products = static_cast<double>(product(z.data() + j * z.rows(), weighted.data(), z.rows()));
    result[i] =
        static_cast<double>(correlations_.scale[j]) * (products - static_cast<double>(correlations_.mean[j]) * mean);
  }
  return result;
}

Vector GroupProduct::column(Index member) const {
  if (within_.size() > 0) return within_.col(member).cast<double>();
  Vector result(size());
  for (Index i = 0; i < size(); ++i) result[i] = correlations_(group_[at(i)], group_[at(member)]);
  return result;
}

}  // namespace disc
