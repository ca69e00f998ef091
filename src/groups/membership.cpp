#include "groups/membership.hpp"

#include <algorithm>
#include <cmath>

#include "matrix/normal_quantile.hpp"
#include "matrix/simd.hpp"

namespace disc {
namespace {

constexpr int max_rounds = 10;
constexpr double share_of_mean_score = 1.0 / 3.0;
constexpr Index few_groups = 64;          // so few are all tried where there is no matrix
constexpr Index features_assumed = 1000;  // at least: among few features one by chance would be one too many

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Vector thresholds(const MembershipScores& scores, const Labels& labels) {
  Vector sum = Vector::Zero(labels.count);
  Vector size = Vector::Zero(labels.count);
  for (std::size_t j = 0; j < labels.labels.size(); ++j) {
    const Index g = labels.labels[j];
    if (g < 0) continue;
    sum[g] += scores(static_cast<Index>(j), g);
    size[g] += 1;
  }
  const auto features = static_cast<Index>(labels.labels.size());
  const double by_chance = normal_upper_quantile(1.0 / static_cast<double>(std::max(features, features_assumed)));
  return (share_of_mean_score * sum.array() / size.array().max(1.0)).max(by_chance);
}

// The best group of every feature so far.
struct Best {
  std::vector<Index> group;
  std::vector<double> score;
};

// Whether features go better with group g, of which they are no members. Without branches: there is nothing to predict.
DISC_SIMD void try_group(const double* sums, double factor, double threshold, Index g, const Index* label, Index count,
                         double* best_score, Index* best_group) {
  for (Index j = 0; j < count; ++j) {
    const double score = sums[j] * factor;
    const bool is_better = (score > threshold) & (score > best_score[j]) & (label[j] != g);
    best_score[j] = is_better ? score : best_score[j];
    best_group[j] = is_better ? g : best_group[j];
  }
}

// With a matrix: group by group, as their sums lie in memory, after what every feature has with its own.
std::vector<Index> best_of_all_groups(const GroupSums& sums, const MembershipScores& scores, const Vector& threshold,
                                      const std::vector<Index>& labels) {
  const std::size_t features = labels.size();
  Best best{std::vector<Index>(features, -1), std::vector<double>(features, 0.0)};
  for (std::size_t j = 0; j < features; ++j) {
    const Index own = labels[j];
    const double score = own < 0 ? 0.0 : scores(static_cast<Index>(j), own);
    if (own < 0 || score <= threshold[own]) continue;
    best.group[j] = own;
    best.score[j] = std::max(0.0, score);
  }
  for (Index g = 0; g < threshold.size(); ++g) {
    if (!scores.is_there(g)) continue;
    try_group(sums.of_group(g), scores.factor(g), threshold[g], g, labels.data(), static_cast<Index>(features),
              best.score.data(), best.group.data());
  }
  return std::move(best.group);
}

std::vector<Index> best_groups(const MembershipScores& scores, const Vector& threshold, std::size_t features) {
  std::vector<Index> best(features, -1);
  std::vector<Index> groups;
  for (std::size_t j = 0; j < features; ++j) {
    double largest = 0;
    scores.candidates(static_cast<Index>(j), groups);
    for (const Index g : groups) {
      const double score = scores(static_cast<Index>(j), g);
      if (score <= threshold[g] || score <= largest) continue;
      largest = score;
      best[j] = g;
    }
  }
  return best;
}

// Next to nothing changed: there are many features where there is no matrix.
bool has_settled(const Correlations& correlations, const Labels& before, const Labels& after) {
  if (before.count != after.count) return false;
  Index changed = 0;
  for (std::size_t j = 0; j < before.labels.size(); ++j) {
    changed += before.labels[j] == after.labels[j] ? 0 : 1;
  }
  return changed <= correlations.features() / 1000;
}

}  // namespace

Labels tidy_labels(std::vector<Index> labels, Index smallest) {
  Index most = -1;
  for (const Index label : labels) most = std::max(most, label);
  std::vector<Index> size(at(most + 1), 0);
  for (const Index label : labels) {
    if (label >= 0) ++size[at(label)];
  }
  std::vector<Index> number(size.size(), -1);
  Labels result;
  for (Index& label : labels) {
    if (label >= 0 && size[at(label)] < smallest) label = -1;
    if (label < 0) continue;
    if (number[at(label)] < 0) number[at(label)] = result.count++;
    label = number[at(label)];
  }
  result.labels = std::move(labels);
  return result;
}

std::vector<std::vector<Index>> members_of(const Labels& labels) {
  std::vector<std::vector<Index>> members(at(labels.count));
  for (std::size_t j = 0; j < labels.labels.size(); ++j) {
    if (labels.labels[j] >= 0) members[at(labels.labels[j])].push_back(static_cast<Index>(j));
  }
  return members;
}

MembershipScores::MembershipScores(const Correlations& correlations, const Labels& labels, const GroupSums& sums)
    : correlations_(correlations),
      labels_(labels),
      sums_(sums),
      root_(std::sqrt(static_cast<double>(correlations.samples))),
      variance_(Vector::Zero(labels.count)),
      factor_(labels.count) {
  for (std::size_t j = 0; j < labels.labels.size(); ++j) {
    const Index g = labels.labels[j];
    if (g >= 0) variance_[g] += sums_(static_cast<Index>(j), g);
  }
  for (Index g = 0; g < labels.count; ++g) factor_[g] = root_ / std::sqrt(std::max(variance_[g], 1e-9));
}

double MembershipScores::of_member(double sum, Index group) const {
  const double others = sum - 1.0;
  return others * (root_ / std::sqrt(std::max(variance_[group] - 2.0 * others - 1.0, 1e-9)));
}

void MembershipScores::candidates(Index feature, std::vector<Index>& groups) const {
  groups.clear();
  if (correlations_.has_matrix() || labels_.count <= few_groups) {
    for (Index g = 0; g < labels_.count; ++g) {
      if (is_there(g)) groups.push_back(g);
    }
    return;
  }
  if (labels_.labels[at(feature)] >= 0) groups.push_back(labels_.labels[at(feature)]);
  for (const std::int32_t other : correlations_.source->pairs.row(feature)) {
    if (labels_.labels[at(other)] >= 0) groups.push_back(labels_.labels[at(other)]);
  }
  std::ranges::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
}

namespace {

// Groups below `smallest` dissolve; the others keep their numbers.
void dissolve_small(Labels& labels, Index smallest) {
  std::vector<Index> size(at(labels.count), 0);
  for (const Index label : labels.labels) {
    if (label >= 0) ++size[at(label)];
  }
  for (Index& label : labels.labels) {
    if (label >= 0 && size[at(label)] < smallest) label = -1;
  }
}

// With a matrix: sums with the groups are brought up to date by the features that moved.
Labels settle_with_matrix(const Correlations& correlations, Labels labels, Index smallest, const Context& context) {
  GroupSums sums(correlations, members_of(labels));
  for (int round = 0; round < max_rounds && labels.count > 0; ++round) {
    context.check_stop();
    const MembershipScores scores(correlations, labels, sums);
    Labels next{best_of_all_groups(sums, scores, thresholds(scores, labels), labels.labels), labels.count};
    dissolve_small(next, smallest);
    if (next.labels == labels.labels) break;
    sums.move(labels.labels, next.labels);
    labels = std::move(next);
  }
  return tidy_labels(std::move(labels.labels), smallest);
}

}  // namespace

Labels settle_membership(const Correlations& correlations, Labels labels, Index smallest, const Context& context) {
  labels = tidy_labels(std::move(labels.labels), smallest);
  if (correlations.has_matrix()) return settle_with_matrix(correlations, std::move(labels), smallest, context);
  for (int round = 0; round < max_rounds && labels.count > 0; ++round) {
    context.check_stop();
    const GroupSums sums(correlations, members_of(labels));
    const MembershipScores scores(correlations, labels, sums);
    Labels next = tidy_labels(best_groups(scores, thresholds(scores, labels), labels.labels.size()), smallest);
    const bool settled = has_settled(correlations, labels, next);
    labels = std::move(next);
    if (settled) break;
  }
  return labels;
}

}  // namespace disc
