#include "stats/searched_features.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "disc/correlations.hpp"
#include "matrix/blas.hpp"
#include "stats/policy.hpp"
#include "stats/projection.hpp"

namespace disc {
namespace {

constexpr Index values_at_once = 1 << 22;  // 16 MB: what is on the disk is not held in memory

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Index samples_of(std::span<const PreparedColumns> prepared) {
  Index samples = 0;
  for (const PreparedColumns& condition : prepared) samples += condition.samples();
  return samples;
}

Index affordable_with(Index rows) {
  const auto per_pair = static_cast<double>(rows + policy::samples_worth_a_search);
  return std::max(policy::min_features_searched, static_cast<Index>(std::sqrt(policy::max_cost_of_search / per_pair)));
}

// As many as one labelling can afford. Sums of units are fewer rows than their samples.
Index affordable(Index samples, Index features, bool has_units) {
  const Index by_samples = affordable_with(samples);
  const Index by_sums = affordable_with(std::min(samples, policy::max_units));
  const auto searched = static_cast<double>(std::min(features, by_sums));
  const bool keeps_sums =
      has_units || searched * searched * static_cast<double>(samples) > policy::max_products_of_samples;
  return keeps_sums ? by_sums : by_samples;
}

// Correlations within the conditions, averaged.
Correlations together(std::span<const PreparedColumns> prepared) {
  const Index p = prepared[0].features();
  Correlations all;
  all.samples = samples_of(prepared);
  all.values.resize(p, p);
  const Index at_once = std::max<Index>(1, values_at_once / p);
  float earlier = 0.0F;
  for (const PreparedColumns& condition : prepared) {
    for (Index first = 0; first < condition.samples(); first += at_once) {
      MatrixF values(p, std::min(at_once, condition.samples() - first));
      condition.fill_all(first, values.cols(), values.data());
      multiply_self(tile_of(std::as_const(values)), earlier, tile_of(all.values));
      earlier = 1.0F;
    }
  }
  all.values = all.values.selfadjointView<Eigen::Lower>();
  all.values /= static_cast<float>(prepared.size());
  return all;
}

// Sum of squares: large groups come first.
Vector by_all_partners(const MatrixF& r) { return r.colwise().squaredNorm().cast<double>().transpose(); }

// Mean of the largest: small groups come first, once what many share is taken out.
Vector by_closest_partners(const MatrixF& r, const Context& context) {
  Vector result(r.cols());
  context.parallel_for(r.cols(), [&](Index j) {
    std::vector<float> column(at(r.rows()));
    for (Index i = 0; i < r.rows(); ++i) column[at(i)] = i == j ? 0.0F : std::abs(r(i, j));
    const Index count = std::min(policy::closest_partners, r.rows());
    std::ranges::partial_sort(column, column.begin() + count, std::greater<>());
    result[j] = std::accumulate(column.begin(), column.begin() + count, 0.0) / static_cast<double>(count);
  });
  return result;
}

std::vector<Index> falling(const Vector& values) {
  std::vector<Index> order(at(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return values[a] > values[b]; });
  return order;
}

// The first of every order, the second of every order, and so on.
std::vector<Index> in_turn(std::span<const std::vector<Index>> orders, Index wanted) {
  std::vector<bool> is_chosen(orders[0].size(), false);
  std::vector<Index> chosen;
  for (std::size_t place = 0; static_cast<Index>(chosen.size()) < wanted; ++place) {
    for (const std::vector<Index>& order : orders) {
      if (is_chosen[at(order[place])] || static_cast<Index>(chosen.size()) == wanted) continue;
      is_chosen[at(order[place])] = true;
      chosen.push_back(order[place]);
    }
  }
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

std::vector<Index> features_to_search(std::span<const PreparedColumns> prepared, bool has_units,
                                      const Context& context) {
  const Index wanted = affordable(samples_of(prepared), prepared[0].features(), has_units);
  if (prepared[0].features() <= wanted) return {};
  const Correlations all = together(prepared);
  const Index most = *std::ranges::max_element(policy::directions_of_search);
  const MatrixF random = random_directions(all.features(), most + policy::spare_directions, context.seed());
  MatrixF basis = leading_directions(all.values, random, policy::steps_at_first).vectors;
  orthonormalize(basis);
  const MatrixF product = times(all, basis);
  std::vector<std::vector<Index>> orders{falling(by_all_partners(all.values))};
  for (const Index directions : policy::directions_of_search) {
    const ProjectedCorrelations residual(all, basis, product, std::min(directions, basis.cols()));
    orders.push_back(falling(by_closest_partners(residual.matrix(), context)));
  }
  return in_turn(orders, wanted);
}

}  // namespace disc
