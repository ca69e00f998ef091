// The paper's synthetic problems and a harder family, with the truth.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "disc/groups.hpp"
#include "disc/matrix.hpp"

namespace disc {

struct SimulateOptions {
  std::string problem;  ///< a name from simulation_problems()
  /// Per condition, >= 2; ignored by block-model. Unset: 10,000; 124 bands for "scene".
  std::optional<Index> samples;
  /// Features in all. Unset: as many as the problem has; 10,000 for "scene", whose pixels must be a square number. A multiple
  /// of what a problem of correlated blocks has: the problem is repeated with other blocks. Ignored by block-model and hard.
  std::optional<Index> features;
  double partial = 0.5;           ///< t of "partial", in [0, 1]
  Index block_size = 500;         ///< l of "block-model", >= 10
  double block_exponent = 0.75;   ///< alpha of "block-model", in (0, 1): s = l^alpha
  double block_within = 0.5;      ///< probability of an edge within a community of "block-model", in [0, 1]
  double block_between = 0.1;     ///< and between communities, in [0, 1]
  double rho = 0.3;               ///< mean correlation within a group of "hard", in (0, 0.95]
  std::string variant = "plain";  ///< of "hard": a name from simulation_variants()
};

/// An option of a simulation, --samples and so on: one row each in src/simulate/options.cpp.
struct SimulateField {
  std::string name, placeholder, help;
  /// Sets a value; throws OptionError naming the option, the value and the rule.
  std::function<void(SimulateOptions&, const std::string& value)> set;
};
const std::vector<SimulateField>& simulate_option_table();
SimulateOptions make_simulate_options(const std::string& problem, const std::map<std::string, std::string>& given);

struct Simulation {
  std::vector<Dataset> conditions;  ///< named A, B, C; for block-model the weights themselves (features x features)
  NamedGroups truth;
  bool precomputed = false;  ///< the values are weights, to be run with --kernel precomputed
};

struct SimulationProblem {
  std::string name, description;
};
std::vector<SimulationProblem> simulation_problems();
/// The variants of "hard".
std::vector<SimulationProblem> simulation_variants();

/// The same seed gives the same data, for any number of threads. Throws OptionError for an unknown problem or variant
/// and for options out of range.
Simulation simulate(const SimulateOptions& options, const Context& context);

}  // namespace disc
