#include "stats/unit_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "graph/neighbor_graph.hpp"
#include "graph/prepared_columns.hpp"
#include "matrix/blas.hpp"

namespace disc {
namespace {

constexpr Index entries_at_once = 1 << 15;
constexpr Index mirror_tile = 64;
// Multiplications and additions, a minute or so: up to so many the pairs to look at are found by comparing all features. A
// small group whose pairs a search of near leaves missed would be lost, and its absence taken for a difference.
constexpr double exact_up_to = 1e13;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Where column j of the lower triangle begins.
Index column_start(Index j, Index p) { return j * p - j * (j - 1) / 2; }

// Values of the given samples, features x samples, standardised within their condition.
MatrixF standardised(const PreparedColumns& prepared, std::span<const Index> samples) {
  MatrixF values(prepared.features(), static_cast<Index>(samples.size()));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    prepared.fill_all(samples[i], 1, values.data() + static_cast<Index>(i) * prepared.features());
  }
  values *= std::sqrt(static_cast<float>(prepared.samples()));  // prepared columns have length 1
  return values;
}

// Writes the upper triangle from the lower one, tile by tile: one of the two is read or written against the grain.
void mirror(MatrixF& r) {
  const Index p = r.rows();
  for (Index col = 0; col < p; col += mirror_tile) {
    for (Index row = col; row < p; row += mirror_tile) {
      const Index last_row = std::min(p, row + mirror_tile);
      for (Index j = col; j < std::min(p, col + mirror_tile); ++j) {
        for (Index i = std::max(row, j + 1); i < last_row; ++i) r(j, i) = r(i, j);
      }
    }
  }
}

// From sums of products (lower triangle of r) and of values to correlations.
void finish(MatrixF& r, const Vector& sums, double samples) {
  const Index p = r.rows();
  const Eigen::VectorXf mean = (sums / samples).cast<float>();
  const auto share = static_cast<float>(1.0 / samples);
  Eigen::VectorXf scale(p);
  for (Index j = 0; j < p; ++j) {
    const float variance = r(j, j) * share - mean[j] * mean[j];
    scale[j] = variance > 1e-12F ? 1.0F / std::sqrt(variance) : 0.0F;
  }
  for (Index j = 0; j < p; ++j) {
    float* const column = r.data() + j * p;
    const float mean_j = mean[j];
    const float scale_j = scale[j];
    for (Index i = j; i < p; ++i) column[i] = (column[i] * share - mean[i] * mean_j) * (scale[i] * scale_j);
    column[j] = 1.0F;
  }
  mirror(r);
}

std::vector<Index> all_unless(std::span<const Index> kept, Index features) {
  std::vector<Index> result(kept.begin(), kept.end());
  if (!result.empty()) return result;
  result.resize(at(features));
  std::iota(result.begin(), result.end(), Index{0});
  return result;
}

// The conditions by the first unit of each, the largest last: an order that does not depend on their names.
std::vector<Index> largest_last(const Matrix& labels) {
  std::vector<Index> order(at(labels.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::vector<Index> first(order.size());
  for (const Index m : order) labels.col(m).maxCoeff(&first[at(m)]);
  std::ranges::sort(order, {}, [&](Index m) { return first[at(m)]; });
  const auto largest = std::ranges::max_element(order, {}, [&](Index m) { return labels.col(m).sum(); });
  std::rotate(largest, largest + 1, order.end());
  return order;
}

// Lower triangles.
void subtract(const MatrixF& part, MatrixF& from) {
  for (Index j = 0; j < part.cols(); ++j) {
    from.col(j).tail(part.rows() - j) -= part.col(j).tail(part.rows() - j);
  }
}

}  // namespace

// The conditions one below the other, as one condition would be: features near in all of them taken together are the pairs to
// look at.
void UnitSums::keep_samples(std::span<const PreparedColumns> prepared, const GraphOptions& options, const Units& units,
                            const Context& context) {
  Index total = 0;
  std::vector<Index> first_of_condition;
  for (const PreparedColumns& columns : prepared) {
    first_of_condition.push_back(total);
    total += columns.samples();
  }
  FeaturePoints points{MatrixF(total, features_), false};
  for (std::size_t m = 0; m < prepared.size(); ++m) {
    prepared[m].fill_points(points.values, first_of_condition[m], context);
    const auto rows = prepared[m].samples();
    points.values.middleRows(first_of_condition[m], rows) *= std::sqrt(static_cast<float>(rows));  // to variance 1
  }
  unit_of_row_.assign(at(total), -1);
  for (std::size_t u = 0; u < units.units.size(); ++u) {
    const Unit& unit = units.units[u];
    for (const Index sample : unit.samples) {
      unit_of_row_[at(first_of_condition[at(unit.condition)] + sample)] = static_cast<Index>(u);
    }
  }
  const Index nearest = std::min(options.knn.value_or(usual_nearest), features_ - 1);
  GraphOptions search = options;
  const auto p = static_cast<double>(features_);
  if (p * p * static_cast<double>(total) <= exact_up_to) search.knn_search = NeighborSearch::exact;
  auto kept = std::make_shared<SampleValues>();
  kept->pairs = both_ways(find_nearest(points, nearest, search, context), context);
  kept->values = std::move(points.values);
  samples_of_all_ = std::move(kept);
}

UnitSums::UnitSums(std::span<const PreparedColumns> prepared, const GraphOptions& options, const Units& units,
                   const Sampling& sampling, const Context& context)
    : features_(prepared[0].features()) {
  prepare_blas();
  const Index count = static_cast<Index>(units.units.size());
  Index total = 0;
  for (const Unit& unit : units.units) total += static_cast<Index>(unit.samples.size());
  weights_ = UnitWeights(units, sampling, total);
  if (options.form == GraphForm::knn) {
    keep_samples(prepared, options, units, context);
    return;
  }
  const bool keep_rows = total == count;
  std::vector<Index> first_row(at(count) + 1, 0);
  for (Index u = 0; u < count; ++u) {
    first_row[at(u + 1)] = first_row[at(u)] + static_cast<Index>(units.units[at(u)].samples.size());
  }
  const Index length = column_start(features_, features_);
  if (keep_rows) {
    rows_.resize(features_, total);
    unit_of_row_.resize(at(total));
  } else {
    products_.resize(at(count * length));
    sums_.resize(features_, count);
  }
  context.parallel_for(count, [&](Index u) {
    const Unit& unit = units.units[at(u)];
    MatrixF values = standardised(prepared[at(unit.condition)], unit.samples);
    if (sampling.centered) values.colwise() -= values.rowwise().mean().eval();
    values *= static_cast<float>(std::sqrt(weights_.factor[u]));
    if (keep_rows) {
      rows_.middleCols(first_row[at(u)], values.cols()) = values;
      std::fill_n(unit_of_row_.begin() + first_row[at(u)], values.cols(), u);
      return;
    }
    sums_.col(u) = std::sqrt(weights_.factor[u]) * values.cast<double>().rowwise().sum();
    MatrixF square(features_, features_);
    multiply_self(tile_of(std::as_const(values)), 0.0F, tile_of(square));
    float* out = products_.data() + u * length;
    for (Index j = 0; j < features_; ++j) out = std::copy_n(&square(j, j), features_ - j, out);
  });
  if (keep_rows) all_ = from_rows(Vector::Ones(count), all_unless({}, features_));
}

UnitSums::Sums UnitSums::from_rows(const Vector& weights, std::span<const Index> kept) const {
  Index used = 0;
  for (const Index unit : unit_of_row_) used += weights[unit] > 0 ? 1 : 0;
  const auto features = static_cast<Index>(kept.size());
  Sums result{MatrixF(features, features), Vector::Zero(features)};
  MatrixF values(features, used);
  Index next = 0;
  for (std::size_t row = 0; row < unit_of_row_.size(); ++row) {
    const Index unit = unit_of_row_[row];
    if (weights[unit] <= 0) continue;
    const float root = std::sqrt(static_cast<float>(weights[unit]));
    const double factor = weights[unit] * std::sqrt(weights_.factor[unit]);
    const float* const of_row = rows_.data() + static_cast<Index>(row) * features_;
    float* const to = values.data() + next++ * features;
    for (Index j = 0; j < features; ++j) {
      to[j] = root * of_row[kept[at(j)]];
      result.values[j] += factor * static_cast<double>(of_row[kept[at(j)]]);
    }
  }
  multiply_self(tile_of(std::as_const(values)), 0.0F, tile_of(result.products));
  return result;
}

Correlations UnitSums::as_correlations(Sums sums, const Vector& weights) const {
  Correlations result;
  result.values = std::move(sums.products);
  result.samples = weights_.effective(weights);
  finish(result.values, sums.values, weights_.totals.dot(weights));
  return result;
}

// All selections at once: a product of the units' sums with the weights is many times faster than one sum after the other.
std::vector<Correlations> UnitSums::from_sums(const MatrixF& weights, const Context& context) const {
  const Index length = column_start(features_, features_);
  const Index units = weights.rows();
  MatrixF packed(length, weights.cols());
  context.parallel_for((length + entries_at_once - 1) / entries_at_once, [&](Index chunk) {
    const Index first = chunk * entries_at_once;
    const Index count = std::min(entries_at_once, length - first);
    multiply(Op::plain, Op::plain, 1.0F, {products_.data() + first, count, units, length}, tile_of(weights), 0.0F,
             {packed.data() + first, count, weights.cols(), length});
  });
  std::vector<Correlations> results(at(weights.cols()));
  context.parallel_for(weights.cols(), [&](Index b) {
    MatrixF& r = results[at(b)].values;
    r.resize(features_, features_);
    const float* in = packed.data() + b * length;
    for (Index j = 0; j < features_; ++j) {
      std::copy_n(in, features_ - j, &r(j, j));
      in += features_ - j;
    }
  });
  return results;
}

std::vector<Correlations> UnitSums::combine(const MatrixF& weights, const Context& context,
                                            std::span<const Index> kept) const {
  prepare_blas();
  std::vector<Correlations> results(at(weights.cols()));
  const Matrix counts = weights.cast<double>();
  if (samples_of_all_ != nullptr) {
    for (Index b = 0; b < weights.cols(); ++b) {
      Eigen::VectorXf of_sample(static_cast<Index>(unit_of_row_.size()));
      for (Index i = 0; i < of_sample.size(); ++i) {
        const Index unit = unit_of_row_[at(i)];
        of_sample[i] = unit < 0 ? 0.0F : weights(unit, b);  // some samples of a unit may take no part
      }
      results[at(b)] = weigh_samples(samples_of_all_, of_sample, weights_.effective(counts.col(b)), context);
    }
    return results;
  }
  const std::vector<Index> features = all_unless(kept, features_);
  if (!products_.empty()) results = from_sums(weights, context);
  context.parallel_for(weights.cols(), [&](Index b) {
    Correlations& result = results[at(b)];
    const Vector own = counts.col(b);
    if (products_.empty()) {
      result = as_correlations(from_rows(own, features), own);
      return;
    }
    if (!kept.empty()) result = result.among(features);
    result = as_correlations({std::move(result.values), (sums_ * own)(features)}, own);
  });
  return results;
}

std::vector<Correlations> UnitSums::combine_labellings(const MatrixF& weights, Index conditions, const Context& context,
                                                       std::span<const Index> kept) const {
  if (rows_.size() == 0) return combine(weights, context, kept);
  prepare_blas();
  const std::vector<Index> features = all_unless(kept, features_);
  std::vector<Correlations> results(at(weights.cols()));
  context.parallel_for(weights.cols() / conditions, [&](Index b) {
    const Matrix own = weights.middleCols(b * conditions, conditions).cast<double>();
    const std::vector<Index> order = largest_last(own);
    Sums left{all_.products(features, features), all_.values(features)};
    for (const Index m : std::span(order).first(order.size() - 1)) {
      Sums of_condition = from_rows(own.col(m), features);
      subtract(of_condition.products, left.products);
      left.values -= of_condition.values;
      results[at(b * conditions + m)] = as_correlations(std::move(of_condition), own.col(m));
    }
    results[at(b * conditions + order.back())] = as_correlations(std::move(left), own.col(order.back()));
  });
  return results;
}

}  // namespace disc
