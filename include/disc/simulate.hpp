// The paper's synthetic problems, with the truth.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "disc/groups.hpp"
#include "disc/matrix.hpp"

namespace disc {

struct SimulateOptions {
  std::string problem;       ///< a name from simulation_problems()
  Index samples = 10'000;    ///< per condition, >= 2; ignored by block-model
  double partial = 0.5;      ///< t of "partial", in [0, 1]
  Index block_size = 500;    ///< l of "block-model", >= 10
  double block_exponent = 0.75;  ///< alpha of "block-model", in (0, 1): s = l^alpha
};

struct Simulation {
  std::vector<Dataset> conditions;  ///< named A, B, C; for block-model the weights themselves (features x features)
  NamedGroups truth;
  bool precomputed = false;         ///< the values are weights, to be run with --kernel precomputed
};

struct SimulationProblem {
  std::string name, description;
};
std::vector<SimulationProblem> simulation_problems();

/// The same seed gives the same data, for any number of threads. Throws OptionError for an unknown problem.
Simulation simulate(const SimulateOptions& options, const Context& context);

}  // namespace disc
