#include "groups/membership.hpp"

#include <algorithm>
#include <cmath>

#include "matrix/normal_quantile.hpp"

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

std::vector<Index> best_groups(const MembershipScores& scores, const Vector& threshold, std::size_t features) {
  std::vector<Index> best(features, -1);
  Vector largest = Vector::Zero(static_cast<Index>(features));
  const auto consider = [&](Index j, Index g) {
    const double score = scores(j, g);
    if (score <= threshold[g] || score <= largest[j]) return;
    largest[j] = score;
    best[at(j)] = g;
  };
  if (scores.tries_all()) {  // group by group, as their sums lie in memory
    for (Index g = 0; g < threshold.size(); ++g) {
      for (Index j = 0; j < largest.size() && scores.is_there(g); ++j) consider(j, g);
    }
    return best;
  }
  std::vector<Index> groups;
  for (Index j = 0; j < largest.size(); ++j) {
    scores.candidates(j, groups);
    for (const Index g : groups) consider(j, g);
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

bool MembershipScores::tries_all() const { return correlations_.has_matrix() || labels_.count <= few_groups; }

void MembershipScores::candidates(Index feature, std::vector<Index>& groups) const {
  groups.clear();
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
    Labels next{best_groups(scores, thresholds(scores, labels), labels.labels.size()), labels.count};
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
