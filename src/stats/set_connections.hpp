// How strongly a set of features is connected in every condition of every labelling. method (17), (25)
#pragma once

#include <cstdint>

#include "stats/unit_weights.hpp"

namespace disc {

/// Values of all samples, by unit.
struct UnitValues {
  const MatrixF& values;                  ///< samples x features, of variance 1 within their condition
  const std::vector<Index>& unit_of_row;  ///< -1: the sample is left out
};

/// Labellings of units: condition of unit u in labelling b, units x labellings.
using Labels = Eigen::Matrix<std::int16_t, Eigen::Dynamic, Eigen::Dynamic>;

/// Sum of the correlations over pairs of members, per member: c(S), for every labelling (rows) and condition (columns). The variance of
/// the sum of the standardised members says it, so that no pair is looked at.
Matrix connections_of_set(const UnitValues& all, std::span<const Index> members, std::span<const std::int8_t> sign,
                          const UnitWeights& weights, const Labels& labels, Index conditions, const Context& context);

}  // namespace disc
