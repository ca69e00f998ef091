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
// Standard errors. Size factors of standard deviation 0.1 and 0.5 reached 7 to 28; a signal that adds stays below 4.
constexpr double growth_of_factor = 4.0;

// Some samples of some features, features evenly spaced, those of all processes side by side; every column has mean 0 and length 1,
// or is 0 where it does not vary.
Matrix standardized_part(const Dataset& condition, const Team* team) {
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
  const Matrix part = standardized_part(condition, team);
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

// c of every sample: the mean of all standardized features.
struct Signal {
  Eigen::RowVectorXd mean, deviation, inverse;
  Vector of_samples;
};

Signal signal_of(const RowMatrix& values, const Context& context, const Team* team) {
  Signal signal;
  signal.mean = values.colwise().mean();
  signal.deviation = Eigen::RowVectorXd::Zero(values.cols());
  for (Index i = 0; i < values.rows(); ++i) signal.deviation.array() += (values.row(i) - signal.mean).array().square();
  signal.deviation = (signal.deviation / static_cast<double>(values.rows())).cwiseSqrt();
  signal.inverse = signal.deviation.unaryExpr([](double s) { return s > 0 ? 1.0 / s : 0.0; });
  Vector sums(values.rows() + 1);  // of the standardized features of every sample, and the number of those that vary
  context.parallel_for(values.rows(), [&](Index i) { sums[i] = (values.row(i) - signal.mean).dot(signal.inverse); });
  sums[values.rows()] = static_cast<double>((signal.inverse.array() > 0).count());
  sum_over(team, {sums.data(), static_cast<std::size_t>(sums.size())});
  signal.of_samples = sums.head(values.rows()) / std::max(1.0, sums[values.rows()]);
  return signal;
}

// x_j - s_j c: s_j is the standard deviation. Means stay as they are.
void subtract(const Signal& signal, RowMatrix& values, const Context& context) {
  context.parallel_for(values.rows(), [&](Index i) { values.row(i) -= signal.of_samples[i] * signal.deviation; });
}

// Slope of log(mean square of what is left of a sample) on its signal, in standard errors.
double growth_with(const Signal& signal, const RowMatrix& values, const Context& context, const Team* team) {
  Vector left(values.rows());
  context.parallel_for(values.rows(), [&](Index i) {
    const Eigen::RowVectorXd standardized = (values.row(i) - signal.mean).cwiseProduct(signal.inverse);
    left[i] = (standardized.array() - signal.of_samples[i]).square().sum();
  });
  sum_over(team, {left.data(), static_cast<std::size_t>(left.size())});
  if (left.size() < 4 || left.minCoeff() <= 0) return 0;
  const Vector x = signal.of_samples.array() - signal.of_samples.mean();
  const Vector y = left.array().log() - left.array().log().mean();
  const double variance = x.squaredNorm();
  if (variance <= 0) return 0;
  const double slope = x.dot(y) / variance;
  const double residual = (y - slope * x).squaredNorm() / static_cast<double>(left.size() - 2);
  return residual > 0 ? slope * std::sqrt(variance / residual) : 0.0;
}

// A size factor multiplies: all values are positive, and what is left of a sample once the signal is subtracted grows with the
// signal, in every condition. Subtracted from values it would leave samples that vary more than others.
bool is_factor(std::span<const Dataset> conditions, const Context& context, const Team* team) {
  for (const Dataset& condition : conditions) {
    const RowMatrix values = dense_copy(condition.values);
    double not_positive = static_cast<double>((values.array() > 0).size() - (values.array() > 0).count());
    sum_over(team, {&not_positive, 1});
    if (not_positive > 0) return false;
    if (growth_with(signal_of(values, context, team), values, context, team) <= growth_of_factor) return false;
  }
  return true;
}

// From the values, or from their logarithms: a factor is divided out.
void remove_signal(Dataset& condition, bool factor, const Context& context, const Team* team) {
  RowMatrix values = dense_copy(condition.values);
  if (factor) values = values.array().log();
  subtract(signal_of(values, context, team), values, context);
  if (factor) values = values.array().exp();
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
  const bool factor = wanted.has_value() && is_factor(work.conditions, context, team);
  for (Dataset& condition : work.conditions) {
    remove_signal(condition, factor, context, team);
    work.steps.push_back({factor ? "remove-global-signal yes, as a factor" : "remove-global-signal yes", condition.name,
                          "samples changed", condition.values.rows()});
  }
  work.common_removed = true;
}

}  // namespace disc
