#include "stats/step_down.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "matrix/normal_quantile.hpp"
#include "stats/policy.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Median and spread of the largest statistic of every view over all labellings, the truth among them: no labelling is special.
struct Scale {
  Vector centre, spread;
  double operator()(const Candidate& candidate) const {
    return (candidate.statistic - centre[candidate.view]) / spread[candidate.view];
  }
};

// Quantiles, which one labelling, however far out, does not move. `largest`: labellings x views.
Scale scale_of(const Matrix& largest) {
  Scale scale{Vector::Zero(largest.cols()), Vector::Ones(largest.cols())};
  if (largest.rows() == 1) return scale;  // nothing to compare with: the statistics as they are
  for (Index v = 0; v < largest.cols(); ++v) {
    Vector values = largest.col(v);
    std::ranges::sort(values);
    const auto quantile = [&](double share) {
      return values[static_cast<Index>(share * static_cast<double>(values.size() - 1))];
    };
    scale.centre[v] = quantile(0.5);
    // A view in which chance finds next to nothing, but sometimes something, must not be blown up.
    scale.spread[v] = policy::min_spread;
    for (const double share : policy::spread_quantiles) {
      const double of_normal =
          normal_upper_quantile(1.0 - share);  // the spread of a normal variable is its standard deviation
      scale.spread[v] = std::max(scale.spread[v], (quantile(share) - quantile(0.5)) / of_normal);
    }
  }
  return scale;
}

bool as_large(double value, double other) {
  return value >= other - policy::tie_tolerance * std::max(1.0, std::abs(other));
}

// All labellings on one scale, and what the truth has beside the features that were found.
class Remaining {
 public:
  Remaining(LabellingsView labellings, Index views, Index features)
      : labellings_(labellings), views_(views), is_found_(at(features), false) {
    if (!labellings.empty()) found_.assign(labellings[0].size(), 0);
    rescale();
  }

  void take(const std::vector<Index>& features) {
    std::vector<bool> is_new(is_found_.size(), false);
    for (const Index j : features) is_new[at(j)] = !is_found_[at(j)];
    for (const Index j : features) is_found_[at(j)] = true;
    for (std::size_t c = 0; c < labellings_[0].size(); ++c) {
      for (const Index j : labellings_[0][c].features) found_[c] += is_new[at(j)] ? 1 : 0;
    }
  }

  // A candidate of the truth that is not looked at again.
  void drop(const Candidate& candidate) { found_[place_of(candidate)] = static_cast<Index>(candidate.features.size()); }

  // The best that is left of the truth; -1: nothing.
  Index best_of_truth() const {
    Index best = -1;
    for (std::size_t c = 0; c < labellings_[0].size(); ++c) {
      if (share_found(labellings_[0][c]) > policy::max_share_found) continue;
      if (best < 0 || scale_(labellings_[0][c]) > scale_(labellings_[0][at(best)])) best = static_cast<Index>(c);
    }
    return best;
  }
  double score(const Candidate& candidate) const { return scale_(candidate); }
  Index as_good_as(double score) const {
    return std::ranges::count_if(best_, [&](double best) { return as_large(best, score); });
  }
  double p(double score) const {
    return static_cast<double>(as_good_as(score)) / static_cast<double>(labellings_.size());
  }

  const std::vector<double>& best() const { return best_; }

  /// Of a candidate of the truth.
  double share_found(const Candidate& candidate) const {
    return static_cast<double>(found_[place_of(candidate)]) / static_cast<double>(candidate.features.size());
  }

 private:
  std::size_t place_of(const Candidate& candidate) const {
    return static_cast<std::size_t>(&candidate - labellings_[0].data());
  }

  void rescale() {
    const auto count = static_cast<Index>(labellings_.size());
    Matrix largest = Matrix::Zero(count, views_);
    for (std::size_t b = 0; b < labellings_.size(); ++b) {
      for (std::size_t c = 0; c < labellings_[b].size(); ++c) {
        const Candidate& candidate = labellings_[b][c];
        double& value = largest(static_cast<Index>(b), candidate.view);
        value = std::max(value, candidate.statistic);
      }
    }
    scale_ = scale_of(largest);
    best_.assign(labellings_.size(), 0);
    for (Index b = 0; b < count; ++b) {
      const auto scaled = (largest.row(b).transpose() - scale_.centre).array() / scale_.spread.array();
      best_[at(b)] = scaled.maxCoeff();
    }
  }

  LabellingsView labellings_;
  Index views_;
  std::vector<bool> is_found_;
  std::vector<Index> found_;  // per candidate of the truth: members that were found
  Scale scale_;
  std::vector<double> best_;  // per labelling
};

// Share of the members that lie in the group; both ascending.
double share_within(const std::vector<Index>& members, const std::vector<Index>& group) {
  Index shared = 0;
  for (const Index j : members) shared += std::ranges::binary_search(group, j) ? 1 : 0;
  return static_cast<double>(shared) / static_cast<double>(members.size());
}

// Clearly smaller, and next to nothing of it outside.
bool lies_in(const Candidate& part, const Candidate& whole) {
  return part.condition == whole.condition &&
         static_cast<double>(part.features.size()) <=
             policy::max_size_of_part * static_cast<double>(whole.features.size()) &&
         share_within(part.features, whole.features) >= policy::min_share_of_part;
}

// Candidates within an answer that are clearly smaller, the best first, each of other features than those before it.
void add_parts(LabellingsView labellings, const Remaining& all, const Judgement& judgement, Index parent,
               std::vector<TestedCandidate>& result) {
  const Candidate group = result[at(parent)].candidate;
  std::vector<const Candidate*> inside;
  for (const Candidate& candidate : labellings[0]) {
    if (!lies_in(candidate, group)) continue;
    if (!judgement.is_part || judgement.is_part(group, candidate)) inside.push_back(&candidate);
  }
  std::ranges::stable_sort(inside, std::greater<>(), [&](const Candidate* c) { return all.score(*c); });
  std::vector<Index> covered;
  Index parts = 0;
  for (const Candidate* part : inside) {
    if (parts == policy::max_parts || share_within(part->features, covered) > policy::max_share_found) continue;
    const double score = all.score(*part);
    result.push_back({*part, score, all.p(score), result[at(parent)].q, parent});
    std::vector<Index> both;
    std::ranges::set_union(covered, part->features, std::back_inserter(both));
    covered = std::move(both);
    ++parts;
  }
}

// Expected number of false groups in one labelling over the number found, at the score of every answer. Uncorrected: the
// candidates of every permutation are counted as the truth's are, each standing for features of its own.
void adjust_q(LabellingsView labellings, Index views, Index features, std::vector<TestedCandidate>& answers) {
  const Remaining all(labellings, views, features);
  std::vector<double> by_chance;
  for (std::size_t b = 1; b < labellings.size(); ++b) {
    std::vector<std::pair<double, const Candidate*>> order;
    for (const Candidate& candidate : labellings[b]) order.emplace_back(all.score(candidate), &candidate);
    std::ranges::stable_sort(order, std::greater<>(), [](const auto& entry) { return entry.first; });
    std::vector<bool> is_covered(at(features), false);
    for (const auto& [score, candidate] : order) {
      const auto covered = std::ranges::count_if(candidate->features, [&](Index j) { return is_covered[at(j)]; });
      if (static_cast<double>(covered) > policy::max_share_found * static_cast<double>(candidate->features.size()))
        continue;
      for (const Index j : candidate->features) is_covered[at(j)] = true;
      by_chance.push_back(score);
    }
  }
  std::ranges::sort(by_chance);
  double largest = 0;
  Index found = 0;
  for (TestedCandidate& answer : answers) {  // by falling evidence: q may only grow
    ++found;
    const double score = all.score(answer.candidate);
    const double ties = score - policy::tie_tolerance * std::max(1.0, std::abs(score));  // as for p
    const auto as_good = static_cast<double>(by_chance.end() - std::ranges::lower_bound(by_chance, ties)) + 1.0;
    largest = std::max(largest, as_good / static_cast<double>(labellings.size()) / static_cast<double>(found));
    answer.q = std::min(1.0, largest);
  }
}

// The larger group that the candidate is a part of, as long as there is one; else the candidate itself.
const Candidate& whole_of(const Candidate& candidate, std::span<const Candidate> truth, const Remaining& left,
                          double level, const Judgement& judgement) {
  if (!judgement.is_whole) return candidate;
  const Candidate* part = &candidate;
  for (;;) {
    const Candidate* best = nullptr;
    for (const Candidate& other : truth) {
      if (best != nullptr && left.score(other) <= left.score(*best)) continue;
      if (!lies_in(*part, other) || left.share_found(other) > policy::max_share_found) continue;
      if (left.p(left.score(other)) <= level && judgement.is_whole(other, *part)) best = &other;
    }
    if (best == nullptr) return *part;
    part = best;
  }
}

}  // namespace

std::vector<TestedCandidate> step_down(LabellingsView labellings, Index views, Index features, double level,
                                       const Judgement& judgement) {
  std::vector<TestedCandidate> result;
  Remaining left(labellings, views, features);
  double p = 0;
  bool goes_on = true;
  while (static_cast<Index>(result.size()) < policy::max_groups) {
    const Index best = left.best_of_truth();
    if (best < 0) break;
    const Candidate* found = &labellings[0][at(best)];
    if (std::max(p, left.p(left.score(*found))) <= level)
      found = &whole_of(*found, labellings[0], left, level, judgement);
    const Candidate& candidate = *found;
    const double score = left.score(candidate);
    const bool is_significant = std::max(p, left.p(score)) <= level;
    if (is_significant && judgement.is_explained && judgement.is_explained(candidate, result)) {
      left.drop(candidate);
      continue;
    }
    p = std::max(p, left.p(score));
    result.push_back({candidate, score, p, 1.0, -1});
    goes_on = goes_on && p <= level;
    if (!goes_on && static_cast<Index>(result.size()) >= policy::max_candidates) break;
    left.take(candidate.features);
  }
  adjust_q(labellings, views, features, result);
  const Remaining all(labellings, views, features);
  const auto answers = static_cast<Index>(result.size());
  for (Index parent = 0; parent < answers; ++parent) {
    if (result[at(parent)].p <= level) add_parts(labellings, all, judgement, parent, result);
  }
  return result;
}

namespace {

// Labellings with a candidate as good as the best of the truth, itself among them; 0: the truth has none.
Index as_good_as_the_truth(LabellingsView labellings, Index views) {
  Index features = 0;
  for (const auto& candidates : labellings) {
    for (const Candidate& candidate : candidates) features = std::max(features, candidate.features.back() + 1);
  }
  const Remaining all(labellings, views, features);
  const Index best = all.best_of_truth();
  return best < 0 ? 0 : all.as_good_as(all.score(labellings[0][at(best)]));
}

}  // namespace

bool is_hopeless(LabellingsView labellings, Index views) {
  const Index count = as_good_as_the_truth(labellings, views);
  return count == 0 || count > policy::exceedances_to_stop;
}

std::vector<double> best_scores(LabellingsView labellings, Index views, Index features) {
  return Remaining(labellings, views, features).best();
}

bool nothing_is_as_good(LabellingsView labellings, Index views) { return as_good_as_the_truth(labellings, views) == 1; }

}  // namespace disc
