// The list of problems, the check of the options, and the way to the right family.
#include "disc/simulate.hpp"

#include <algorithm>
#include <utility>

#include "disc/io.hpp"
#include "simulate/problems.hpp"

namespace disc {
namespace {

std::string names_of(const std::vector<SimulationProblem>& list) {
  std::string names;
  for (const SimulationProblem& entry : list) names += (names.empty() ? "" : ", ") + entry.name;
  return names;
}

void require_known(const char* option, const std::string& name, const std::vector<SimulationProblem>& list) {
  const bool known = std::ranges::find(list, name, &SimulationProblem::name) != list.end();
  if (!known) throw OptionError(option, name, "must be one of " + names_of(list));
}

void require(bool holds, const char* option, const std::string& value, const char* rule) {
  if (!holds) throw OptionError(option, value, rule);
}

void check(const SimulateOptions& options) {
  require_known("problem", options.problem, simulation_problems());
  require(*options.samples >= 2, "samples", std::to_string(*options.samples), "must be at least 2");
  require(options.partial >= 0 && options.partial <= 1, "partial", format_number(options.partial),
          "must be between 0 and 1");
  require(options.block_size >= 10, "block-size", std::to_string(options.block_size), "must be at least 10");
  require(options.block_exponent > 0 && options.block_exponent < 1, "block-exponent",
          format_number(options.block_exponent), "must be above 0 and below 1");
  require(options.block_within >= 0 && options.block_within <= 1, "block-within", format_number(options.block_within),
          "must be between 0 and 1");
  require(options.block_between >= 0 && options.block_between <= 1, "block-between",
          format_number(options.block_between), "must be between 0 and 1");
  require(options.rho > 0 && options.rho <= 0.95, "rho", format_number(options.rho),
          "must be above 0 and at most 0.95");
  require_known("variant", options.variant, simulation_variants());
}

}  // namespace

std::vector<SimulationProblem> simulation_problems() {
  return {
      {"newly-connected", "250 features: two groups in both conditions, two only in A, two only in B (section 4.1)"},
      {"subsets", "200 features: the second of two groups falls into 25 and 75 features in B (section 4.1)"},
      {"both", "200 features: one group falls apart in A, the other in B (appendix)"},
      {"three", "400 features, three conditions, each with two groups of its own (appendix D)"},
      {"partial", "newly-connected, but A's groups keep part of their connection in B (appendix E)"},
      {"block-model", "weights from two stochastic block models; B splits a community (section 3.3, appendix F)"},
      {"scene",
       "pixels of two dates, in 124 bands; an object of a spectrum of its own is there at the second date only"},
      {"hard", "1000 features in small groups of weak correlation; beyond the paper"},
  };
}

std::vector<SimulationProblem> simulation_variants() {
  return {
      {"plain", "normal distribution, unit variance"},
      {"heavy-tails", "Student's t with 3 degrees of freedom, unit variance"},
      {"scales", "features on scales from 0.01 to 100"},
      {"unequal-n", "B has a quarter of the samples of A"},
      {"overlapping", "neighboring groups have 5 features in common"},
      {"strength", "one group of both conditions is half as strong in B: a fourth group of A"},
      {"counts", "gamma-Poisson counts with dropout"},
  };
}

Dataset make_dataset(const std::string& condition, RowMatrix values) {
  Dataset dataset;
  dataset.name = condition;
  dataset.features = numbered_names("f", values.cols());
  dataset.samples = numbered_names("s", values.rows());
  dataset.features_named = false;
  dataset.values = SampleMatrix(std::move(values));
  return dataset;
}

void add_truth(NamedGroups& truth, const std::string& condition, Index group, Index first, Index size) {
  for (Index j = first; j < first + size; ++j) {
    truth.rows.push_back({condition, std::to_string(group), "f" + std::to_string(j + 1)});
  }
}

Simulation simulate(const SimulateOptions& given, const Context& context) {
  SimulateOptions options = given;
  const bool is_scene = options.problem == "scene";
  if (!options.samples) options.samples = is_scene ? 124 : 10'000;
  if (!options.features && is_scene) options.features = 10'000;
  check(options);
  if (is_scene) return simulate_scene(options, context);
  if (is_correlated_blocks(options.problem)) return simulate_correlated_blocks(options, context);
  if (options.problem == "block-model") return simulate_block_model(options, context);
  return simulate_hard(options, context);
}

}  // namespace disc
