// What of eigenpairs is kept in a checkpoint beside the vectors.
#pragma once

#include "disc/spectral.hpp"

namespace disc {

template <class F>
void visit_facts(Eigenpairs& pairs, F& part) {
  part(pairs.values);
  part(pairs.components);
  part(pairs.gap);
  part(pairs.convergence.converged);
  part(pairs.convergence.iterations);
  part(pairs.convergence.applications);
  part(pairs.convergence.residual);
}

}  // namespace disc
