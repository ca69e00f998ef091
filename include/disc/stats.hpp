// Is it real? Permutation of units, p-values for vectors and groups, and the evidence for each group. method section 5.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "disc/groups.hpp"
#include "disc/io.hpp"
#include "disc/team.hpp"

namespace disc {

/// Who may be exchanged with whom under the hypothesis that the conditions do not differ. Names per condition and sample;
/// an empty list means: every sample is a unit, every unit may be exchanged with every other.
struct Design {
  std::vector<std::vector<std::string>> units;   ///< samples of one name and condition stay together
  std::vector<std::vector<std::string>> strata;  ///< units are exchanged within a stratum; a pair is a stratum
};

struct StatisticsOptions {
  /// Permutations of the units, >= 0; fewer when fewer exist. 0: no p-values. Unset: 199; in the graph form `knn`
  /// fewer, down to 19, the more values there are.
  std::optional<Index> permutations;
  double level = 0.05;  ///< groups with a p-value above it are candidates only; in (0, 1)
  /// Of the units, for stability and intervals, >= 0. Unset: 40, or half of the permutations if that is less.
  std::optional<Index> bootstraps;
  /// GiB that the sums of the units may take, > 0. Samples are put together into fewer units where they would take more.
  double memory_limit = 4.0;
};

/// Fills in what is left open, for so many features and samples of all conditions.
StatisticsOptions resolved(StatisticsOptions options, const GraphOptions& graph, Index features, Index samples);

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
  double stability = 0;                    ///< mean Jaccard index with the best community over bootstraps of the units
  double mean_change = 0;                  ///< of its features against the others' mean, in standard deviations
  double variance_change = 0;              ///< log2 ratio of the variance of its features to the others' mean
  std::vector<Index> hubs;                 ///< features most typical of the group
  std::vector<GainedEdge> edges;           ///< pairs with the largest gain of correlation
  std::vector<Index> core;  ///< members whose connections with each other are new; all of them, or a part
};
struct TestedGroup {
  GroupContrast contrast;
  Vector membership;  ///< z score of each feature with the rest of the group
  double p = 1, q = 1;
  GroupEvidence evidence{};
};
/// A pair of features whose correlation changed.
struct ChangedPair {
  Index a = 0, b = 0;
  double here = 0, elsewhere = 0;  ///< correlations; elsewhere: of the condition most like this one
  double z = 0;                    ///< change in standard errors, which permutations tell; positive: larger here
  double z_modes = 0;  ///< the part of z that many pairs share: explained by the leading modes of all changes
  double q = 1;        ///< false discovery rate of the pairs with at least this |z_modes|
};
/// Pairs that are connected more strongly, with either sign, in one condition than in all others.
struct ChangedPairs {
  std::vector<ChangedPair> pairs;  ///< by falling |z_modes|; at most 10,000
  Index found = 0;  ///< with a false discovery rate of at most 0.1; none if the largest z could be chance
};
struct ConditionStatistics {
  Vector sigma;  ///< of the first vectors, with the eigenvectors that the test calls explained
  Vector vector_p, vector_q;
  Interval chance_sigma;              ///< the first sigma of permuted units: median, and where 95 % of them lie
  std::vector<TestedGroup> groups;    ///< by falling statistic; those at or below the level are the answer
  std::optional<ChangedPairs> pairs;  ///< unset: too many features, or too few permutations
};
struct Statistics {
  std::vector<ConditionStatistics> conditions;
  Index permutations = 0;  ///< done, beside the true one
  bool all_permutations = false, stopped_early = false;
  double min_p = 1;  ///< that can be attained
  Index units = 0, units_named = 0;
  Index features_tested = 0;  ///< fewer than there are: drawn at random; all others joined the groups found
  bool samples_are_units = true;
};
/// The largest eigenvalue that features without any connection would show beside the trivial one, on the scale of the
/// observed walk: parallel analysis, method (14).
struct NoiseLevel {
  double edge = 0;  ///< 95th percentile
  Index permutations = 0;
};
NoiseLevel noise_level(const Dataset& condition, std::span<const Index> columns, const Vector& degrees,
                       const GraphOptions& options, const Context& context, const Team* team = nullptr);

/// How many eigenvectors of a condition count as structure, and what speaks for it. method (14), (15)
struct Dimensions {
  Index chosen = 0;  ///< beside the trivial one
  std::string
      rule;  ///< "given", "parallel analysis", "split halves", "eigengap", or "20, at most a quarter of the features"
  std::optional<double> edge;  ///< largest eigenvalue of features without connection, on the scale of this graph
  Index above_noise = 0;       ///< eigenvalues above it; 0 too where it is not known
  Index by_halves = 0;         ///< up to which two halves of the samples agree; 0: nowhere, or not known
  Index by_gap = 0;            ///< where the eigenvalues fall most steeply
  Index available = 0;         ///< eigenvectors computed
};

/// What the pipeline knows when it asks for groups.
struct TestOptions {
  GraphOptions graph;                    ///< nothing unset
  std::vector<double> noise_thresholds;  ///< per condition
  Index dimensions_expected = 0;         ///< eigenvectors above the noise, about: saves time
  /// Per condition, the eigenvectors beside the trivial one that count as explained; empty: all above the noise.
  std::vector<Index> dimensions{};
  Index vectors = 10;  ///< differential vectors to test
  Index min_group_size = 3;
  std::vector<bool> is_target{};  ///< conditions whose groups are asked for; empty: all
  StatisticsOptions statistics{};
  std::shared_ptr<const Team> team{};  ///< processes that have the same data and divide the permutations; unset: alone
  std::shared_ptr<Checkpoints> checkpoints{};  ///< of the team; a process alone has those of its context
};
/// Finds the communities of every condition and tests them, and the vectors, against permutations of the units. p-values
/// hold for everything together: under the hypothesis that the conditions do not differ, the smallest is below 0.05 in 5 %
/// of studies (Westfall & Young 1993). Evidence is collected for the groups at or below the level.
Statistics test_groups(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                       const TestOptions& options, const Context& context);

/// How well a named set agrees with a group.
struct SetOverlap {
  Index condition = 0, group = 0;                  ///< the group
  std::string set, description;                    ///< the set
  std::vector<Index> features;                     ///< in both
  Index group_size = 0, set_size = 0, tested = 0;  ///< features of the group; of the set, and in all, that were tested
  double p = 1;                                    ///< that so many are shared by chance: hypergeometric
  double q = 1;  ///< false discovery rate among all groups and sets (Benjamini & Hochberg)
};
/// Compares every group with every set that has at least three tested features. Listed are those that share a feature, by
/// condition, group and p.
std::vector<SetOverlap> compare_with_sets(std::span<const FeatureGroups> groups, std::span<const std::string> features,
                                          std::span<const NamedSet> sets);

}  // namespace disc
