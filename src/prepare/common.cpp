// What all features of a sample share: light on all pixels, a signal of the whole brain.
#include <algorithm>
#include <cmath>
#include <utility>

#include "prepare/steps.hpp"

namespace disc {
namespace {

constexpr double much = 1.0 / 3.0;          // mean correlation between features above which what they share is removed
constexpr Index features_looked_at = 2000;  // to find the mean correlation
constexpr Index fewest_samples = 6;
constexpr Index fewest_features = 50;  // what fewer share is as likely a group

// Calls look(first, block) for all rows, some at a time: the values may be larger than the memory.
template <class F>
void for_blocks_of_rows(const SampleMatrix& values, std::span<const Index> columns, F&& look) {
  constexpr Index rows_at_once = 1024;
  RowMatrix block;
  for (Index first = 0; first < values.rows(); first += rows_at_once) {
    values.copy_rows(first, std::min(rows_at_once, values.rows() - first), columns, block);
    look(first, std::as_const(block));
  }
}

// Mean correlation between two different features: from the variance of the mean of the standardised features.
double mean_correlation(const Dataset& condition, const Team* team) {
  const SampleMatrix& values = condition.values;
  const Index samples = values.rows();
  const Index used = std::min(values.cols(), features_looked_at / processes(team));
  std::vector<Index> columns;
  for (Index j = 0; j < used; ++j) columns.push_back(j * values.cols() / used);
  Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(used);
  for_blocks_of_rows(values, columns, [&](Index, const RowMatrix& block) { mean += block.colwise().sum(); });
  mean /= static_cast<double>(samples);
  Eigen::RowVectorXd length = Eigen::RowVectorXd::Zero(used);
  for_blocks_of_rows(values, columns, [&](Index, const RowMatrix& block) {
    length += (block.rowwise() - mean).colwise().squaredNorm();
  });
  const Vector inverse =
      length.transpose().unaryExpr([](double squared) { return squared > 0 ? 1 / std::sqrt(squared) : 0.0; });
  Vector sums(samples + 1);  // and the number of features
  for_blocks_of_rows(values, columns, [&](Index first, const RowMatrix& block) {
    sums.segment(first, block.rows()) = (block.rowwise() - mean) * inverse;
  });
  sums[samples] = static_cast<double>((inverse.array() > 0).count());
  sum_over(team, {sums.data(), static_cast<std::size_t>(sums.size())});
  const double count = sums[samples];
  if (count < 2) return 0;
  return (sums.head(samples).squaredNorm() - count) / (count * (count - 1));
}

// x_j - s_j c: c is the mean of all standardised features, s_j the standard deviation. Means stay as they are.
void remove_mean_of_features(Dataset& condition, const Context& context, const Team* team) {
  RowMatrix values = dense_copy(condition.values);
  const auto samples = static_cast<double>(values.rows());
  const Eigen::RowVectorXd mean = values.colwise().mean();
  Eigen::RowVectorXd deviation = Eigen::RowVectorXd::Zero(values.cols());
  for (Index i = 0; i < values.rows(); ++i) deviation.array() += (values.row(i) - mean).array().square();
  deviation = (deviation / samples).cwiseSqrt();
  const Eigen::RowVectorXd inverse = deviation.unaryExpr([](double s) { return s > 0 ? 1.0 / s : 0.0; });
  Vector sums(values.rows() + 1);  // of the standardised features of every sample, and the number of those that vary
  context.parallel_for(values.rows(), [&](Index i) { sums[i] = (values.row(i) - mean).dot(inverse); });
  sums[values.rows()] = static_cast<double>((inverse.array() > 0).count());
  sum_over(team, {sums.data(), static_cast<std::size_t>(sums.size())});
  const double varying = std::max(1.0, sums[values.rows()]);
  context.parallel_for(values.rows(), [&](Index i) { values.row(i) -= sums[i] / varying * deviation; });
  condition.values = SampleMatrix(std::move(values));
}

}  // namespace

void remove_common(Preparation& work, const std::optional<bool>& wanted, const Context& context, const Team* team) {
  if (wanted && !*wanted) return;
  if (!wanted) {
    for (const Dataset& condition : work.conditions) {
      const bool can = !condition.values.is_sparse() && condition.values.rows() >= fewest_samples &&
                       condition.values.cols() >= fewest_features;
      const double mean = can ? mean_correlation(condition, team) : 0.0;
      if (!(mean > much)) return;  // also where values are missing
    }
  }
  for (Dataset& condition : work.conditions) {
    remove_mean_of_features(condition, context, team);
    work.steps.push_back({"remove-common yes", condition.name, "samples changed", condition.values.rows()});
  }
  work.common_removed = true;
}

}  // namespace disc
