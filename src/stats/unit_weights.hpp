// What the samples of every unit count. method (17)
#pragma once

#include "stats/sampling.hpp"

namespace disc {

/// Units of unequal size count alike, so that a permutation that gives the large ones to one condition is like any other.
struct UnitWeights {
  /// `total`: samples of all units.
  UnitWeights(const Units& units, const Sampling& sampling, Index total);
  UnitWeights() = default;
  /// How many independent samples the units stand for, each counted so many times. Samples that count twice carry the noise of half as
  /// many (Kish 1965).
  Index effective(const Vector& counts) const;

  Vector samples;            ///< per unit, as if they were independent
  Vector factor;             ///< per unit: what each of its samples counts
  Vector totals;             ///< per unit: that times its samples
  bool count_alike = false;  ///< units of unequal size
};

}  // namespace disc
