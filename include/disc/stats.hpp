// Is it real? Relabelling of units, p-values for vectors and groups, and the evidence for each group. method section 5.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "disc/groups.hpp"

namespace disc {

/// Who may be exchanged with whom under the hypothesis that the conditions do not differ. Names per condition and sample;
/// an empty list means: every sample is a unit, every unit may be exchanged with every other.
struct Design {
  std::vector<std::vector<std::string>> units;   ///< samples of one name and condition stay together
  std::vector<std::vector<std::string>> strata;  ///< units are exchanged within a stratum; a pair is a stratum
};

struct StatisticsOptions {
  /// Relabellings of the units, >= 0; fewer when fewer exist. 0: no p-values.
  Index relabellings = 199;
  double level = 0.05;  ///< groups with a p-value above it are candidates only; in (0, 1)
  Index resamples = 40;  ///< of the units, for stability and intervals, >= 0
  /// GiB that the sums of the units may take, > 0. Samples are put together into fewer units where they would take more.
  double memory_limit = 4.0;
};

/// What is exchanged: samples of one condition that stay together.
struct Unit {
  Index condition = 0, stratum = 0;
  std::vector<Index> samples;
};
struct Units {
  std::vector<Unit> units;
  Index named = 0;              ///< units before some were put together to save time and memory
  bool samples_are_units = true;
};
/// At most about `most` units: more are put together at random, within condition and stratum, which keeps the test valid.
/// Throws InputError when the design does not fit the samples or leaves nothing to exchange.
Units make_units(std::span<const Dataset> conditions, const Design& design, Index most, const Context& context);

/// Ways to give the units back to the conditions: all of them if there are few, else random ones. The first is the true one.
class Relabellings {
 public:
  Relabellings(const Units& units, Index wanted, const Context& context);
  /// Relabellings beside the true one.
  Index size() const { return size_; }
  bool are_all() const { return are_all_; }
  /// Condition of every unit; number 0 is the truth.
  std::vector<Index> labels(Index number) const;

 private:
  std::vector<std::vector<Index>> units_of_stratum_;
  std::vector<Index> truth_;
  std::vector<std::vector<std::vector<Index>>> arrangements_;  // per stratum, if all are listed
  Index size_ = 0;
  bool are_all_ = false;
  std::uint64_t seed_ = 0;
};

/// The sums behind correlations, per unit: correlations of any selection of units cost the same however many samples they
/// have. method (17)
class UnitSums {
 public:
  /// Up to so many samples no sums are kept: computing products again is as fast.
  static constexpr Index few_samples = 512;

  /// Columns are centred and scaled within their condition first, so that a change of mean or variance cannot pass for a
  /// change of connection. `distance` is correlation or spearman.
  UnitSums(std::span<const Dataset> conditions, const FeatureMatch& match, Distance distance, const Units& units,
           const Context& context);
  /// One result per column of `weights` (units x results): unit u counts weights(u, b) times.
  std::vector<Correlations> combine(const MatrixF& weights, const Context& context) const;
  Index features() const { return features_; }

 private:
  Correlations from_rows(const Vector& weights) const;
  std::vector<Correlations> from_sums(const MatrixF& weights, const Context& context) const;

  Index features_ = 0;
  Vector samples_;                 // per unit
  Matrix sums_;                    // features x units
  std::vector<float> products_;    // per unit: lower triangle of X'X, column by column
  MatrixF rows_;                   // few samples: their values instead, features x samples
  std::vector<Index> unit_of_row_;
};

/// The largest eigenvalue that features without any connection would show beside the trivial one, on the scale of the
/// observed walk: parallel analysis, method (14).
struct NoiseLevel {
  double edge = 0;  ///< 95th percentile
  Index permutations = 0;
};
NoiseLevel noise_level(const Dataset& condition, std::span<const Index> columns, const Vector& degrees,
                       const GraphOptions& options, const Context& context);

/// Leading eigenpairs, the trivial one first, until one is not above the edge: at least 16 beside the trivial one, at most
/// `most`.
Eigenpairs eigenpairs_beyond(const RandomWalk& walk, double edge, Index most, const SolverOptions& solver,
                             const Context& context);
/// How many eigenvalues beside the trivial one are above the edge.
Index count_above(const Vector& eigenvalues, double edge);
/// Most eigenvectors of one condition that may count as structure: all conditions together a quarter of all directions.
Index most_dimensions(Index features, Index conditions);

/// The whole method on correlations: graphs, eigenpairs above the noise, differential vectors, communities, contrasts.
struct Labelling {
  std::vector<Vector> sigma;  ///< per condition
  std::vector<Communities> communities;
  std::vector<std::vector<GroupContrast>> contrasts;
};
struct LabellingOptions {
  GraphOptions graph;
  std::vector<double> noise_edges;  ///< per condition
  Index vectors = 1;                ///< values of sigma wanted; 0: communities only
  Index smallest_group = 3;
  std::vector<bool> is_target{};  ///< conditions whose groups are asked for; empty: all
};
Labelling analyse_labelling(std::span<const Correlations> conditions, const LabellingOptions& options,
                            const Context& context);

struct Interval {
  double value = 0, low = 0, high = 0;
};
struct GainedEdge {
  Index a = 0, b = 0;
  double here = 0, elsewhere = 0;  ///< correlations; elsewhere: the largest of the others
};
/// What speaks for a group. method (19)
struct GroupEvidence {
  std::vector<Interval> mean_correlation;  ///< within the group, per condition, with a 95 % bootstrap interval
  std::vector<double> conductance;         ///< per condition: share of its weight that leaves the group
  double stability = 0;                    ///< mean Jaccard index with the best community over resamples of the units
  double mean_change = 0;                  ///< of its features against the others' mean, in standard deviations
  double variance_change = 0;              ///< log2 ratio of the variance of its features to the others' mean
  std::vector<Index> hubs;                 ///< features most typical of the group
  std::vector<GainedEdge> edges;           ///< pairs with the largest gain of correlation
};
struct TestedGroup {
  GroupContrast contrast;
  Vector membership;  ///< z score of each feature with the rest of the group
  double p = 1, q = 1;
  GroupEvidence evidence{};
};
struct ConditionStatistics {
  Vector sigma, vector_p, vector_q;
  std::vector<TestedGroup> groups;  ///< by falling statistic; those at or below the level are the answer
};
struct Statistics {
  std::vector<ConditionStatistics> conditions;
  Index relabellings = 0;    ///< done, beside the true one
  bool all_relabellings = false, stopped_early = false;
  double smallest_p = 1;     ///< that can be attained
  Index units = 0, units_named = 0;
  bool samples_are_units = true;
};
/// Tests every vector and every community against relabellings of the units. p-values hold for everything together: under
/// the hypothesis that the conditions do not differ, the smallest is below 0.05 in 5 % of studies (Westfall & Young 1993).
Statistics test_groups(const UnitSums& sums, const Units& units, const LabellingOptions& labelling,
                       const StatisticsOptions& options, const Context& context);

/// Fills in the evidence of the groups whose p-value is at most the level.
void add_evidence(std::span<const Dataset> conditions, const FeatureMatch& match, const UnitSums& sums,
                  const Units& units, const LabellingOptions& labelling, const StatisticsOptions& options,
                  Statistics& statistics, const Context& context);

}  // namespace disc
