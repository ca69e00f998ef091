// Groups of features: communities of a condition's own graph that the other conditions do not have, or the paper's ways.
// method (18)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "disc/differential.hpp"

namespace disc {

enum class Grouping {
  communities,  ///< communities of the condition's own graph, judged by how the other conditions connect their features
  kmeans,       ///< k-means on the rows of V
  threshold     ///< per vector, features with |v| > 1 / (2 sqrt(s)); paper, section 3.3
};

struct GroupOptions {
  /// Unset: communities where the graph is made of correlations (the association kernel), k-means elsewhere.
  std::optional<Grouping> grouping;
  /// Groups to find by k-means, >= 1. Unset: 2 .. 10 are tried and the best silhouette wins (averaged over clusters; on a sample
  /// of about 2000 features when there are more). Communities and the threshold rule find the number themselves.
  std::optional<Index> groups;
  /// k-means asks for one cluster more and drops the largest as background.
  bool drop_largest = true;
  Index restarts = 20;       ///< of k-means, >= 1; the best is kept
  Index min_group_size = 3;  ///< smaller groups are dropped, >= 1
  /// s of the threshold rule, >= 1. Unset: per vector the largest s that at least s features pass.
  std::optional<Index> threshold_size;
};

struct Interval {
  double value = 0, low = 0, high = 0;
};
struct GainedEdge {
  Index a = 0, b = 0;
  double here = 0, elsewhere = 0;  ///< correlations; elsewhere: the largest of the others
};

/// Where a group is looked for. Every view has a scale of its own, which the permutations tell: none pays for the noise of
/// another. method (24)
enum class ViewKind {
  strength,    ///< communities of the condition's own correlations, more strongly connected here
  separation,  ///< the same communities, set apart here from features that belong to them elsewhere
  projected,   ///< communities of what the leading directions of the other conditions do not explain
  compact,     ///< the same sets, judged by the mean gain of a pair: few features, each connected with all others
  sweep,       ///< features in the order of a leading vector, with signs, cut where the statistic is largest
  lost         ///< communities that all other conditions have (three or more conditions)
};
struct View {
  ViewKind kind = ViewKind::strength;
  Index directions = 0;  ///< of every other condition that are taken out
  bool operator==(const View&) const = default;
};
/// "strength", "projected:3", ...
std::string name_of(const View& view);

/// What speaks for a group beside its p-value. method (19)
struct GroupEvidence {
  std::vector<Interval> mean_correlation;  ///< within the group, per condition, with a 95 % bootstrap interval
  std::vector<double> conductance;         ///< per condition: share of its weight that leaves the group
  double stability = 0;                    ///< mean Jaccard index with the best candidate over bootstraps of the units
  double mean_change = 0;                  ///< of its features against the others' mean, in standard deviations
  double variance_change = 0;              ///< log2 ratio of the variance of its features to the others' mean
  std::vector<Index> hubs;                 ///< features most typical of the group
  std::vector<GainedEdge> edges;           ///< pairs with the largest gain of correlation
  std::vector<Index> core;  ///< members whose connections with each other are new; all of them, or a part
};

/// A group of features that is connected in one condition and not, or less, in the others.
struct FeatureGroup {
  std::vector<Index> features;  ///< ascending positions among the features used
  /// Per feature: how typical it is of the group; its z score with the rest where groups are tested. Empty: its energy.
  std::vector<double> weight{};
  std::vector<std::int8_t> sign{};  ///< per feature, +1 or -1: which half it belongs to; empty: all go together
  Index parent = -1;                ///< position of the group that it is a part of
  View view{};                      ///< where it was found
  double statistic = 0;             ///< in the view's own units: standard errors of the change
  double score = 0;                 ///< the statistic above the median of its view's maxima, in units of their spread
  double p = 1;                     ///< family-wise, by step-down; of a part, in one step
  std::optional<double> p_tail{};   ///< extrapolated, where asked for and p is the smallest that can be counted
  double q = 1;                     ///< expected share of false groups among those with at least this score
  GroupEvidence evidence{};         ///< of significant groups
  bool is_lost() const { return view.kind == ViewKind::lost; }
};

struct FeatureGroups {
  std::vector<FeatureGroup> groups;  ///< by falling mean energy; group g is called g + 1
  Vector energy;                     ///< per feature: sum of sigma_i^2 V_ji^2 over the leading vectors, method (18)
  Index requested = 0;               ///< number of groups asked for or chosen, before small ones were dropped
};

/// What each feature contributes to the first `count` vectors: sum of sigma_i^2 V_ji^2. method (18)
Vector differential_energy(const DifferentialVectors& vectors, Index count);

/// Groups features by the leading vectors, the paper's ways; no leading vector, no group. Throws OptionError for options
/// out of range.
FeatureGroups group_features(const DifferentialVectors& vectors, const GroupOptions& options, const Context& context);

/// Which features act together in one condition. Communities do not overlap.
struct Communities {
  std::vector<Index> labels;  ///< 0 .. count - 1, or -1: background
  Index count = 0;
  std::vector<std::vector<Index>> members() const;  ///< per community, ascending
};
/// Finds them from correlations at three scales, the finest first, or without a matrix at the last two. Fine: by modularity among
/// the strongest pairs, then by membership. Finest: the same at a higher resolution, but what one latent factor connects stays
/// together. Coarse: what has the same latent factor is put together, and what has two is split (factors are the same where they
/// correlate by more than 1/2). Features without any pair beyond chance start as background.
std::vector<Communities> find_communities(const Correlations& correlations, double association_z, Index smallest,
                                          const Context& context);

/// The features to move into a group of their own, if the group consists of two with different latent factors; else none.
std::vector<Index> second_part(const Correlations& correlations, const std::vector<Index>& group, Index smallest);

/// How a community of one condition differs from the others: from the one that it differs least from. Both ways to differ
/// are on the scale of a standard normal variable for a group that was known beforehand.
struct GroupContrast {
  std::vector<Index> features;  ///< ascending
  double strength = 0;          ///< more strongly connected here: log ratio of the variances of the group's sum
  double separation = 0;        ///< set apart here from features that belong to it elsewhere
  double loss = 0;              ///< mean correlation with those features, there minus here
};
/// Contrasts of all communities of one condition with the others. Connections between two communities of another condition
/// are no loss there: a union of what others have is not new.
std::vector<GroupContrast> contrast_groups(std::span<const Correlations> correlations,
                                           std::span<const Communities> communities, Index condition);
/// log(1 + a) - log(1 + b) in units of its standard error: the logarithm of a variance estimated from n samples has a variance
/// of about 2 / n, whatever the correlations.
double log_ratio(double a, double b, Index samples_a, Index samples_b);

/// k-means with k-means++ starts and restarts on the rows of `points`. Labels 0 .. k - 1, numbered by first occurrence.
/// k is `clusters`, or less where there are fewer distinct points.
struct KMeansResult {
  std::vector<Index> labels;
  Matrix centers;      ///< k x dimensions
  double inertia = 0;  ///< sum of squared distances to the own center
};
KMeansResult kmeans(const Matrix& points, Index clusters, Index restarts, const Context& context);

/// A grouping by names, as in groups.tsv and truth.tsv: columns condition, group, feature.
struct NamedGroups {
  struct Row {
    std::string condition, group, feature;
  };
  std::vector<Row> rows;
};

/// How well groups found agree with the truth, for one condition. Features in no group count as one background group.
struct Score {
  std::string condition;
  double adjusted_rand = 0;
  Index groups_found = 0, groups_true = 0;
  double precision = 0, recall = 0;  ///< of "is in any group", over features; 1 when there is nothing to find or say
  struct Match {
    std::string truth, found;  ///< found is empty when no group overlaps
    double jaccard = 0;
  };
  std::vector<Match> matches;  ///< best match of each true group
};
/// Scores every condition that is listed or named in either grouping; `features` are all features that took part,
/// others are passed over. Groups of one condition may overlap: the first group that lists a feature counts for the
/// adjusted Rand index, while matches compare the groups as sets.
std::vector<Score> score_groups(const NamedGroups& found, const NamedGroups& truth,
                                std::span<const std::string> conditions, std::span<const std::string> features);

/// 1 for equal partitions, about 0 for unrelated ones (Hubert & Arabie 1985).
double adjusted_rand_index(std::span<const Index> a, std::span<const Index> b);

}  // namespace disc
