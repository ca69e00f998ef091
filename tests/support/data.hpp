// Small data sets for tests.
#pragma once

#include <numeric>
#include <random>

#include "disc/matrix.hpp"

namespace disc::testing_support {

inline RowMatrix normal_values(Index rows, Index cols, std::uint64_t seed) {
  std::mt19937_64 stream = random_stream(seed, "test/normal");
  std::normal_distribution<double> normal;
  RowMatrix values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = normal(stream);
  return values;
}

inline Dataset make_dataset(std::string name, RowMatrix values) {
  Dataset data;
  data.name = std::move(name);
  data.features = numbered_names("f", values.cols());
  data.samples = numbered_names("s", values.rows());
  data.features_named = false;
  data.values = SampleMatrix(std::move(values));
  return data;
}

inline std::vector<Index> all_of(Index count) {
  std::vector<Index> columns(static_cast<std::size_t>(count));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

/// Noise with one correlated group per entry of `groups`: {first feature, size}.
inline RowMatrix grouped_values(Index rows, Index cols, const std::vector<std::pair<Index, Index>>& groups,
                                std::uint64_t seed, double strength = 1.0) {
  RowMatrix values = normal_values(rows, cols, seed);
  const RowMatrix factors = normal_values(rows, static_cast<Index>(groups.size()), seed + 1000);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (Index j = groups[g].first; j < groups[g].first + groups[g].second; ++j) {
      values.col(j) = 0.5 * values.col(j) + strength * factors.col(static_cast<Index>(g));
    }
  }
  return values;
}

inline Context threads(int count, std::uint64_t seed = 0) {
  Context::Settings settings;
  settings.threads = count;
  settings.seed = seed;
  return Context(settings);
}

}  // namespace disc::testing_support
