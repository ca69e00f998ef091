// Correlations of any selection of units. method (17)
#pragma once

#include "disc/correlations.hpp"
#include "stats/unit_weights.hpp"

namespace disc {

/// The sums behind correlations, per unit: correlations of any selection of units cost the same however many samples they
/// have. Where every unit is one sample its values are kept instead. method (17)
class UnitSums {
 public:
  /// Columns are centered and scaled within their condition first, so that a change of mean or variance cannot pass for a
  /// change of connection. The distance is correlation or spearman. In the form `knn` all samples are kept and no
  /// matrix is made: the pairs to look at are the nearest features in all conditions taken together, which no permutation
  /// changes.
  /// `sampling` says whether units are centered and count alike, and how many independent samples they stand for.
  UnitSums(std::span<const PreparedColumns> prepared, const GraphOptions& options, const Units& units,
           const Sampling& sampling, const Context& context);
  /// One result per column of `weights` (units x results): unit u counts weights(u, b) times. `kept`: of these features only,
  /// ascending; empty: of all, as always where there are no matrices.
  std::vector<Correlations> combine(const MatrixF& weights, const Context& context,
                                    std::span<const Index> kept = {}) const;
  /// The same of labellings, each of as many columns as there are conditions, which divide all units: what the largest
  /// condition has is what the others leave of all, so that it costs nothing.
  std::vector<Correlations> combine_labellings(const MatrixF& weights, Index conditions, const Context& context,
                                               std::span<const Index> kept = {}) const;
  Index features() const { return features_; }
  bool has_matrices() const { return samples_of_all_ == nullptr; }

 private:
  void keep_samples(std::span<const PreparedColumns> prepared, const GraphOptions& options, const Units& units,
                    const Context& context);
  // Of some units: products of features (lower triangle) and sums of values.
  struct Sums {
    MatrixF products;
    Vector values;
  };
  Sums from_rows(const Vector& weights, std::span<const Index> kept) const;
  Correlations as_correlations(Sums sums, const Vector& weights) const;
  std::vector<Correlations> from_sums(const MatrixF& weights, const Context& context) const;

  Index features_ = 0;
  UnitWeights weights_;
  Matrix sums_;                  // features x units, where there are products
  std::vector<float> products_;  // per unit: lower triangle of X'X, column by column
  MatrixF rows_;                 // few samples: their values instead, features x samples
  Sums all_;                     // and of all of them
  std::vector<Index> unit_of_row_;
  std::shared_ptr<const SampleValues> samples_of_all_;  // many features: all samples, and the pairs to look at
};

}  // namespace disc
