// Walks made by hand, with known spectra.
#pragma once

#include "disc/graph.hpp"
#include "disc/spectral.hpp"
#include "support/data.hpp"

namespace disc::testing_support {

inline SolverOptions solver(Solver which) {
  SolverOptions options;
  options.solver = which;
  return options;
}

inline RandomWalk walk_from(Matrix weights, Precision precision = Precision::full) {
  FeatureGraph graph;
  if (precision == Precision::single) {
    graph.weights = SymmetricMatrix(MatrixF(weights.cast<float>()));
  } else {
    graph.weights = SymmetricMatrix(std::move(weights));
  }
  return make_walk(std::move(graph), Context());
}

/// `blocks` groups of about p / blocks features with random weights inside, `coupling` between all others.
inline Matrix block_weights(Index p, Index blocks, double coupling, std::uint64_t seed) {
  std::mt19937_64 stream = random_stream(seed, "test/blocks");
  std::uniform_real_distribution<double> uniform(0.1, 1.0);
  Matrix w = Matrix::Constant(p, p, coupling);
  for (Index j = 0; j < p; ++j) {
    for (Index i = j; i < p; ++i) {
      if (i % blocks != j % blocks) continue;
      w(i, j) = w(j, i) = i == j ? 1.0 : uniform(stream);
    }
  }
  return w;
}

inline Matrix dense_conjugate(const RandomWalk& walk) {
  Matrix s(walk.size(), walk.size());
  for (Index j = 0; j < walk.size(); ++j) {
    for (Index i = 0; i < walk.size(); ++i) {
      s(i, j) = walk.conjugate(i, j) + walk.uniform_weight / std::sqrt(walk.degrees[i] * walk.degrees[j]);
    }
  }
  return s;
}

}  // namespace disc::testing_support
