// Who belongs to which group: the correlation of a feature with the sum of the group's other members.
#pragma once

#include "disc/groups.hpp"

namespace disc {

/// Features in groups, -1 for none; labels 0 .. count - 1.
struct Labels {
  std::vector<Index> labels;
  Index count = 0;
};

/// Numbers labels 0, 1, ... by first feature; groups of fewer than `smallest` features dissolve.
Labels tidy_labels(std::vector<Index> labels, Index smallest);

/// The features of every group, ascending.
std::vector<std::vector<Index>> members_of(const Labels& labels);

/// sqrt(n) times the correlation of feature j with the sum of group g without j: about a standard normal variable where j has
/// nothing to do with g.
class MembershipScores {
 public:
  /// Refers to all three. `sums`: of the groups of these labels.
  MembershipScores(const Correlations& correlations, const Labels& labels, const GroupSums& sums);
  double operator()(Index feature, Index group) const {
    const double sum = sums_(feature, group);
    const bool is_member = labels_.labels[static_cast<std::size_t>(feature)] == group;
    return is_member ? of_member(sum, group) : sum * factor_[group];
  }
  /// From the sum of the correlations with a group to the score, of a feature that is no member.
  double factor(Index group) const { return factor_[group]; }
  /// Others have dissolved.
  bool is_there(Index group) const { return variance_[group] > 0; }
  /// Groups that a feature may belong to: all, or where there is no matrix and there are many those of the features
  /// it is paired with.
  void candidates(Index feature, std::vector<Index>& groups) const;

 private:
  // Without itself: r(j, j) = 1 leaves sum and variance.
  double of_member(double sum, Index group) const;

  const Correlations& correlations_;
  const Labels& labels_;
  const GroupSums& sums_;
  double root_;
  Vector variance_;  // of the sum of every group's features
  Vector factor_;
};

/// Assigns every feature to the group it correlates with best, again and again until nothing changes. A feature that passes
/// for no group becomes background. A group's threshold is the score that one feature of all (of 1,000 if there are fewer) reaches by chance,
/// and at least a third of its members' mean score.
Labels settle_membership(const Correlations& correlations, Labels labels, Index smallest, const Context& context);

}  // namespace disc
