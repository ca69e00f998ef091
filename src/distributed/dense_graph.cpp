// All pairs of features, rows divided over the processes.
#include <cmath>

#include "distributed/graphs.hpp"
#include "graph/kernels.hpp"
#include "graph/normalise.hpp"
#include "graph/selection.hpp"
#include "graph/squared_distances.hpp"

namespace disc::distributed {
namespace {

// Squared distances of own features (columns) to their k-th nearest, of all features in every process.
KernelInputs inputs_of(const Matrix& squared, Index samples, GraphOptions& used, const Partition& partition,
                       const MpiTeam& team) {
  KernelInputs inputs;
  if (used.kernel == Kernel::self_tuning || used.kernel == Kernel::adaptive) {
    if (!used.bandwidth_neighbors) used.bandwidth_neighbors = usual_neighbors(partition.total());
    Vector own(partition.count);
    std::vector<double> scratch;
    for (Index j = 0; j < partition.count; ++j) {
      own[j] = kth_smallest(squared.data() + j * squared.rows(), squared.rows(), partition.first + j,
                            *used.bandwidth_neighbors, scratch);
    }
    inputs.bandwidths = without_zeros(team.rows_to_all(own), inputs.duplicates).cwiseSqrt();
  } else if (used.kernel == Kernel::rbf && !used.bandwidth) {
    const double median = median_of_pairs(squared, partition.first, &team);
    used.bandwidth = median > 0 ? std::sqrt(median) : 1.0;
  } else if (used.kernel == Kernel::association) {
    if (used.association_cut == AssociationCut::fdr) {
      throw OptionError("association-cut", "fdr", "is not in the engine mpi: use --engine local");
    }
    inputs.cut = noise_cut(samples, used);
  }
  return inputs;
}

}  // namespace

Graph dense_graph(const Dataset& condition, std::span<const Index> columns, const GraphOptions& options,
                  const MpiTeam& team, const Context& context) {
  const auto p = static_cast<Index>(columns.size());
  check_graph_options(options, p);
  const Partition partition = team.even_partition(p);
  Graph graph;
  FeatureGraph& facts = graph.facts;
  facts.used = resolved_by_kernel(options);
  facts.used.form = GraphForm::dense;
  Matrix weights;
  if (options.kernel == Kernel::precomputed) {
    weights = given_weights(condition, columns, options).middleCols(partition.first, partition.count);
  } else {
    const PreparedColumns prepared(condition, columns, *facts.used.distance, context);
    weights = squared_distances_to(prepared, partition.first, partition.count, context);
    const KernelInputs inputs = inputs_of(weights, prepared.samples(), facts.used, partition, team);
    const KernelColumn kernel(inputs, facts.used);
    for (Index j = 0; j < partition.count; ++j) {
      double* const column = weights.data() + j * p;
      kernel(column, 0, p, partition.first + j, column);
      column[partition.first + j] = *facts.used.self_weight;
    }
    facts.duplicates = inputs.duplicates;
  }
  OwnedMat rows = dense_rows(weights, partition, team);
  weights.resize(0, 0);
  graph.walk = std::make_unique<Walk>(std::move(rows), facts.used, partition, team);
  return graph;
}

}  // namespace disc::distributed
