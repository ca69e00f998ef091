// Counts of reads: differences of depth between samples and between conditions are not differences of connection.
#include <algorithm>
#include <cmath>

#include "prepare/steps.hpp"

namespace disc {
namespace {

constexpr Index rows_at_once = 256;

template <class F>
void for_each_row(const SampleMatrix& values, F&& use) {
  const std::vector<Index> columns = all_columns(values);
  RowMatrix rows;
  for (Index first = 0; first < values.rows(); first += rows_at_once) {
    values.copy_rows(first, std::min(rows_at_once, values.rows() - first), columns, rows);
    for (Index i = 0; i < rows.rows(); ++i) use(first + i, rows.row(i));
  }
}

// Mean over samples of their sum; throws where a value cannot be a count.
double mean_depth(const Dataset& condition) {
  double total = 0;
  for_each_row(condition.values, [&](Index sample, const auto& row) {
    for (Index j = 0; j < row.size(); ++j) {
      if (row[j] >= 0 && row[j] == std::floor(row[j])) continue;
      throw InputError({.file = condition.source, .value = std::to_string(row[j])},
                       "sample '" + condition.samples[static_cast<std::size_t>(sample)] + "', feature '" +
                           condition.features[static_cast<std::size_t>(j)] + "' is " + std::to_string(row[j]) +
                           "; log-cpm needs counts: whole numbers of at least 0");
    }
    total += row.sum();
  });
  return total / static_cast<double>(condition.values.rows());
}

// Every read is kept with the same probability: what shallower sequencing would have seen.
void thin(Eigen::RowVectorXd& row, double kept, std::mt19937_64& random) {
  for (double& count : row) {
    if (count <= 0) continue;
    count =
        static_cast<double>(std::binomial_distribution<std::int64_t>(static_cast<std::int64_t>(count), kept)(random));
  }
}

SampleMatrix normalised(const Dataset& condition, double kept, double depth, const Context& context) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for_each_row(condition.values, [&](Index sample, const auto& given) {
    Eigen::RowVectorXd row = given;
    if (kept < 1) {
      std::mt19937_64 random =
          random_stream(context.seed(), "matrix/thin/" + condition.name, static_cast<std::uint64_t>(sample));
      thin(row, kept, random);
    }
    const double total = row.sum();
    for (Index j = 0; j < row.size(); ++j) {
      if (row[j] > 0) entries.emplace_back(sample, j, std::log1p(row[j] * depth / total));
    }
  });
  SparseMatrix values(condition.values.rows(), condition.values.cols());
  values.setFromTriplets(entries.begin(), entries.end());
  return condition.values.is_sparse() ? SampleMatrix(values) : SampleMatrix(RowMatrix(values));
}

}  // namespace

std::vector<Dataset> normalise_counts(std::span<const Dataset> conditions, const Context& context) {
  std::vector<double> depths;
  for (const Dataset& condition : conditions) depths.push_back(mean_depth(condition));
  const double shallowest = *std::min_element(depths.begin(), depths.end());
  std::vector<Dataset> result(conditions.begin(), conditions.end());
  for (std::size_t m = 0; m < result.size(); ++m) {
    const double kept = depths[m] > 0 ? shallowest / depths[m] : 1.0;
    result[m].values = normalised(conditions[m], kept, shallowest, context);
  }
  return result;
}

}  // namespace disc
