// Correlations between features: all of them in a matrix, or values from which single ones and sums are computed when they
// are asked for. method (17)
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "disc/matrix.hpp"

namespace disc {

/// Pairs {i, j} of features, both ways: row i lists its j, ascending.
struct PairLists {
  std::vector<Index> begin;          ///< per feature, and the end
  std::vector<std::int32_t> others;  ///< row after row
  Index features() const { return static_cast<Index>(begin.size()) - 1; }
  std::span<const std::int32_t> row(Index feature) const {
    const auto at = static_cast<std::size_t>(feature);
    return {others.data() + begin[at], static_cast<std::size_t>(begin[at + 1] - begin[at])};
  }
};

/// What correlations of any selection of samples are computed from where a matrix of all pairs is out of reach.
struct SampleValues {
  MatrixF values;   ///< samples x features, of variance 1 within each condition
  PairLists pairs;  ///< the pairs that are looked at one by one, chosen without regard to the conditions
};

/// Correlations between all features of some samples: what the statistics are computed from.
struct Correlations {
  MatrixF values;     ///< p x p, 1 on the diagonal; empty: see `source`
  Index samples = 0;  ///< they were computed from

  std::shared_ptr<const SampleValues> source{};  ///< instead of the matrix
  Eigen::VectorXf weight{};                      ///< of every sample of the source; the sum is 1
  Eigen::VectorXf mean{}, scale{};  ///< of every feature under these weights; scale is 1 / standard deviation

  bool has_matrix() const { return source == nullptr; }
  Index features() const { return has_matrix() ? values.rows() : source->values.cols(); }
  /// Those of some features. Only where there is a matrix.
  Correlations among(const std::vector<Index>& kept) const;
  /// One correlation.
  double operator()(Index i, Index j) const;
  /// Sum over i in a and j in b, pairs of a feature with itself included (1 each).
  double sum_between(std::span<const Index> a, std::span<const Index> b) const;
  /// The same for all pairs of sets.
  Matrix sums_between(std::span<const std::vector<Index>> sets) const;
};

/// The part of the samples with weights above zero, as correlations need it.
Correlations weigh_samples(std::shared_ptr<const SampleValues> source, const Eigen::VectorXf& weight, Index samples,
                           const Context& context);

/// Sums of the correlations of any feature with the members of groups.
class GroupSums {
 public:
  GroupSums(const Correlations& correlations, std::span<const std::vector<Index>> groups);
  /// With all members; a member's correlation with itself counts 1.
  double operator()(Index feature, Index group) const {
    return sums_.size() > 0 ? sums_(feature, group) : from_samples(feature, group);
  }
  /// The sums of all features with one group, which lie side by side. Only where there is a matrix.
  const double* of_group(Index group) const { return sums_.data() + group * sums_.rows(); }
  /// Members of one group become members of another; -1: of none. Only where there is a matrix.
  void move(std::span<const Index> before, std::span<const Index> after);

 private:
  double from_samples(Index feature, Index group) const;

  const Correlations& correlations_;
  Matrix sums_;      // features x groups, from the matrix
  MatrixF vectors_;  // samples x groups: weighted sums of the members' values
  Vector means_;     // per group: sums of the members' means
};

/// Sums of correlations between a part of a set and the rest of the set.
class SetSums {
 public:
  /// Refers to both.
  SetSums(const Correlations& correlations, const std::vector<std::vector<Index>>& sets);
  double part_with_rest(Index set, const std::vector<Index>& part) const;

 private:
  const Correlations& correlations_;
  const std::vector<std::vector<Index>>& sets_;
  Matrix vectors_;  // samples x sets: sums of the members' values, where there is no matrix
  Vector means_;
};

/// Products with the correlations within one group.
class GroupProduct {
 public:
  GroupProduct(const Correlations& correlations, const std::vector<Index>& group);
  Index size() const { return static_cast<Index>(group_.size()); }
  Vector operator*(const Vector& x) const;
  Vector column(Index member) const;

 private:
  const Correlations& correlations_;
  const std::vector<Index>& group_;
  MatrixF within_;  // empty for a large group where there is no matrix
};

}  // namespace disc
