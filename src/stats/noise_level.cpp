// Parallel analysis: what eigenvalues would features show that have nothing to do with each other? method (14)
#include <algorithm>
#include <cmath>
#include <numeric>

#include "disc/stats.hpp"
#include "graph/normalize.hpp"
#include "graph/prepared_columns.hpp"
#include "matrix/blas.hpp"

namespace disc {
namespace {

// The noise of a correlation falls as 1 / sqrt(n), so that many samples can be stood in for by some of them.
constexpr Index max_samples = 1000;
constexpr double percentile = 0.95;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The edge of the noise varies less between permutations the more features there are.
Index permutations_for(Index features) { return features <= 1500 ? 20 : 8; }

// Every column in its own random order.
MatrixF shuffle_columns(const MatrixF& values, std::mt19937_64& random) {
  const Index samples = values.cols();
  std::vector<Index> order(at(samples));
  std::iota(order.begin(), order.end(), Index{0});
  MatrixF shuffled(values.rows(), samples);
  for (Index j = 0; j < values.rows(); ++j) {
    std::shuffle(order.begin(), order.end(), random);
    for (Index i = 0; i < samples; ++i) shuffled(j, i) = values(j, order[at(i)]);
  }
  return shuffled;
}

// The walk of such features, with the degrees that were observed: eigenvalues of noise on the scale of the data, where
// strong connections make the share of noise small.
RandomWalk walk_of_noise(const MatrixF& shuffled, Index samples, const Vector& degrees, const GraphOptions& options,
                         const Context& context) {
  Correlations noise;
  noise.samples = samples;
  noise.values.resize(shuffled.rows(), shuffled.rows());
  multiply_self(tile_of(shuffled), 0.0F, tile_of(noise.values));
  noise.values = noise.values.selfadjointView<Eigen::Lower>();
  const double used = static_cast<double>(shuffled.cols());
  const double shrink = std::sqrt(used / static_cast<double>(samples));
  noise.values *= static_cast<float>(shrink / used);
  FeatureGraph graph = graph_from_correlations(noise, options, context);
  RandomWalk walk;
  walk.degrees = degrees;
  scale_both_sides(graph.weights, degrees.array().rsqrt(), context);
  walk.conjugate = std::move(graph.weights);
  return walk;
}

}  // namespace

NoiseLevel noise_level(const Dataset& condition, std::span<const Index> columns, const Vector& degrees,
                       const GraphOptions& options, const Context& context, const Team* team) {
  prepare_blas();
  const PreparedColumns prepared(condition, columns, *options.distance, context);
  const Index samples = prepared.samples();
  std::vector<Index> chosen(at(samples));
  std::iota(chosen.begin(), chosen.end(), Index{0});
  std::mt19937_64 pick = random_stream(context.seed(), "stats/noise/samples");
  std::shuffle(chosen.begin(), chosen.end(), pick);
  chosen.resize(at(std::min(samples, max_samples)));
  MatrixF values(prepared.features(), static_cast<Index>(chosen.size()));
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    prepared.fill_all(chosen[i], 1, values.data() + static_cast<Index>(i) * values.rows());
  }
  values *= std::sqrt(static_cast<float>(samples));

  NoiseLevel level;
  level.permutations = permutations_for(prepared.features());
  std::vector<double> edges(at(level.permutations));
  SolverOptions solver;
  solver.tolerance = 1e-3;
  const std::vector<Index> share = own_share(team, level.permutations);
  context.parallel_for(static_cast<Index>(share.size()), [&](Index i) {
    const Index b = share[at(i)];
    std::mt19937_64 random = random_stream(context.seed(), "stats/noise", static_cast<std::uint64_t>(b));
    const RandomWalk walk = walk_of_noise(shuffle_columns(values, random), samples, degrees, options, context);
    // The first eigenvalue is the common level of all weights, which the trivial vector takes in the data.
    edges[at(b)] =
        symmetric_eigenpairs(ConjugateOperator(walk), 2, Matrix(walk.size(), 0), 1.0, solver, context).values[1];
  });
  sum_over(team, edges);
  std::ranges::sort(edges);
  level.edge = edges[at(static_cast<Index>(std::ceil(percentile * static_cast<double>(edges.size()))) - 1)];
  return level;
}

}  // namespace disc
