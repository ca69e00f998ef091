// Groups of features: communities of a condition's own graph that the other conditions do not have, or the paper's ways.
// method (18)
#pragma once

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

struct FeatureGroup {
  std::vector<Index> features;  ///< ascending positions among the features used
  /// Per feature: how typical it is of the group; its z score with the rest for communities. Empty: its energy.
  std::vector<double> weight{};
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
  Vector membership;  ///< per feature: z score of its correlation with the others of its community, 0 for background
  std::vector<Index> members(Index community) const;
};
/// Finds them from correlations. `energy` says how much of each feature the eigenvectors above the noise explain: features
/// with little of it start as background. Without a matrix of correlations it is not used: features without any listed pair
/// beyond chance start as background. Communities are one where their latent factors correlate by more than 1/2.
Communities find_communities(const Correlations& correlations, const Vector& energy, double association_z,
                             Index smallest, const Context& context);

/// How a community of one condition differs from the others: from the one that it differs least from. Both ways to differ
/// are on the scale of a standard normal variable for a group that was known beforehand.
struct GroupContrast {
  std::vector<Index> features;  ///< ascending
  double strength = 0;          ///< more strongly connected here: log ratio of the variances of the group's sum
  double separation = 0;        ///< set apart here from features that belong to it elsewhere
  double statistic() const { return strength > separation ? strength : separation; }
};
/// Contrasts of all communities of one condition with the others. Connections between two communities of another condition
/// are no loss there: a union of what others have is not new.
std::vector<GroupContrast> contrast_groups(std::span<const Correlations> correlations,
                                           std::span<const Communities> communities, Index condition);

/// k-means with k-means++ starts and restarts on the rows of `points`. Labels 0 .. k - 1, numbered by first occurrence.
/// k is `clusters`, or less where there are fewer distinct points.
struct KMeansResult {
  std::vector<Index> labels;
  Matrix centres;      ///< k x dimensions
  double inertia = 0;  ///< sum of squared distances to the own centre
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
