#include "stats/set_connections.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "matrix/blas.hpp"

namespace disc {
namespace {

constexpr Index numbers_at_once = 1 << 20;
constexpr Index most_columns = 512;
constexpr float least_variance = 1e-12F;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

MatrixF product(const MatrixF& a, const MatrixF& b) {
  MatrixF result(a.rows(), b.cols());
  multiply(Op::plain, Op::plain, 1.0F, tile_of(a), tile_of(b), 0.0F, tile_of(result));
  return result;
}

Index packed_size(Index size) { return size * (size + 1) / 2; }

// The members of one set: what every labelling is computed from.
class Members {
 public:
  Members(const UnitValues& all, std::span<const Index> members, std::span<const std::int8_t> sign, Index units) {
    const auto size = static_cast<Index>(members.size());
    const Index samples = all.values.rows();
    values_.resize(samples, size);
    for (Index j = 0; j < size; ++j) {
      const float flip = !sign.empty() && sign[at(j)] < 0 ? -1.0F : 1.0F;
      values_.col(j) = flip * all.values.col(members[at(j)]);
    }
    sums_ = squares_ = MatrixF::Zero(size, units);
    for (Index i = 0; i < samples; ++i) {
      const Index unit = all.unit_of_row[at(i)];
      if (unit < 0) continue;
      sums_.col(unit) += values_.row(i).transpose();
      squares_.col(unit) += values_.row(i).transpose().cwiseAbs2();
    }
    // Few large units: their products are smaller than their values.
    if (packed_size(size) * units < samples * size) take_products(all.unit_of_row, units);
  }
  Index size() const { return values_.cols(); }
  Index rows() const { return has_products_ ? packed_size(size()) : values_.rows(); }
  const MatrixF& sums() const { return sums_; }
  const MatrixF& squares() const { return squares_; }

  /// Sum over samples of weight times the squared sum of the members times `scale`, per column. `weights`: units x columns.
  Vector squared_sums(const MatrixF& weights, const MatrixF& scale, const std::vector<Index>& unit_of_row) const {
    return has_products_ ? by_products(weights, scale) : by_samples(weights, scale, unit_of_row);
  }

 private:
  void take_products(const std::vector<Index>& unit_of_row, Index units) {
    has_products_ = true;
    std::vector<std::vector<Index>> rows(at(units));
    for (std::size_t i = 0; i < unit_of_row.size(); ++i) {
      if (unit_of_row[i] >= 0) rows[at(unit_of_row[i])].push_back(static_cast<Index>(i));
    }
    products_.resize(packed_size(size()), units);
    MatrixF square(size(), size());
    for (Index u = 0; u < units; ++u) {
      const MatrixF own = values_(rows[at(u)], Eigen::all).transpose();
      multiply_self(tile_of(own), 0.0F, tile_of(square));
      float* out = products_.col(u).data();
      for (Index j = 0; j < size(); ++j) out = std::copy_n(&square(j, j), size() - j, out);
    }
  }

  Vector by_products(const MatrixF& weights, const MatrixF& scale) const {
    const MatrixF packed = product(products_, weights);
    Vector result = Vector::Zero(weights.cols());
    for (Index b = 0; b < weights.cols(); ++b) {
      const float* in = packed.col(b).data();
      for (Index j = 0; j < size(); ++j) {
        const Index below = size() - j - 1;
        const float own = scale(j, b) * in[0];
        const float others = scale.col(b).tail(below).dot(Eigen::Map<const Eigen::VectorXf>(in + 1, below));
        result[b] += static_cast<double>(scale(j, b) * (own + 2.0F * others));
        in += below + 1;
      }
    }
    return result;
  }

  Vector by_samples(const MatrixF& weights, const MatrixF& scale, const std::vector<Index>& unit_of_row) const {
    const MatrixF sums = product(values_, scale);
    Vector result = Vector::Zero(weights.cols());
    for (Index b = 0; b < weights.cols(); ++b) {
      double sum = 0;
      for (Index i = 0; i < sums.rows(); ++i) {
        const Index unit = unit_of_row[at(i)];
        if (unit >= 0) sum += static_cast<double>(weights(unit, b) * sums(i, b) * sums(i, b));
      }
      result[b] = sum;
    }
    return result;
  }

  MatrixF values_;             // samples x members
  MatrixF sums_, squares_;     // members x units
  bool has_products_ = false;  // lower triangles, one column per unit
  MatrixF products_;
};

// c(S) for the columns of weights (units x columns).
Vector connections(const Members& members, const MatrixF& weights, const Vector& samples,
                   const std::vector<Index>& unit_of_row) {
  const Index size = members.size();
  const Matrix sums = product(members.sums(), weights).cast<double>();
  const Matrix squares = product(members.squares(), weights).cast<double>();
  MatrixF scale(size, weights.cols());
  Vector offset = Vector::Zero(weights.cols());
  Vector constant = offset;  // members that do not vary: each is connected with itself alone
  for (Index b = 0; b < weights.cols(); ++b) {
    for (Index j = 0; j < size; ++j) {
      const double mean = sums(j, b) / samples[b];
      const double variance = squares(j, b) / samples[b] - mean * mean;
      const bool varies = variance > static_cast<double>(least_variance);
      const double factor = varies ? 1.0 / std::sqrt(variance) : 0.0;
      scale(j, b) = static_cast<float>(factor);
      offset[b] += mean * factor;
      constant[b] += varies ? 0.0 : 1.0;
    }
  }
  const Vector variance =
      members.squared_sums(weights, scale, unit_of_row).array() / samples.array() - offset.array().square();
  return (variance + constant).array() / static_cast<double>(size) - 1.0;
}

}  // namespace

Matrix connections_of_set(const UnitValues& all, std::span<const Index> members, std::span<const std::int8_t> sign,
                          const UnitWeights& weights, const Labels& labels, Index conditions, const Context& context) {
  prepare_blas();
  const Index units = labels.rows();
  const Members own(all, members, sign, units);
  const Index at_once = std::max<Index>(1, std::min(numbers_at_once / own.rows(), most_columns) / conditions);
  Matrix result(labels.cols(), conditions);
  context.parallel_for((labels.cols() + at_once - 1) / at_once, [&](Index batch) {
    const Index first = batch * at_once;
    const Index count = std::min(at_once, labels.cols() - first);
    MatrixF counted = MatrixF::Zero(units, count * conditions);
    Vector samples = Vector::Zero(count * conditions);
    for (Index b = 0; b < count; ++b) {
      for (Index u = 0; u < units; ++u) {
        const Index column = b * conditions + labels(u, first + b);
        counted(u, column) = static_cast<float>(weights.factor[u]);
        samples[column] += weights.totals[u];
      }
    }
    const Vector found = connections(own, counted, samples, all.unit_of_row);
    for (Index b = 0; b < count; ++b) result.row(first + b) = found.segment(b * conditions, conditions);
  });
  return result;
}

}  // namespace disc
