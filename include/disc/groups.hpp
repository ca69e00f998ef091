// Groups of features from differential vectors, the paper's way. method (18)
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "disc/differential.hpp"

namespace disc {

enum class Grouping {
  kmeans,    ///< k-means on the rows of V
  threshold  ///< per vector, features with |v| > 1 / (2 sqrt(s)); paper, section 3.3
};

struct GroupOptions {
  Grouping grouping = Grouping::kmeans;
  /// Groups to find, >= 1. Unset: 2 .. 10 are tried and the best silhouette wins (averaged over clusters; on a sample
  /// of about 2000 features when there are more). Ignored by the threshold rule.
  std::optional<Index> groups;
  /// k-means asks for one cluster more and drops the largest as background.
  bool drop_largest = true;
  Index restarts = 20;       ///< of k-means, >= 1; the best is kept
  Index smallest_group = 3;  ///< smaller groups are dropped, >= 1
  /// s of the threshold rule, >= 1. Unset: per vector the largest s that at least s features pass.
  std::optional<Index> threshold_size;
};

struct FeatureGroup {
  std::vector<Index> features;  ///< ascending positions among the features used
};

struct FeatureGroups {
  std::vector<FeatureGroup> groups;  ///< by falling mean energy; group g is called g + 1
  Vector energy;                     ///< per feature: sum of sigma_i^2 V_ji^2 over the leading vectors, method (18)
  Index requested = 0;               ///< number of groups asked for or chosen, before small ones were dropped
};

/// Groups features by the leading vectors; no leading vector, no group. Throws OptionError for options out of range.
FeatureGroups group_features(const DifferentialVectors& vectors, const GroupOptions& options, const Context& context);

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
