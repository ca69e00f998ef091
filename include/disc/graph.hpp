// From data to a random walk on features: distances, kernels, normalization. method section 2.
#pragma once

#include <optional>
#include <span>

#include "disc/correlations.hpp"
#include "disc/team.hpp"

namespace disc {

/// method (1)
enum class Distance {
  euclidean,
  correlation,
  abs_correlation,
  spearman,  ///< correlation of ranks
  normal_scores,  ///< correlation of the normal scores of ranks (van der Waerden): no outlier, no tail counts for more than its rank
  cosine
};

/// As what values enter a correlation, within their condition.
enum class Scores { normal, values, ranks };

/// method (2)
enum class Kernel { self_tuning, adaptive, rbf, association, precomputed };

/// Where the association kernel cuts off sampling noise. method (2)
enum class AssociationCut {
  soft,  ///< r - z / sqrt(n), at least 0
  hard,  ///< r, but 0 where r < z / sqrt(n)
  fdr    ///< r, but 0 below the threshold where a share `association_fdr` of the edges kept would be false
};

/// What becomes of precomputed weights below zero, such as negative correlations.
enum class NegativeWeights { error, zero, absolute };

/// The number type of the p x p arithmetic. Results are double either way.
enum class Precision { full, single };

/// Which pairs of features a graph holds. method section 2
enum class GraphForm {
  automatic,   ///< dense as long as matrices of all pairs are affordable
  dense,       ///< all pairs
  prototypes,  ///< all pairs, through prototypes that stand for many like features. method (27)
  knn          ///< each feature and its nearest, in either direction
};

/// How the nearest features are found.
enum class NeighborSearch {
  automatic,   ///< exact as long as that takes no longer than about a minute
  exact,       ///< all pairs are compared
  approximate  ///< near pairs are compared: a share of at least `recall` of the nearest is found
};

struct GraphOptions {
  /// Unset: as `scores` says for the association kernel, euclidean for the others. The association kernel needs a
  /// correlation (correlation, abs-correlation, spearman, normal-scores, cosine). Ignored for precomputed.
  std::optional<Distance> distance;
  /// Chooses the correlation of the association kernel where no distance is given: normal-scores, correlation or spearman. Unset:
  /// normal.
  std::optional<Scores> scores;
  Kernel kernel = Kernel::association;
  /// Bandwidth of a feature = distance to its k-th nearest other feature; 1 .. p - 1. Unset: about log2(p).
  /// Used by self-tuning and adaptive.
  std::optional<Index> bandwidth_neighbors;
  /// Bandwidth e of rbf, > 0. Unset: the median distance.
  std::optional<double> bandwidth;
  double association_power = 1.0;  ///< exponent b, > 0
  AssociationCut association_cut = AssociationCut::soft;
  double association_z = 1.5;     ///< z of soft and hard, >= 0
  double association_fdr = 0.05;  ///< level of fdr, in (0, 1)
  double density_exponent = 0.0;  ///< a of method (3), in [0, 1]
  /// t of method (4), >= 0. Unset: 1 for the association kernel, 0 for the others.
  std::optional<double> degree_regularization;
  /// W_ii, >= 0. Unset: 0 for the association kernel (a feature's correlation with itself says nothing and hides weak
  /// groups), 1 for the others. Ignored for precomputed.
  std::optional<double> self_weight;
  NegativeWeights negative_weights = NegativeWeights::error;  ///< for precomputed
  Precision precision = Precision::full;
  GraphForm form = GraphForm::automatic;
  /// Features that each feature is connected with in the form `knn`, 1 .. p - 1; not fewer than `neighbors` where a
  /// bandwidth needs them. Unset: 20.
  std::optional<Index> knn;
  /// Prototypes that features are put together into in the form `prototypes`, >= 4; as many as there are features if these are
  /// fewer. Unset: 1,500.
  std::optional<Index> prototypes;
  NeighborSearch knn_search = NeighborSearch::automatic;
  double recall = 0.99;  ///< of the approximate search, in (0, 1)
};

/// The distance that makes a correlation of such scores.
Distance correlation_of(const std::optional<Scores>& scores);

/// The weights between features in one condition, after density normalization.
struct FeatureGraph {
  SymmetricMatrix weights;     ///< p x p, without the constant of the degree regularization
  double uniform_weight = 0;   ///< method (4): the constant added to every pair, kept apart
  Vector bandwidths;           ///< per feature; empty for kernels without
  GraphOptions used;           ///< nothing unset
  Index duplicates = 0;        ///< features whose k nearest are at distance 0
  Index recomputed_pairs = 0;  ///< close pairs whose distance was computed again by direct differences
  double recall =
      1;  ///< share of the nearest features that were found, measured on a sample if the search was approximate
  std::vector<Index> locality_order{};  ///< near features side by side; empty: not known
  /// Features that every row stands for; empty: one. Weights and vectors are then those of features with equal values within a
  /// prototype, in coordinates that keep lengths: entry (a, b) is sqrt(n_a n_b) times the weight of a pair, a vector's entry
  /// sqrt(n_a) times the value of a feature.
  Vector sizes{};
  Index size() const { return weights.size(); }
};

/// Builds the graph over the given columns (features) of a condition. Throws OptionError for k out of range. The processes of
/// context.team() get the rows of their own features each: with the form knn these are the columns given, with the form dense,
/// where every process gives all columns, slices of about equal size.
FeatureGraph build_graph(const Dataset& condition, std::span<const Index> columns, const GraphOptions& options,
                         const Context& context);

/// The association graph of correlations that are known already, sparse. Needs the association kernel with the soft or
/// hard cut.
FeatureGraph graph_from_correlations(const Correlations& correlations, const GraphOptions& options,
                                     const Context& context);

/// The association graph of prototypes, dense: `correlations` are means over pairs of different features, those of a prototype's
/// own members on the diagonal; `sizes` are the numbers of members. Of prototypes of one feature each it is the dense graph of
/// these features. method (27)
FeatureGraph graph_of_prototypes(Matrix correlations, Index samples, const Vector& sizes, const GraphOptions& options,
                                 const Context& context);

/// The graph of weights that the user brings: square, symmetric, not negative (throws InputError otherwise).
FeatureGraph graph_from_weights(const Dataset& weights, std::span<const Index> columns, const GraphOptions& options,
                                const Context& context);

/// All pair distances, p x p, for tests and for users who want them. method (1)
Matrix pair_distances(const Dataset& condition, std::span<const Index> columns, Distance distance,
                      const Context& context);

/// The random walk P = D^-1 W through its symmetric conjugate S = D^-1/2 W D^-1/2, where W includes the uniform weight:
/// S = conjugate + uniform_weight s s' with s = D^-1/2 1; of prototypes, s = D^-1/2 sqrt(sizes).
struct RandomWalk {
  SymmetricMatrix conjugate;
  double uniform_weight = 0;
  Vector degrees;  ///< all positive
  std::vector<Index>
      locality_order{};  ///< near features side by side: products in this order are faster; empty: not known
  Vector sizes{};        ///< as in the graph; degrees are those of single features
  Partition
      partition{};  ///< whose rows are here: degrees, rows of a sparse conjugate, columns of a dense one; unset: all
  /// Of all processes.
  Index size() const { return partition.begin.empty() ? degrees.size() : partition.total(); }
  Index first() const { return partition.first; }  ///< feature of this process
};

/// Turns the weights into the walk in place: no second p x p matrix.
RandomWalk make_walk(FeatureGraph&& graph, const Context& context);

}  // namespace disc
