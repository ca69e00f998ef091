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

/// Fills in what the options leave open (k, e) and finds bandwidths or the noise level of the association kernel.
KernelInputs resolve_kernel(const Matrix& squared_distances, Index samples, GraphOptions& options,
                            const Context& context);

/// The association kernel on correlations, with the soft or the hard cut.
SparseMatrix associations(const Correlations& correlations, const GraphOptions& options);

/// Weights of all pairs, W_ii = self weight; in the memory of the distances when double.
SymmetricMatrix apply_kernel(Matrix&& squared_distances, const KernelInputs& inputs, const GraphOptions& options,
                             const Context& context);

}  // namespace disc
