// Many features through few prototypes: k-means of their profiles over the samples of all conditions. method (27)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "disc/graph.hpp"

namespace disc {

/// Prototypes before features are put to them. A profile is a feature's prepared values (standardized within each condition) in all
/// conditions, one below the other, so that a prototype means the same features everywhere and no label decides about it.
struct PrototypeCenters {
  MatrixF centers;  ///< samples of all conditions x prototypes; empty: every feature is one
  double loss = 0;  ///< share of the variance of profiles that is lost, of features that had no part in the search
};

/// Every feature's prototype.
struct Prototypes {
  std::vector<std::int32_t> of;        ///< per feature
  Vector sizes;                        ///< features per prototype, all positive
  std::vector<Index> representatives;  ///< per prototype, the feature nearest to it; ascending
  /// Per condition, samples x prototypes: the mean of the members' prepared values, which are columns of length 1, so that products
  /// are means of correlations over pairs.
  std::vector<MatrixF> profiles;
  double loss = 0;  ///< share of the variance of all profiles
  Index count() const { return sizes.size(); }
};

/// Looks for `count` prototypes, on a sample of the features. The distance is a correlation. Where the loss is beyond all use with a
/// few prototypes, more are not tried.
PrototypeCenters find_prototypes(std::span<const Dataset> conditions, const FeatureMatch& match, Distance distance,
                                 Index count, const Context& context);
/// Puts every feature to the nearest. Prototypes without a feature are dropped.
Prototypes assign_prototypes(std::span<const Dataset> conditions, const FeatureMatch& match, Distance distance,
                             const PrototypeCenters& found, const Context& context);

/// Mean correlations between prototypes in one condition; on the diagonal, between different members (0 where there is one).
Matrix correlations_of_prototypes(const Prototypes& prototypes, Index condition);
/// From vectors of the walk on prototypes to vectors of features, of the same lengths.
Matrix lift_to_features(const Matrix& vectors, const Prototypes& prototypes);

}  // namespace disc
