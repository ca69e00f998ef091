// Inside the stage: one function per family of problems, and what they share.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "disc/simulate.hpp"

namespace disc {

/// Samples drawn from one random stream; also the unit of parallel work.
inline constexpr Index kSamplesPerStream = 1000;
inline Index stream_count(Index samples) { return (samples + kSamplesPerStream - 1) / kSamplesPerStream; }

/// Names and truth rows use default names only, because the files written carry none.
Dataset make_dataset(const std::string& condition, RowMatrix values);
/// Adds the features first .. first + size - 1 (0-based) as a group to find.
void add_truth(NamedGroups& truth, const std::string& condition, Index group, Index first, Index size);

/// The paper's problems made of correlated blocks (section 4.1, appendices D and E).
bool is_correlated_blocks(const std::string& problem);
Simulation simulate_correlated_blocks(const SimulateOptions& options, const Context& context);

/// Two stochastic block models. method section 6
Simulation simulate_block_model(const SimulateOptions& options, const Context& context);

/// Two dates of a scene, an object at the second.
Simulation simulate_scene(const SimulateOptions& options, const Context& context);

/// Weak correlations among many features.
Simulation simulate_hard(const SimulateOptions& options, const Context& context);

}  // namespace disc
