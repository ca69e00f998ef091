#include "stats/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "stats/policy.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Features that are looked at: all, or some of very many.
std::vector<Index> some_features(Index features) {
  const Index step = (features + policy::features_looked_at - 1) / policy::features_looked_at;
  std::vector<Index> chosen;
  for (Index j = 0; j < features; j += step) chosen.push_back(j);
  return chosen;
}

RowMatrix values_of(const PreparedColumns& condition, std::span<const Index> features, Index most) {
  RowMatrix values;
  condition.fill(0, std::min(condition.samples(), most), features, values);
  return values;
}

// Per condition and sample: the unit, or -1.
std::vector<std::vector<Index>> units_of_samples(std::span<const PreparedColumns> conditions,
                                                 std::span<const Unit> units) {
  std::vector<std::vector<Index>> result;
  for (const PreparedColumns& condition : conditions) result.emplace_back(at(condition.samples()), -1);
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (const Index i : units[u].samples) result[at(units[u].condition)][at(i)] = static_cast<Index>(u);
  }
  return result;
}

// Samples over which products of two features are alike.
double correlation_time(double f) { return (1.0 + f * f) / (1.0 - f * f); }

Index block_length(double f) {
  return static_cast<Index>(std::ceil(policy::block_in_correlation_times * correlation_time(f)));
}

// Contiguous blocks, as equal in size as can be, with as many samples between them as are told.
std::vector<Unit> blocks_of(std::span<const PreparedColumns> conditions, Index length, Index gap) {
  std::vector<Unit> blocks;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    const Index samples = conditions[m].samples();
    const Index count = std::max<Index>(2, samples / length);
    for (Index b = 0; b < count; ++b) {
      Unit block{static_cast<Index>(m), 0, {}};
      const Index end = (b + 1) * (samples + gap) / count - gap;
      for (Index i = b * (samples + gap) / count; i < end; ++i) block.samples.push_back(i);
      blocks.push_back(std::move(block));
    }
  }
  return blocks;
}

bool has_strata(const Units& units) {
  return std::ranges::any_of(units.units, [](const Unit& unit) { return unit.stratum != 0; });
}

void make_blocks(std::span<const PreparedColumns> conditions, const StatisticsOptions& options, Units& units,
                 Sampling& sampling) {
  Index fewest = conditions[0].samples();
  double samples = 0;
  for (const PreparedColumns& condition : conditions) {
    fewest = std::min(fewest, condition.samples());
    samples += static_cast<double>(condition.samples());
  }
  // Where features go together their median varies as that of one feature would.
  const double by_chance = policy::errors_of_autocorrelation / std::sqrt(samples);
  const double f = std::min(sampling.autocorrelation, policy::max_autocorrelation);
  const bool depends = f > std::max(policy::min_autocorrelation, by_chance) && fewest >= policy::min_samples_for_blocks;
  Index length = options.block.value_or(depends ? block_length(f) : 0);
  if (!options.block) length = std::min(length, fewest / policy::min_blocks);
  if (length < 2 || has_strata(units)) return;
  sampling.block = length;
  if (depends) {
    const auto gap = static_cast<Index>(std::ceil(policy::gap_in_correlation_times * correlation_time(f)));
    sampling.gap = std::min(gap, length / 2);
    sampling.effective_share = std::max(1.0 / correlation_time(f), 2.0 / static_cast<double>(length - sampling.gap));
  }
  units.units = blocks_of(conditions, length, sampling.gap);
  units.named = static_cast<Index>(units.units.size());
  units.samples_are_units = false;
}

// Sizes of the units of one condition and stratum, ascending, with the units.
struct RankedUnits {
  std::vector<double> sizes;
  std::vector<std::size_t> units;
};

double quantile(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  const double place = std::clamp(share * static_cast<double>(sorted.size()) - 0.5, 0.0, last);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Per stratum and condition.
std::map<Index, std::map<Index, RankedUnits>> ranked(const Units& units) {
  std::vector<std::size_t> order(units.units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t u) { return units.units[u].samples.size(); });
  std::map<Index, std::map<Index, RankedUnits>> result;
  for (const std::size_t u : order) {
    RankedUnits& cell = result[units.units[u].stratum][units.units[u].condition];
    cell.sizes.push_back(static_cast<double>(units.units[u].samples.size()));
    cell.units.push_back(u);
  }
  return result;
}

// Mean noise of a unit, by which conditions must not differ: that of the smallest counts most.
double mean_inverse(const std::vector<double>& sizes) {
  double sum = 0;
  for (const double size : sizes) sum += 1.0 / size;
  return sum / static_cast<double>(sizes.size());
}

bool differ_in_size(const std::map<Index, RankedUnits>& conditions) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const auto& [condition, cell] : conditions) {
    least = std::min(least, mean_inverse(cell.sizes));
    most = std::max(most, mean_inverse(cell.sizes));
  }
  return most > policy::max_ratio_of_noise * least;
}

// Evenly spread over the unit.
std::vector<Index> some_samples(const std::vector<Index>& samples, Index count) {
  std::vector<Index> chosen;
  const auto all = static_cast<Index>(samples.size());
  for (Index i = 0; i < count; ++i) chosen.push_back(samples[at((2 * i + 1) * all / (2 * count))]);
  return chosen;
}

// Where the units of one condition are larger than those of another, correlations are noisier in one, and a permutation mixes what
// the truth keeps apart. Then the unit of a rank counts with as many samples in every condition.
void match_sizes(Units& units, Sampling& sampling) {
  for (const auto& [stratum, conditions] : ranked(units)) {
    if (!differ_in_size(conditions)) continue;
    sampling.matched = true;
    for (const auto& [condition, cell] : conditions) {
      for (std::size_t rank = 0; rank < cell.units.size(); ++rank) {
        const double share = (static_cast<double>(rank) + 0.5) / static_cast<double>(cell.units.size());
        double size = cell.sizes[rank];
        for (const auto& [other, others] : conditions) size = std::min(size, quantile(others.sizes, share));
        std::vector<Index>& samples = units.units[cell.units[rank]].samples;
        samples = some_samples(samples, std::max<Index>(1, std::lround(size)));
      }
    }
  }
}

void compare_within_units(std::span<const PreparedColumns> conditions, Units& units, Sampling& sampling,
                          const Context& context) {
  match_sizes(units, sampling);
  std::vector<double> sizes;
  for (const Unit& unit : units.units) sizes.push_back(static_cast<double>(unit.samples.size()));
  const auto [smallest, largest] = std::ranges::minmax(sizes);
  sampling.weighted = largest > policy::max_size_ratio * smallest;
  const double size = median(sizes);
  if (size < 2) return;
  const double similarity = similarity_within(conditions, units, context);
  sampling.similarity = similarity;
  sampling.centered = similarity < policy::similarity_of_repeats && size >= policy::min_size_to_center;
  if (similarity >= policy::similarity_of_repeats) {
    sampling.effective_share = 1.0 / (1.0 + (size - 1.0) * similarity);
  } else if (sampling.autocorrelation > policy::min_autocorrelation) {
    const double f = std::min(sampling.autocorrelation, policy::max_autocorrelation);
    sampling.effective_share = std::max(1.0 / correlation_time(f), 2.0 / size);
  }
}

}  // namespace

double autocorrelation(std::span<const PreparedColumns> conditions, std::span<const Unit> units,
                       const Context& context) {
  const std::vector<Index> features = some_features(conditions[0].features());
  const auto unit_of = units_of_samples(conditions, units);
  std::vector<double> sums(features.size(), 0.0);
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    context.check_stop();
    const RowMatrix values = values_of(conditions[m], features, policy::samples_looked_at);
    Vector products = Vector::Zero(values.cols());
    Index pairs = 0;
    for (Index i = 0; i + 1 < values.rows(); ++i) {
      if (!units.empty() && unit_of[m][at(i)] != unit_of[m][at(i + 1)]) continue;
      products.array() += (values.row(i).array() * values.row(i + 1).array()).transpose();
      ++pairs;
    }
    if (pairs == 0) continue;
    // Columns have length 1, so that a value has the mean square 1 / n. An estimate f is too small by (1 + 3 f) / n (Kendall 1954).
    const double n = static_cast<double>(conditions[m].samples());
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const double f = products[static_cast<Index>(j)] * n / static_cast<double>(pairs);
      sums[j] += (f + (1.0 + 3.0 * std::max(0.0, f)) / n) / static_cast<double>(conditions.size());
    }
  }
  return median(sums);
}

double similarity_within(std::span<const PreparedColumns> conditions, const Units& units, const Context& context) {
  const std::vector<Index> features = some_features(conditions[0].features());
  const auto p = static_cast<Index>(features.size());
  const auto unit_of = units_of_samples(conditions, units.units);
  Vector between = Vector::Zero(p);
  Vector total = Vector::Zero(p);
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    context.check_stop();
    const RowMatrix values = values_of(conditions[m], features, conditions[m].samples()) *
                             std::sqrt(static_cast<double>(conditions[m].samples()));
    Matrix sums = Matrix::Zero(p, static_cast<Index>(units.units.size()));
    for (Index i = 0; i < values.rows(); ++i) {
      if (unit_of[m][at(i)] >= 0) sums.col(unit_of[m][at(i)]) += values.row(i).transpose();
    }
    for (std::size_t u = 0; u < units.units.size(); ++u) {
      if (units.units[u].condition != static_cast<Index>(m)) continue;
      between += sums.col(static_cast<Index>(u)).cwiseAbs2() / static_cast<double>(units.units[u].samples.size());
    }
    total += values.colwise().squaredNorm().transpose();
  }
  double samples = 0;
  double squares = 0;
  for (const Unit& unit : units.units) {
    const auto size = static_cast<double>(unit.samples.size());
    samples += size;
    squares += size * size;
  }
  const auto count = static_cast<double>(units.units.size());
  const auto groups = static_cast<double>(conditions.size());
  const double typical = (samples - squares / samples) / (count - 1.0);
  if (samples <= count || count <= groups) return 0;
  std::vector<double> shares;
  for (Index j = 0; j < p; ++j) {
    const double mean_between = between[j] / (count - groups);
    const double mean_within = (total[j] - between[j]) / (samples - count);
    shares.push_back((mean_between - mean_within) / (mean_between + (typical - 1.0) * mean_within));
  }
  return std::max(0.0, median(std::move(shares)));
}

Sampling look_at_samples(std::span<const PreparedColumns> conditions, const StatisticsOptions& options, Units& units,
                         const Context& context) {
  Sampling sampling;
  if (units.samples_are_units) {
    sampling.autocorrelation = autocorrelation(conditions, {}, context);
    make_blocks(conditions, options, units, sampling);
  } else {
    sampling.autocorrelation = autocorrelation(conditions, units.units, context);
    compare_within_units(conditions, units, sampling, context);
  }
  for (const Unit& unit : units.units) sampling.samples_used += static_cast<Index>(unit.samples.size());
  return sampling;
}

}  // namespace disc
