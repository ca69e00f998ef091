// From squared distances to weights. method (2)
#pragma once

#include "disc/graph.hpp"

namespace disc {

/// What the kernels need to know beside the distances; filled by resolve_kernel.
struct KernelInputs {
  Vector bandwidths;     ///< per feature: self-tuning, adaptive
  Index duplicates = 0;  ///< bandwidths that were 0
  double cut = 0;        ///< association: correlations below are noise
};

// Of distances each process of context.team() has the columns of its own features, with the rows of all.

/// Fills in what the options leave open (k, e) and finds bandwidths or the noise level of the association kernel.
KernelInputs resolve_kernel(const Matrix& squared_distances, Index samples, GraphOptions& options,
                            const Context& context);

/// The association kernel on correlations, with the soft or the hard cut.
SparseMatrix associations(const Correlations& correlations, const GraphOptions& options);

/// Turns a run of squared distances between features `first` .. and feature j into weights; in place if wanted.
class KernelColumn {
 public:
  KernelColumn(const KernelInputs& inputs, const GraphOptions& options);
  void operator()(const double* squared, Index first, Index count, Index j, double* weights) const;

 private:
  const GraphOptions& options_;
  Vector inverse_;
  double cut_;
};

/// Bandwidths (or their squares) of 0, those of duplicates, become the smallest positive one. Counts them.
Vector without_zeros(Vector bandwidths, Index& duplicates);
/// k where it is left open: about log2(p).
Index usual_neighbors(Index features);
/// z / sqrt(n), below which the soft and the hard cut see noise.
double noise_cut(Index samples, const GraphOptions& options);

/// Weights of all pairs, W_ii = self weight; in the memory of the distances when double.
SymmetricMatrix apply_kernel(Matrix&& squared_distances, const KernelInputs& inputs, const GraphOptions& options,
                             const Context& context);

}  // namespace disc
