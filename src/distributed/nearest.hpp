// The nearest features of the features of every process, wherever those are.
#pragma once

#include "distributed/team.hpp"
#include "graph/nearest_features.hpp"

namespace disc::distributed {

/// As disc::nearest_by_comparison and nearest_by_cells, for the features of this process, among those of all. Names are numbers of
/// features over all processes.
struct OwnNearest {
  Index count = 0;
  std::vector<std::int32_t> of;  ///< own features x count, the nearest first
  bool exact = true;
  double recall = 1.0;
};

/// All pairs are compared: the points of every process come by once.
OwnNearest nearest_by_ring(const FeaturePoints& own, Index count, const Partition& partition, const MpiTeam& team,
                           const Context& context);

/// Points are moved so that near ones are in one process, and put into cells there; the cells of every process come by once and
/// are compared with those next to them. Takes the points' memory.
OwnNearest nearest_by_cells(FeaturePoints&& own, Index count, double recall, const Partition& partition,
                            const MpiTeam& team, const Context& context);

}  // namespace disc::distributed
