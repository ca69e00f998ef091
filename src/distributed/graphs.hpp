// Graphs whose rows are divided over the processes. method section 2
#pragma once

#include <memory>

#include "distributed/checkpoint_slot.hpp"
#include "distributed/walk.hpp"

namespace disc::distributed {

/// A walk, and what is known about its graph beside the weights.
struct Graph {
  FeatureGraph facts;
  std::unique_ptr<Walk> walk;
};

/// All pairs: every process has all columns (features) and computes the weights of its own.
Graph dense_graph(const Dataset& condition, std::span<const Index> columns, const GraphOptions& options,
                  const MpiTeam& team, const Context& context);

/// Each feature and its nearest: every process has its own columns only; values of the others come by.
Graph neighbor_graph(const Dataset& condition, std::span<const Index> own_columns, const GraphOptions& options,
                     const Kept& kept, const MpiTeam& team, const Context& context);

}  // namespace disc::distributed
