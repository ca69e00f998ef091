// Leading eigenpairs of the walk on a given sparse graph, for comparison with other libraries on the same graph.
//
//   build/release/bench_sparse_solver GRAPH PAIRS TOLERANCE
//
// GRAPH: 64-bit counts of rows and entries, then where each row begins (rows + 1), the columns, and the weights in double.
// Printed: seconds of preparing the walk, seconds of the solver, products with one vector, then the eigenvalues, one number per line.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "disc/graph.hpp"
#include "disc/spectral.hpp"

namespace {

using namespace disc;

SparseMatrix read_graph(const char* path) {
  std::ifstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  const auto read = [&](auto* values, Index count) {
    file.read(reinterpret_cast<char*>(values),
              static_cast<std::streamsize>(count * static_cast<Index>(sizeof(*values))));
  };
  Index size[2];
  read(size, 2);
  SparseMatrix graph(size[0], size[0]);
  graph.resizeNonZeros(size[1]);
  read(graph.outerIndexPtr(), size[0] + 1);
  read(graph.innerIndexPtr(), size[1]);
  read(graph.valuePtr(), size[1]);
  return graph;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "usage: bench_sparse_solver GRAPH PAIRS TOLERANCE\n");
    return 2;
  }
  const Context context{Context::Settings{}};
  FeatureGraph graph;
  graph.weights = SymmetricMatrix(read_graph(words[1]));
  auto start = std::chrono::steady_clock::now();
  const RandomWalk walk = make_walk(std::move(graph), context);
  std::printf("%.3f\n", seconds_since(start));
  SolverOptions options;
  options.tolerance = std::atof(words[3]);
  start = std::chrono::steady_clock::now();
  const Eigenpairs pairs = leading_eigenpairs(walk, std::atol(words[2]), options, context);
  std::printf("%.3f\n%ld\n", seconds_since(start), static_cast<long>(pairs.convergence.applications));
  for (const double value : pairs.values) std::printf("%.12f\n", value);
  return pairs.convergence.converged ? 0 : 1;
}
