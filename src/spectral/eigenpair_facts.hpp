// What of eigenpairs is kept in a checkpoint beside the vectors.
#pragma once

#include <cstring>

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

inline std::string rows_of(const Eigenpairs& pairs) {
  const RowMatrix rows = pairs.vectors;
  return {reinterpret_cast<const char*>(rows.data()), static_cast<std::size_t>(rows.size()) * sizeof(double)};
}

inline void set_rows(Eigenpairs& pairs, std::string_view rows, Index features) {
  RowMatrix own(features, pairs.values.size());
  const std::size_t size = static_cast<std::size_t>(own.size()) * sizeof(double);
  if (rows.size() != size) throw Error("a checkpoint does not fit the features");
  if (size > 0) std::memcpy(own.data(), rows.data(), size);
  pairs.vectors = own;
}

}  // namespace disc
