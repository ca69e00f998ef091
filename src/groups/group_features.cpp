// Groups of features from the leading differential vectors, the paper's way. method (18)
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "disc/groups.hpp"
#include "groups/silhouette.hpp"

namespace disc {
namespace {

constexpr Index kMinTried = 2;  // groups, when their number is not given
constexpr Index kMostTried = 10;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void require_at_least_one(const char* option, Index value) {
  if (value < 1) throw OptionError(option, std::to_string(value), "must be at least 1");
}

void check(const GroupOptions& options) {
  if (options.groups) require_at_least_one("groups", *options.groups);
  if (options.threshold_size) require_at_least_one("threshold-size", *options.threshold_size);
  require_at_least_one("restarts", options.restarts);
  require_at_least_one("min-group-size", options.min_group_size);
}

double mean_energy(const FeatureGroup& group, const Vector& energy) { return energy(group.features).mean(); }

/// One k-means partition as candidate groups; the largest is excluded as background on request. Of equally large ones
/// the background is the one with less energy.
std::vector<FeatureGroup> groups_of_labels(const KMeansResult& partition, bool drop_largest, const Vector& energy) {
  std::vector<FeatureGroup> groups(at(partition.centers.rows()));
  for (std::size_t j = 0; j < partition.labels.size(); ++j) {
    groups[at(partition.labels[j])].features.push_back(static_cast<Index>(j));
  }
  if (drop_largest) {
    const auto background = std::ranges::max_element(groups, [&](const FeatureGroup& a, const FeatureGroup& b) {
      if (a.features.size() != b.features.size()) return a.features.size() < b.features.size();
      return mean_energy(a, energy) > mean_energy(b, energy);
    });
    groups.erase(background);
  }
  return groups;
}

/// Tries 2 .. 10 groups and keeps the partition with the best silhouette, the fewer groups on ties. One group where
/// there are too few features for two.
std::pair<KMeansResult, Index> best_partition(const Matrix& rows, const GroupOptions& options, const Context& context) {
  const Index background = options.drop_largest ? 1 : 0;
  const Index most = std::min(kMostTried, rows.rows() - background - 1);  // not every feature a cluster of its own
  std::pair<KMeansResult, Index> best;
  double best_silhouette = -std::numeric_limits<double>::infinity();
  for (Index groups = kMinTried; groups <= most; ++groups) {
    KMeansResult partition = kmeans(rows, groups + background, options.restarts, context);
    const Index clusters = partition.centers.rows();
    if (clusters < groups + background && best.second > 0) break;  // no more distinct rows than that
    const double silhouette = mean_silhouette(rows, partition.labels, clusters, context);
    if (silhouette > best_silhouette) {
      best_silhouette = silhouette;
      best = {std::move(partition), groups};
    }
  }
  if (best.second == 0) best = {kmeans(rows, std::min(1 + background, rows.rows()), options.restarts, context), 1};
  return best;
}

std::vector<FeatureGroup> kmeans_groups(const Matrix& rows, const GroupOptions& options, const Vector& energy,
                                        Index& requested, const Context& context) {
  if (!options.groups) {
    auto [partition, number] = best_partition(rows, options, context);
    requested = number;
    return groups_of_labels(partition, options.drop_largest, energy);
  }
  requested = *options.groups;
  const Index clusters = requested + (options.drop_largest ? 1 : 0);
  if (clusters > rows.rows()) {
    throw OptionError("groups", std::to_string(requested),
                      "needs " + std::to_string(clusters) + " clusters, more than there are features (" +
                          std::to_string(rows.rows()) + ")");
  }
  return groups_of_labels(kmeans(rows, clusters, options.restarts, context), options.drop_largest, energy);
}

/// The threshold 1 / (2 sqrt(s)) of one vector; s is given, or the largest s that at least s features pass. Infinite
/// when there is no such s.
double threshold_of(const Vector& vector, const std::optional<Index>& given) {
  const auto threshold = [](Index size) { return 0.5 / std::sqrt(static_cast<double>(size)); };
  if (given) return threshold(*given);
  Vector magnitudes = vector.cwiseAbs();
  std::ranges::sort(magnitudes, std::greater<>());
  for (Index size = magnitudes.size(); size >= 1; --size) {
    if (magnitudes[size - 1] > threshold(size)) return threshold(size);
  }
  return std::numeric_limits<double>::infinity();
}

/// Paper, section 3.3: one group per vector and sign. A feature that passes in several goes where its |v| is largest,
/// the first of equals.
std::vector<FeatureGroup> threshold_groups(const Matrix& vectors, const GroupOptions& options) {
  std::vector<std::vector<Index>> sides;
  std::vector<Index> vector_of_side;
  for (Index i = 0; i < vectors.cols(); ++i) {
    const Vector vector = vectors.col(i);
    const double threshold = threshold_of(vector, options.threshold_size);
    for (const double sign : {1.0, -1.0}) {
      std::vector<Index> side;
      for (Index j = 0; j < vector.size(); ++j) {
        if (sign * vector[j] > threshold) side.push_back(j);
      }
      if (static_cast<Index>(side.size()) < options.min_group_size) continue;
      sides.push_back(std::move(side));
      vector_of_side.push_back(i);
    }
  }
  std::vector<Index> chosen(at(vectors.rows()), -1);
  for (std::size_t side = 0; side < sides.size(); ++side) {
    for (const Index j : sides[side]) {
      Index& current = chosen[at(j)];
      const double magnitude = std::abs(vectors(j, vector_of_side[side]));
      if (current < 0 || magnitude > std::abs(vectors(j, vector_of_side[at(current)]))) {
        current = static_cast<Index>(side);
      }
    }
  }
  std::vector<FeatureGroup> groups(sides.size());
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    if (chosen[j] >= 0) groups[at(chosen[j])].features.push_back(static_cast<Index>(j));
  }
  return groups;
}

}  // namespace

Vector differential_energy(const DifferentialVectors& vectors, Index count) {
  count = std::min(count, vectors.vectors.cols());  // where nothing is above the noise there are none
  return vectors.vectors.leftCols(count).array().square().matrix() *
         vectors.sigma.head(count).array().square().matrix();
}

FeatureGroups group_features(const DifferentialVectors& vectors, const GroupOptions& options, const Context& context) {
  check(options);
  const Index features = vectors.vectors.rows();
  const Index leading = std::clamp<Index>(vectors.leading, 0, vectors.vectors.cols());
  FeatureGroups result;
  result.energy = Vector::Zero(features);
  if (leading == 0 || features == 0) return result;  // nothing differs

  const Matrix used = vectors.vectors.leftCols(leading);
  result.energy = differential_energy(vectors, leading);
  if (options.grouping == Grouping::threshold) {
    result.groups = threshold_groups(used, options);
    result.requested = static_cast<Index>(result.groups.size());
  } else {
    result.groups = kmeans_groups(used, options, result.energy, result.requested, context);
  }
  std::erase_if(result.groups, [&](const FeatureGroup& group) {
    return group.features.empty() || static_cast<Index>(group.features.size()) < options.min_group_size;
  });
  // Candidates come in an order fixed by their first feature or vector, which settles ties.
  std::ranges::stable_sort(result.groups, [&](const FeatureGroup& a, const FeatureGroup& b) {
    return mean_energy(a, result.energy) > mean_energy(b, result.energy);
  });
  return result;
}

}  // namespace disc
