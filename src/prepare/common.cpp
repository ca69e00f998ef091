// What all features of a sample share: light on all pixels, a signal of the whole brain.
#include <algorithm>
#include <cmath>
#include <utility>

#include "prepare/steps.hpp"

namespace disc {
namespace {

// Three of four pairs of features must correlate by more than this. A few large groups do not: pairs of different groups do not
// correlate, and what they share is no signal of all.
constexpr double much = 1.0 / 3.0;
constexpr Index features_looked_at = 300;
constexpr Index samples_looked_at = 2000;
constexpr Index min_samples = 6;
constexpr Index min_features = 50;  // what fewer share is as likely a group

// Some samples of some features, features evenly spaced, those of all processes side by side; every column has mean 0 and length 1,
// or is 0 where it does not vary.
Matrix standardised_part(const Dataset& condition, const Team* team) {
  const SampleMatrix& values = condition.values;
  const Index share = features_looked_at / processes(team);
  const Index used = std::min(values.cols(), share);
  std::vector<Index> columns;
  for (Index j = 0; j < used; ++j) columns.push_back(j * values.cols() / used);
  const Index step = (values.rows() + samples_looked_at - 1) / samples_looked_at;
  Matrix part = Matrix::Zero((values.rows() + step - 1) / step, share * processes(team));
  auto own = part.middleCols(team != nullptr ? team->rank() * share : 0, used);
  RowMatrix row;
  for (Index i = 0; i < part.rows(); ++i) {
    values.copy_rows(i * step, 1, columns, row);
    own.row(i) = row;
  }
  own.rowwise() -= own.colwise().mean().eval();
  for (Index j = 0; j < used; ++j) {
    const double length = own.col(j).norm();
    own.col(j) *= length > 0 ? 1 / length : 0.0;
  }
  sum_over(team, {part.data(), static_cast<std::size_t>(part.size())});
  return part;
}

// Three of four correlations between two different features are above it; 0 where values are missing.
double lower_quartile_of_correlations(const Dataset& condition, const Team* team) {
  const Matrix part = standardised_part(condition, team);
  if (!part.allFinite()) return 0;
  const Matrix products = part.transpose() * part;
  std::vector<double> correlations;
  for (Index j = 0; j < products.cols(); ++j) {
    for (Index i = j + 1; i < products.rows(); ++i) {
      if (products(i, i) > 0 && products(j, j) > 0) correlations.push_back(products(i, j));
    }
  }
  if (correlations.empty()) return 0;
  const auto quarter = correlations.begin() + static_cast<std::ptrdiff_t>(correlations.size() / 4);
  std::ranges::nth_element(correlations, quarter);
  return *quarter;
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

void remove_global_signal(Preparation& work, const std::optional<bool>& wanted, const Context& context,
                          const Team* team) {
  if (wanted && !*wanted) return;
  if (!wanted) {
    for (const Dataset& condition : work.conditions) {
      const bool can = !condition.values.is_sparse() && condition.values.rows() >= min_samples &&
                       condition.values.cols() >= min_features;
      if (!can || lower_quartile_of_correlations(condition, team) <= much) return;
    }
  }
  for (Dataset& condition : work.conditions) {
    remove_mean_of_features(condition, context, team);
    work.steps.push_back({"remove-global-signal yes", condition.name, "samples changed", condition.values.rows()});
  }
  work.common_removed = true;
}

}  // namespace disc
