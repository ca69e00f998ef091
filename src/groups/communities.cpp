// Communities of features in one condition: a first partition by modularity among the strongest pairs, then membership by correlation with the groups, splitting and merging by the correlation of their factors.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "groups/louvain.hpp"
#include "groups/membership.hpp"
#include "groups/strongest_pairs.hpp"
#include "matrix/normal_quantile.hpp"

namespace disc {
namespace {

constexpr Index mean_degree = 20;  // of the graph of strongest pairs that the first partition is made from
// Where everything is connected modularity sees only large communities (interferon genes among Kang's cells: docs/decisions/007).
constexpr double resolution_of_finest = 4.0;
constexpr double same_factor = 0.5;  // groups whose factors correlate by more are one
// At the finest scale only those whose factors are the same but for the noise of the sample: it cuts at random what one factor
// connects.
constexpr double same_factor_of_finest = 0.8;
constexpr int max_rounds = 3;    // of merging and splitting
constexpr int power_steps = 20;  // to find the direction along which a group splits
constexpr int polish_steps = 5;
// Among very many features modularity cannot see small groups: it stops early, and what belongs together is merged by the
// correlation of the factors.
constexpr Index enough_communities = 2000;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Of the listed pairs, those whose correlation is more than the best of all features would reach by chance: among so many
// features everyone has near ones, and eigenvectors are too dear to tell who is explained.
SparseMatrix weights_of_pairs(const Correlations& correlations, double z) {
  const PairLists& pairs = correlations.source->pairs;
  const Index p = correlations.features();
  const auto samples = static_cast<double>(correlations.samples);
  const double cut = z / std::sqrt(samples);
  const double least = std::max(
      cut, std::tanh(normal_upper_quantile(1.0 / static_cast<double>(p)) / std::sqrt(std::max(1.0, samples - 3))));
  SparseMatrix weights(p, p);
  std::vector<Index> columns;
  std::vector<double> values;
  // A correlation is computed where the row has the smaller number; by the time the other row comes, the entries of this one
  // are met in the order in which they were made.
  std::vector<float> made(pairs.others.size());
  std::vector<Index> next(pairs.begin.begin(), pairs.begin.end() - 1);
  for (Index j = 0; j < p; ++j) {
    Index entry = pairs.begin[at(j)];
    for (const std::int32_t other : pairs.row(j)) {
      if (other > j) {
        made[at(entry)] = static_cast<float>(correlations(j, other));
      } else {
        Index& from = next[at(other)];
        while (pairs.others[at(from)] != j) ++from;
        made[at(entry)] = made[at(from)];
      }
      const auto r = static_cast<double>(made[at(entry++)]);
      if (r < least) continue;
      columns.push_back(other);
      values.push_back(r - cut);
    }
    weights.outerIndexPtr()[j + 1] = static_cast<Index>(columns.size());
  }
  weights.resizeNonZeros(static_cast<Index>(columns.size()));
  std::ranges::copy(columns, weights.innerIndexPtr());
  std::ranges::copy(values, weights.valuePtr());
  return weights;
}

// Correlation of the latent factors of two groups: mean correlation across, relative to the means within. A group without
// correlation inside has no factor of its own and goes with the other.
double factor_correlation(double within_a, double within_b, double across) {
  if (within_a <= 0 || within_b <= 0) return 1.0;
  return across / std::sqrt(within_a * within_b);
}

double pairs_within(double size) { return size * (size - 1); }

// Groups that are merged, the two whose factors correlate most first. Every group remembers its best partner with a larger
// number, so that a merge costs one pass over the groups.
class Merging {
 public:
  Merging(Matrix sums, Vector size, double same)
      : sums_(std::move(sums)), size_(std::move(size)), same_(same), into_(at(size_.size())) {
    sums_.diagonal() -= size_;  // a feature with itself
    std::iota(into_.begin(), into_.end(), Index{0});
    partner_.assign(into_.size(), -1);
    factor_ = Vector::Constant(size_.size(), none);
    for (Index a = 0; a < size_.size(); ++a) find_partner(a);
  }

  // Which group each one ends in.
  std::vector<Index> run() {
    for (;;) {
      Index keep = 0;
      if (factor_.size() == 0 || factor_.maxCoeff(&keep) <= same_) return into_;
      merge(keep, partner_[at(keep)]);
    }
  }

 private:
  static constexpr double none = -2.0;  // below any correlation

  bool is_there(Index group) const { return size_[group] >= 2; }

  double factor(Index a, Index b) const {
    return factor_correlation(sums_(a, a) / pairs_within(size_[a]), sums_(b, b) / pairs_within(size_[b]),
                              sums_(a, b) / (size_[a] * size_[b]));
  }

  void find_partner(Index a) {
    factor_[a] = none;
    partner_[at(a)] = -1;
    if (is_there(a)) {
      for (Index b = a + 1; b < size_.size(); ++b) consider(a, b);
    }
  }
  void consider(Index a, Index b) {
    if (!is_there(b)) return;
    const double here = factor(a, b);
    if (here <= factor_[a]) return;
    factor_[a] = here;
    partner_[at(a)] = b;
  }

  void merge(Index keep, Index gone) {
    std::ranges::replace(into_, gone, keep);
    sums_.row(keep) += sums_.row(gone);
    sums_.col(keep) += sums_.col(gone);
    size_[keep] += size_[gone];
    size_[gone] = 0;
    factor_[gone] = none;
    find_partner(keep);
    for (Index a = 0; a < size_.size(); ++a) {
      if (a == keep || !is_there(a)) continue;
      if (partner_[at(a)] == keep || partner_[at(a)] == gone) {
        find_partner(a);
      } else if (a < keep) {
        consider(a, keep);
      }
    }
  }

  Matrix sums_;
  Vector size_;
  double same_;  // factor correlation from which on groups are one
  std::vector<Index> into_, partner_;
  Vector factor_;
};

bool merge_groups(const Correlations& correlations, Labels& labels, double same = same_factor) {
  const std::vector<std::vector<Index>> groups = members_of(labels);
  Vector size(labels.count);
  for (Index g = 0; g < labels.count; ++g) size[g] = static_cast<double>(groups[at(g)].size());
  const std::vector<Index> into = Merging(correlations.sums_between(groups), size, same).run();
  bool merged = false;
  for (Index& label : labels.labels) {
    if (label < 0 || into[at(label)] == label) continue;
    label = into[at(label)];
    merged = true;
  }
  return merged;
}

// Second eigenvector of the correlations within a group, roughly: where the group would fall apart.
Vector direction_of_split(const GroupProduct& r) {
  Vector first = (r * Vector::Ones(r.size())).normalized();
  for (int step = 0; step < power_steps; ++step) first = (r * first).normalized();
  Index outsider = 0;
  first.cwiseAbs().minCoeff(&outsider);
  Vector second = r.column(outsider);
  for (int step = 0; step < power_steps; ++step) {
    second -= first * first.dot(second);
    second = (r * second).normalized();
  }
  return second - first * first.dot(second);
}

// Who is on which side. Of a large group some members tell the direction, if there is no matrix.
Eigen::ArrayX<bool> sides_of_split(const Correlations& correlations, const std::vector<Index>& group,
                                   const GroupProduct& within) {
  constexpr Index members_enough = 2000;
  if (correlations.has_matrix() || within.size() <= members_enough) return direction_of_split(within).array() > 0;
  std::vector<Index> some;
  std::vector<Index> places;
  some.reserve(at(members_enough));
  places.reserve(at(members_enough));
  for (Index i = 0; i < members_enough; ++i) places.push_back(i * within.size() / members_enough);
  for (const Index place : places) some.push_back(group[at(place)]);
  const Vector direction = direction_of_split(GroupProduct(correlations, some));
  Vector spread = Vector::Zero(within.size());
  for (Index i = 0; i < members_enough; ++i) spread[places[at(i)]] = direction[i];
  return (within * spread).array() > 0;
}

// Moves every feature to the half whose sum it correlates with better.
void polish_halves(const GroupProduct& r, Eigen::ArrayX<bool>& in_first) {
  for (int step = 0; step < polish_steps; ++step) {
    const Vector first = in_first.cast<double>().matrix();
    const Vector second = Vector::Ones(first.size()) - first;
    const Vector to_first = r * first;
    const Vector to_second = r * second;
    const double norm_first = std::sqrt(std::max(first.dot(to_first), 1e-9));
    const double norm_second = std::sqrt(std::max(second.dot(to_second), 1e-9));
    const Eigen::ArrayX<bool> next = to_first.array() / norm_first > to_second.array() / norm_second;
    if ((next == in_first).all()) return;
    in_first = next;
  }
}

double mean_between(const GroupProduct& r, const Vector& a, const Vector& b) {
  const double overlap = a.dot(b);  // the same group twice: without the diagonal
  return (a.dot(r * b) - overlap) / std::max(a.sum() * b.sum() - overlap, 1.0);
}

}  // namespace

std::vector<Index> second_part(const Correlations& correlations, const std::vector<Index>& group, Index smallest) {
  if (static_cast<Index>(group.size()) < 2 * smallest) return {};
  const GroupProduct within(correlations, group);
  Eigen::ArrayX<bool> in_first = sides_of_split(correlations, group, within);
  polish_halves(within, in_first);
  const Vector first = in_first.cast<double>().matrix();
  const Vector second = Vector::Ones(first.size()) - first;
  if (std::min(first.sum(), second.sum()) < static_cast<double>(smallest)) return {};
  const double factor = factor_correlation(mean_between(within, first, first), mean_between(within, second, second),
                                           mean_between(within, first, second));
  if (factor >= same_factor) return {};
  std::vector<Index> part;
  for (Index i = 0; i < first.size(); ++i) {
    if (!in_first[i]) part.push_back(group[at(i)]);
  }
  return part;
}

namespace {

bool split_groups(const Correlations& correlations, Labels& labels, Index smallest, const Context& context) {
  bool split = false;
  std::vector<std::vector<Index>> groups = members_of(labels);
  for (std::size_t g = 0; g < groups.size();) {
    context.check_stop();
    const std::vector<Index> part = second_part(correlations, groups[g], smallest);
    if (part.empty()) {
      ++g;
      continue;
    }
    for (const Index j : part) labels.labels[at(j)] = labels.count;
    ++labels.count;
    std::vector<Index> rest;
    std::ranges::set_difference(groups[g], part, std::back_inserter(rest));
    groups[g] = std::move(rest);
    groups.push_back(part);
    split = true;
  }
  return split;
}

Communities as_communities(Labels labels) { return {std::move(labels.labels), labels.count}; }

// A group with a large share of all connections falls into single features at this resolution: these stay together as in `coarse`.
Labels finest_labels(const Correlations& correlations, const SparseMatrix& pairs, const std::vector<Index>& coarse,
                     Index smallest, const Context& context) {
  Labels labels = tidy_labels(louvain(pairs, 0, resolution_of_finest), smallest);
  for (std::size_t j = 0; j < coarse.size(); ++j) {
    if (labels.labels[j] < 0) labels.labels[j] = labels.count + coarse[j];
  }
  labels = tidy_labels(std::move(labels.labels), smallest);
  labels = settle_membership(correlations, std::move(labels), smallest, context);
  if (!merge_groups(correlations, labels, same_factor_of_finest)) return labels;
  return settle_membership(correlations, std::move(labels), smallest, context);
}

}  // namespace

std::vector<std::vector<Index>> Communities::members() const { return members_of({labels, count}); }

std::vector<Communities> find_communities(const Correlations& correlations, double association_z, Index smallest,
                                          const Context& context) {
  smallest = std::max<Index>(smallest, 2);  // a group needs a pair
  std::vector<Communities> scales;
  Labels labels;
  if (correlations.has_matrix()) {
    const SparseMatrix pairs = strongest_pairs(correlations, association_z, mean_degree);
    std::vector<Index> coarse = louvain(pairs);
    scales.push_back(as_communities(finest_labels(correlations, pairs, coarse, smallest, context)));
    labels = tidy_labels(std::move(coarse), smallest);
  } else {
    labels = tidy_labels(louvain(weights_of_pairs(correlations, association_z), enough_communities), smallest);
    merge_groups(correlations, labels);
  }
  labels = settle_membership(correlations, std::move(labels), smallest, context);
  scales.push_back(as_communities(labels));
  for (int round = 0; round < max_rounds; ++round) {
    const bool merged = merge_groups(correlations, labels);
    const bool split = split_groups(correlations, labels, smallest, context);
    if (!merged && !split) break;
    labels = settle_membership(correlations, std::move(labels), smallest, context);
  }
  scales.push_back(as_communities(std::move(labels)));
  return scales;
}

}  // namespace disc
