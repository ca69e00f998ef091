// The conditions as a target sees them: with directions of the others taken out, and what a group must show there. method (22)
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "disc/groups.hpp"
#include "stats/policy.hpp"
#include "stats/projection.hpp"

namespace disc {

inline std::size_t place(Index i) { return static_cast<std::size_t>(i); }

// What the others of a target explain: their leading directions in turn, the first of each, the second of each and so on, as one
// orthonormal basis, and its products with all correlations. Fewer directions are its first columns.
class Explained {
 public:
  Explained(std::span<const Correlations> conditions, std::span<const Directions> directions, Index target)
      : conditions_(conditions), target_(target) {
    basis_.resize(conditions[0].values.rows(), 0);
    for (Index d = 0; d < directions[0].vectors.cols(); ++d) {
      for (std::size_t k = 0; k < directions.size(); ++k) {
        if (static_cast<Index>(k) == target) continue;
        basis_.conservativeResize(Eigen::NoChange, basis_.cols() + 1);
        basis_.rightCols(1) = directions[k].vectors.col(d);
      }
      orthonormalize(basis_);
      columns_.push_back(basis_.cols());
    }
    for (const Correlations& condition : conditions) products_.push_back(times(condition, basis_));
  }
  /// Columns that hold the first `directions` of every other condition.
  Index columns(Index directions) const {
    return directions == 0 ? 0 : columns_[place(std::min(directions, static_cast<Index>(columns_.size())) - 1)];
  }
  Index target() const { return target_; }
  const MatrixF& basis() const { return basis_; }
  ProjectedCorrelations project(Index condition, Index directions) const {
    return {conditions_[place(condition)], basis_, products_[place(condition)], columns(directions)};
  }
  Index conditions() const { return static_cast<Index>(conditions_.size()); }

 private:
  std::span<const Correlations> conditions_;
  Index target_;
  MatrixF basis_;
  std::vector<Index> columns_;
  std::vector<MatrixF> products_;
};

// What a set gains here against another condition, in standard errors of a set known beforehand: as a whole, by the variance
// of its sum, and by the mean correlation of its pairs. Among few samples chance makes large loose sets, which the first takes
// for many small gains; the second does not. method (25)
struct Gain {
  double whole = 0, of_pair = 0;
};

// From c(S) here and there.
inline Gain gain_of(double here, double there, Index size, Index samples_here, Index samples_there) {
  const double error = std::sqrt(1.0 / static_cast<double>(samples_here) + 1.0 / static_cast<double>(samples_there));
  const double pair = (here - there) / std::max(1.0, static_cast<double>(size - 1));
  return {log_ratio(here, there, samples_here, samples_there),
          pair / error * std::pow(static_cast<double>(size), policy::power_of_size)};
}

// The conditions with some directions of the others taken out, the target first.
class Perspective {
 public:
  /// Refers to what is explained.
  Perspective(const Explained& explained, Index directions)
      : basis_(explained.basis().leftCols(explained.columns(directions))) {
    conditions_.push_back(explained.project(explained.target(), directions));
    for (Index k = 0; k < explained.conditions(); ++k) {
      if (k != explained.target()) conditions_.push_back(explained.project(k, directions));
    }
  }
  const ProjectedCorrelations& target() const { return conditions_.front(); }
  std::span<const ProjectedCorrelations> others() const { return std::span(conditions_).subspan(1); }
  const auto& basis() const { return basis_; }
  /// Against the condition that it differs least from.
  Gain gain(std::span<const Index> set, std::span<const std::int8_t> sign) const {
    const double here = target().connection(set, sign);
    Gain least{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    for (const ProjectedCorrelations& other : others()) {
      const Gain gain = gain_of(here, other.connection(set, sign), static_cast<Index>(set.size()), target().samples(),
                                other.samples());
      least = {std::min(least.whole, gain.whole), std::min(least.of_pair, gain.of_pair)};
    }
    return least;
  }

 private:
  Eigen::Ref<const MatrixF> basis_;
  std::vector<ProjectedCorrelations> conditions_;
};

inline Index max_above_noise(std::span<const Correlations> conditions, std::span<const Directions> directions,
                             Index target) {
  Index count = 0;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    if (static_cast<Index>(k) != target) count = std::max(count, directions[k].above_noise(conditions[k].samples));
  }
  return count;
}

using Sign = std::span<const std::int8_t>;

// Whether the gain is more than that communities of the other condition go together here: pairs of one community, or of none,
// must have gained too.
inline bool is_more_than_union(const Correlations& here, const Correlations& there, const Communities& communities,
                               std::span<const Index> set, Sign sign) {
  double inside = 0;
  double all = 0;
  Index pairs_inside = 0;
  for (std::size_t b = 0; b < set.size(); ++b) {
    const Index of_b = communities.labels[place(set[b])];
    for (std::size_t a = 0; a < b; ++a) {
      const Index of_a = communities.labels[place(set[a])];
      double gain = static_cast<double>(here.values(set[a], set[b]) - there.values(set[a], set[b]));
      if (!sign.empty() && sign[a] != sign[b]) gain = -gain;
      all += gain;
      if (of_a != of_b && of_a >= 0 && of_b >= 0) continue;
      inside += gain;
      ++pairs_inside;
    }
  }
  const auto pairs = 0.5 * static_cast<double>(set.size() * (set.size() - 1));
  return pairs_inside == 0 ||
         inside / static_cast<double>(pairs_inside) >= policy::min_share_of_gain_inside * all / pairs;
}

// Whether features of different sign are as surely anticorrelated as those of one sign are correlated.
inline bool go_against_each_other(const Correlations& here, std::span<const Index> set, Sign sign) {
  double same = 0;
  double opposite = 0;
  Index pairs_same = 0;
  Index pairs_opposite = 0;
  for (std::size_t b = 0; b < set.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const auto r = static_cast<double>(here.values(set[a], set[b]));
      (sign[a] == sign[b] ? same : opposite) += sign[a] == sign[b] ? r : -r;
      ++(sign[a] == sign[b] ? pairs_same : pairs_opposite);
    }
  }
  if (pairs_same == 0 || pairs_opposite == 0) return false;
  return opposite / static_cast<double>(pairs_opposite) >
         policy::min_share_of_opposites * same / static_cast<double>(pairs_same);
}

// What a group must show, whatever the view: a gain in the correlations themselves, and in what all directions of the others
// above the noise leave over (with too few taken out, what all share can look new); more than a union of what another
// condition has; and where it has signs, a gain by them.
class Gate {
 public:
  Gate(std::span<const Correlations> conditions, std::span<const std::vector<Communities>> scales,
       std::span<const Directions> directions, const Explained& explained)
      : conditions_(conditions),
        scales_(scales),
        target_(explained.target()),
        plain_(explained, 0),
        left_over_(explained, max_above_noise(conditions, directions, explained.target())) {}
  bool passes(std::span<const Index> set, Sign sign) const {
    if (plain_.gain(set, sign).whole < policy::min_gain) return false;
    if (left_over_.gain(set, sign).whole < policy::min_gain) return false;
    if (!sign.empty() && !go_against_each_other(conditions_[place(target_)], set, sign)) return false;
    for (std::size_t k = 0; k < conditions_.size(); ++k) {
      if (static_cast<Index>(k) == target_) continue;
      if (!is_more_than_union(conditions_[place(target_)], conditions_[k], scales_[k].back(), set, sign)) return false;
    }
    return true;
  }
  const Perspective& plain() const { return plain_; }

 private:
  std::span<const Correlations> conditions_;
  std::span<const std::vector<Communities>> scales_;
  Index target_;
  Perspective plain_, left_over_;
};

}  // namespace disc
