// Conditions as the statistics take them.
#pragma once

#include "disc/graph.hpp"
#include "graph/prepared_columns.hpp"

namespace disc::testing_support {

inline std::vector<PreparedColumns> prepared_columns(const std::vector<Dataset>& conditions, const FeatureMatch& match,
                                                     Distance distance) {
  std::vector<PreparedColumns> prepared;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    prepared.emplace_back(conditions[m], match.columns[m], distance, Context());
  }
  return prepared;
}

}  // namespace disc::testing_support
