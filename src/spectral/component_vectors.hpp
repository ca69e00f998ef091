// Eigenvectors that are known before any solver runs: those of the connected components.
#pragma once

#include "disc/spectral.hpp"

namespace disc {

/// Numbers components by falling size, then by first feature. `label` numbers them in the order of their first features.
Components by_falling_size(std::vector<Index> label, Index count);

/// Sum of the degrees of the features of every component.
Vector component_volumes(const Vector& degrees, const Components& components);

/// Eigenvectors of eigenvalue 1: one per component, spanned by the D^1/2-weighted indicators. The first is the trivial one, over
/// all features; the k-th sets component k apart from those before it (Helmert contrasts). Orthonormal. Degrees and components
/// may be those of some features only if `volume` is that of all.
Matrix component_vectors(const Vector& degrees, const Components& components, const Vector& volume, Index most);

}  // namespace disc
