// Two stochastic block models whose second community differs. method section 6
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "simulate/problems.hpp"

namespace disc {
namespace {

constexpr Index kRowsPerStream = 64;

/// Symmetric 0/1 weights with ones on the diagonal; `sizes` are those of the communities, in the order of the features.
RowMatrix draw_weights(const std::vector<Index>& sizes, const SimulateOptions& options, const std::string& condition,
                       const Context& context) {
  std::vector<Index> community;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    community.insert(community.end(), static_cast<std::size_t>(sizes[c]), static_cast<Index>(c));
  }
  const Index features = static_cast<Index>(community.size());
  RowMatrix weights = RowMatrix::Identity(features, features);
  context.parallel_for((features + kRowsPerStream - 1) / kRowsPerStream, [&](Index item) {
    std::mt19937_64 random = random_stream(context.seed(), "simulate/block-model/" + condition + "/weights",
                                           static_cast<std::uint64_t>(item));
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const Index end = std::min(features, (item + 1) * kRowsPerStream);
    for (Index i = item * kRowsPerStream; i < end; ++i) {
      for (Index j = i + 1; j < features; ++j) {
        const bool within = community[static_cast<std::size_t>(i)] == community[static_cast<std::size_t>(j)];
        const double probability = within ? options.block_within : options.block_between;
        weights(i, j) = weights(j, i) = uniform(random) < probability ? 1.0 : 0.0;
      }
    }
  });
  return weights;
}

}  // namespace

Simulation simulate_block_model(const SimulateOptions& options, const Context& context) {
  const Index large = options.block_size;
  const Index small = std::max<Index>(1, std::llround(std::pow(static_cast<double>(large), options.block_exponent)));
  Simulation simulation;
  simulation.precomputed = true;
  simulation.conditions.push_back(make_dataset("A", draw_weights({large, large + small}, options, "A", context)));
  simulation.conditions.push_back(make_dataset("B", draw_weights({large, large, small}, options, "B", context)));
  // The theory is about gamma, the small community that leaves the second large one.
  add_truth(simulation.truth, "B", 1, 2 * large, small);
  return simulation;
}

}  // namespace disc
