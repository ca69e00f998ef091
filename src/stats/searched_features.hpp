// Which features take part in the search for groups where all would take too long.
#pragma once

#include <span>
#include <vector>

#include "graph/prepared_columns.hpp"

namespace disc {

/// Ascending; empty: all. Chosen in all samples together, whatever their labels, so that truth and permutations search among the
/// same. What is not searched can join the groups found. `has_units`: samples belong to units, whose sums are kept.
std::vector<Index> features_to_search(std::span<const PreparedColumns> prepared, bool has_units,
                                      const Context& context);

}  // namespace disc
