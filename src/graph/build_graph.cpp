// The stage in order: prepare columns, distances, kernel, density normalization, degree regularization.
#include <cmath>

#include "graph/kernels.hpp"
#include "graph/neighbor_graph.hpp"
#include "graph/normalize.hpp"
#include "graph/squared_distances.hpp"

namespace disc {

void check_graph_options(const GraphOptions& options, Index features) {
  if (options.bandwidth_neighbors &&
      (*options.bandwidth_neighbors < 1 || *options.bandwidth_neighbors > features - 1)) {
    throw OptionError("bandwidth-neighbors", std::to_string(*options.bandwidth_neighbors),
                      "must be between 1 and " + std::to_string(features - 1) + " (features used - 1)");
  }
  if (options.kernel == Kernel::association && options.distance == Distance::euclidean) {
    throw OptionError("distance", "euclidean",
                      "the association kernel needs correlation, abs-correlation, spearman, normal-scores or cosine");
  }
  if (features < 2) {
    throw InputError("only " + std::to_string(features) + " feature can be used; at least 2 are needed");
  }
}

Distance correlation_of(const std::optional<Scores>& scores) {
  if (scores == Scores::values) return Distance::correlation;
  return scores == Scores::ranks ? Distance::spearman : Distance::normal_scores;
}

GraphOptions resolved_by_kernel(GraphOptions options) {
  const bool association = options.kernel == Kernel::association;
  if (!options.distance) options.distance = association ? correlation_of(options.scores) : Distance::euclidean;
  if (!options.degree_regularization) options.degree_regularization = association ? 1.0 : 0.0;
  if (!options.self_weight) options.self_weight = association ? 0.0 : 1.0;
  return options;
}

namespace {

// A feature without any weight stands alone: its walk stays where it is.
void connect_lone_to_themselves(FeatureGraph& graph, const Vector& degrees, Index first = 0) {
  graph.weights.visit([&](auto& values) {
    for (Index j = 0; j < degrees.size(); ++j) {
      if (degrees[j] > 0) continue;
      if constexpr (std::is_same_v<std::decay_t<decltype(values)>, SparseMatrix>) {
        values.coeffRef(j, first + j) = 1;
      } else {
        values(first + j, j) = 1;
      }
    }
    if constexpr (requires { values.makeCompressed(); }) values.makeCompressed();
  });
}

// Of single features: the entries are sqrt(n_a n_b) times the weight of a pair.
Vector degrees_of(const SymmetricMatrix& weights, const Vector& root_sizes) {
  return weights.visit([&](const auto& values) -> Vector {
    return (values.template cast<double>() * root_sizes).cwiseQuotient(root_sizes);
  });
}

// Of single features, divided over the processes or all in this one.
class WeightsOfFeatures {
 public:
  WeightsOfFeatures(FeatureGraph& graph, const Context& context)
      : graph_(graph), context_(context), first_(context.team().partition_of(graph.weights.own_size()).first) {}
  Vector row_sums() const { return disc::row_sums(graph_.weights, context_); }
  void scale_both_sides(const Vector& scale) { disc::scale_both_sides(graph_.weights, scale, context_); }
  void connect_lone_to_themselves(const Vector& degrees) { disc::connect_lone_to_themselves(graph_, degrees, first_); }
  double mean(const Vector& degrees) const {
    return context_.team().sum(degrees.sum()) / static_cast<double>(graph_.size());
  }
  Index size() const { return graph_.size(); }

 private:
  FeatureGraph& graph_;
  const Context& context_;
  Index first_;  // feature of this process
};

// Those of prototypes, as the features that they stand for see them.
class WeightsOfPrototypes {
 public:
  WeightsOfPrototypes(FeatureGraph& graph, const Context& context)
      : graph_(graph), context_(context), root_(graph.sizes.cwiseSqrt()) {}
  Vector row_sums() const { return degrees_of(graph_.weights, root_); }
  void scale_both_sides(const Vector& scale) { disc::scale_both_sides(graph_.weights, scale, context_); }
  void connect_lone_to_themselves(const Vector& degrees) { disc::connect_lone_to_themselves(graph_, degrees); }
  double mean(const Vector& degrees) const { return degrees.dot(graph_.sizes) / graph_.sizes.sum(); }
  double size() const { return graph_.sizes.sum(); }

 private:
  FeatureGraph& graph_;
  const Context& context_;
  Vector root_;
};

void normalize(FeatureGraph& graph, const Context& context) {
  if (graph.sizes.size() > 0) {
    WeightsOfPrototypes weights(graph, context);
    graph.uniform_weight = normalize_weights(weights, graph.used);
    return;
  }
  WeightsOfFeatures weights(graph, context);
  graph.uniform_weight = normalize_weights(weights, graph.used);
}

}  // namespace

FeatureGraph build_graph(const Dataset& condition, std::span<const Index> columns, const GraphOptions& options,
                         const Context& context) {
  if (options.kernel == Kernel::precomputed) return graph_from_weights(condition, columns, options, context);
  const Team& team = context.team();
  FeatureGraph graph;
  graph.used = resolved_by_kernel(options);
  if (graph.used.form == GraphForm::knn) {
    check_graph_options(options, team.partition_of(static_cast<Index>(columns.size())).total());
    const PreparedColumns prepared(condition, columns, *graph.used.distance, context);
    build_neighbor_graph(prepared, graph, context);
    normalize(graph, context);
    return graph;
  }
  check_graph_options(options, static_cast<Index>(columns.size()));
  const PreparedColumns prepared(condition, columns, *graph.used.distance, context.with(nullptr));
  graph.used.form = GraphForm::dense;
  Matrix distances;
  if (team.size() > 1) {
    const Partition partition = team.even_partition(prepared.features());
    distances = squared_distances_to(prepared, partition.first, partition.count, context);
  } else {
    SquaredDistances all = squared_distances(prepared, options.precision, context);
    graph.recomputed_pairs = all.recomputed_pairs;
    distances = std::move(all.values);
  }
  const KernelInputs inputs = resolve_kernel(distances, prepared.samples(), graph.used, context);
  graph.weights = apply_kernel(std::move(distances), inputs, graph.used, context);
  graph.bandwidths = inputs.bandwidths;
  graph.duplicates = inputs.duplicates;
  normalize(graph, context);
  return graph;
}

Matrix given_weights(const Dataset& weights, std::span<const Index> columns, const GraphOptions& options) {
  const SampleMatrix& values = weights.values;
  if (values.rows() != values.cols()) {
    const bool several = values.cols() > 0 && values.rows() % values.cols() == 0;
    throw InputError({.file = weights.source},
                     "precomputed weights must be square, but there are " + std::to_string(values.rows()) +
                         " rows and " + std::to_string(values.cols()) + " columns" +
                         (several ? "; matrices of several subjects must be averaged to one per condition first" : ""));
  }
  const bool rows_named = weights.samples != numbered_names("s", values.rows());
  if (weights.features_named && rows_named && weights.samples != weights.features) {
    throw InputError({.file = weights.source},
                     "the rows and columns of precomputed weights must have the same names in the same order");
  }
  const Index p = static_cast<Index>(columns.size());
  check_graph_options(options, p);
  Matrix picked(p, p);
  RowMatrix row;
  for (Index i = 0; i < p; ++i) {
    values.copy_rows(columns[static_cast<std::size_t>(i)], 1, columns, row);
    picked.row(i) = row;
  }
  if (options.negative_weights == NegativeWeights::zero) picked = picked.cwiseMax(0.0);
  if (options.negative_weights == NegativeWeights::absolute) picked = picked.cwiseAbs();
  const double largest = picked.cwiseAbs().maxCoeff();
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < p; ++i) {
      const auto name = [&](Index k) {
        return "'" + weights.features[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])] + "'";
      };
      if (picked(i, j) < 0) {
        throw InputError({.file = weights.source, .value = std::to_string(picked(i, j))},
                         "the weight between " + name(i) + " and " + name(j) + " is " + std::to_string(picked(i, j)) +
                             "; weights must not be negative, or use --negative-weights zero or absolute");
      }
      if (std::abs(picked(i, j) - picked(j, i)) > 1e-9 * largest) {
        throw InputError({.file = weights.source}, "the weights between " + name(i) + " and " + name(j) +
                                                       " differ by direction (" + std::to_string(picked(i, j)) + ", " +
                                                       std::to_string(picked(j, i)) + "); they must be symmetric");
      }
    }
  }
  return picked;
}

FeatureGraph graph_from_weights(const Dataset& weights, std::span<const Index> columns, const GraphOptions& options,
                                const Context& context) {
  Matrix picked = given_weights(weights, columns, options);
  FeatureGraph graph;
  graph.used = resolved_by_kernel(options);
  graph.used.form = GraphForm::dense;
  if (const Team& team = context.team(); team.size() > 1) {
    const Partition partition = team.even_partition(picked.cols());
    picked = picked.middleCols(partition.first, partition.count).eval();
    graph.weights = SymmetricMatrix(std::move(picked));
  } else if (options.precision == Precision::single) {
    graph.weights = SymmetricMatrix(MatrixF(picked.cast<float>()));
  } else {
    graph.weights = SymmetricMatrix(std::move(picked));
  }
  normalize(graph, context);
  return graph;
}

FeatureGraph graph_from_correlations(const Correlations& correlations, const GraphOptions& options,
                                     const Context& context) {
  FeatureGraph graph;
  graph.used = resolved_by_kernel(options);
  graph.weights = SymmetricMatrix(associations(correlations, graph.used));
  normalize(graph, context);
  return graph;
}

Matrix pair_distances(const Dataset& condition, std::span<const Index> columns, Distance distance,
                      const Context& context) {
  const PreparedColumns prepared(condition, columns, distance, context);
  Matrix values = squared_distances(prepared, Precision::full, context).values;
  values = values.cwiseSqrt();
  return values;
}

FeatureGraph graph_of_prototypes(Matrix correlations, Index samples, const Vector& sizes, const GraphOptions& options,
                                 const Context& context) {
  FeatureGraph graph;
  graph.used = resolved_by_kernel(options);
  graph.used.form = GraphForm::prototypes;
  graph.sizes = sizes;
  const double cut = noise_cut(samples, graph.used);
  const double subtract = graph.used.association_cut == AssociationCut::soft ? cut : 0.0;
  const Vector root = sizes.cwiseSqrt();
  for (Index b = 0; b < correlations.cols(); ++b) {
    for (Index a = 0; a < correlations.rows(); ++a) {
      const double r = correlations(a, b);
      const double kept = r > 0.0 && r >= cut ? r - subtract : 0.0;
      const double weight = graph.used.association_power == 1.0 ? kept : std::pow(kept, graph.used.association_power);
      correlations(a, b) = a == b ? (sizes[a] - 1.0) * weight + *graph.used.self_weight : root[a] * root[b] * weight;
    }
  }
  if (options.precision == Precision::single) {
    graph.weights = SymmetricMatrix(MatrixF(correlations.cast<float>()));
  } else {
    graph.weights = SymmetricMatrix(std::move(correlations));
  }
  normalize(graph, context);
  return graph;
}

RandomWalk make_walk(FeatureGraph&& graph, const Context& context) {
  RandomWalk walk;
  walk.uniform_weight = graph.uniform_weight;
  walk.locality_order = std::move(graph.locality_order);
  const bool is_plain = graph.sizes.size() == 0;
  const double features = is_plain ? static_cast<double>(graph.size()) : graph.sizes.sum();
  walk.partition = context.team().partition_of(graph.weights.own_size());
  walk.degrees = is_plain ? row_sums(graph.weights, context) : degrees_of(graph.weights, graph.sizes.cwiseSqrt());
  walk.degrees.array() += graph.uniform_weight * features;
  walk.sizes = std::move(graph.sizes);
  scale_both_sides(graph.weights, walk.degrees.array().rsqrt(), context);
  walk.conjugate = std::move(graph.weights);
  return walk;
}

}  // namespace disc
