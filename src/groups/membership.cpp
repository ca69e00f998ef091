#include "groups/membership.hpp"

#include <algorithm>
#include <cmath>

namespace disc {
namespace {

constexpr int most_rounds = 10;
constexpr double share_of_mean_score = 1.0 / 3.0;
constexpr Index features_assumed = 1000;  // at least: among few features one by chance would be one too many

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// z with an upper tail of 1 / count under the standard normal distribution, by bisection.
double exceeded_once_in(Index count) {
  double low = 0;
  double high = 40;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    const bool rarer = 0.5 * std::erfc(middle / std::sqrt(2.0)) * static_cast<double>(count) < 1.0;
    (rarer ? high : low) = middle;
  }
  return high;
}

Vector thresholds(const Matrix& scores, const Labels& labels) {
  Vector sum = Vector::Zero(labels.count);
  Vector size = Vector::Zero(labels.count);
  for (std::size_t j = 0; j < labels.of_feature.size(); ++j) {
    const Index g = labels.of_feature[j];
    if (g < 0) continue;
    sum[g] += scores(static_cast<Index>(j), g);
    size[g] += 1;
  }
  const double by_chance = exceeded_once_in(std::max(scores.rows(), features_assumed));
  return (share_of_mean_score * sum.array() / size.array()).max(by_chance);
}

std::vector<Index> best_groups(const Matrix& scores, const Vector& threshold) {
  std::vector<Index> best(at(scores.rows()), -1);
  for (Index j = 0; j < scores.rows(); ++j) {
    double largest = 0;
    for (Index g = 0; g < scores.cols(); ++g) {
      if (scores(j, g) <= threshold[g] || scores(j, g) <= largest) continue;
      largest = scores(j, g);
      best[at(j)] = g;
    }
  }
  return best;
}

}  // namespace

Labels tidy_labels(std::vector<Index> of_feature, Index smallest) {
  Index most = -1;
  for (const Index label : of_feature) most = std::max(most, label);
  std::vector<Index> size(at(most + 1), 0);
  for (const Index label : of_feature) {
    if (label >= 0) ++size[at(label)];
  }
  std::vector<Index> number(size.size(), -1);
  Labels result;
  for (Index& label : of_feature) {
    if (label >= 0 && size[at(label)] < smallest) label = -1;
    if (label < 0) continue;
    if (number[at(label)] < 0) number[at(label)] = result.count++;
    label = number[at(label)];
  }
  result.of_feature = std::move(of_feature);
  return result;
}

std::vector<std::vector<Index>> members_of(const Labels& labels) {
  std::vector<std::vector<Index>> members(at(labels.count));
  for (std::size_t j = 0; j < labels.of_feature.size(); ++j) {
    if (labels.of_feature[j] >= 0) members[at(labels.of_feature[j])].push_back(static_cast<Index>(j));
  }
  return members;
}

Matrix membership_scores(const Correlations& correlations, const Labels& labels) {
  const MatrixF& r = correlations.values;
  Matrix sums = Matrix::Zero(r.rows(), labels.count);
  for (std::size_t i = 0; i < labels.of_feature.size(); ++i) {
    const Index g = labels.of_feature[i];
    if (g >= 0) sums.col(g) += r.col(static_cast<Index>(i)).cast<double>();
  }
  const auto members = members_of(labels);
  const double root = std::sqrt(static_cast<double>(correlations.samples));
  Matrix scores(r.rows(), labels.count);
  for (Index g = 0; g < labels.count; ++g) {
    double variance = 0;  // of the sum of the group's features
    for (const Index i : members[at(g)]) variance += sums(i, g);
    scores.col(g) = sums.col(g) * (root / std::sqrt(std::max(variance, 1e-9)));
    for (const Index j : members[at(g)]) {  // without itself: r(j, j) = 1 leaves sum and variance
      const double others = sums(j, g) - 1.0;
      scores(j, g) = others * (root / std::sqrt(std::max(variance - 2.0 * others - 1.0, 1e-9)));
    }
  }
  return scores;
}

Labels settle_membership(const Correlations& correlations, Labels labels, Index smallest, const Context& context) {
  labels = tidy_labels(std::move(labels.of_feature), smallest);
  for (int round = 0; round < most_rounds && labels.count > 0; ++round) {
    context.check_stop();
    const Matrix scores = membership_scores(correlations, labels);
    Labels next = tidy_labels(best_groups(scores, thresholds(scores, labels)), smallest);
    const bool settled = next.of_feature == labels.of_feature;
    labels = std::move(next);
    if (settled) break;
  }
  return labels;
}

}  // namespace disc
