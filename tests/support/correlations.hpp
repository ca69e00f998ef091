// Correlations straight from their definition.
#pragma once

#include "disc/correlations.hpp"

namespace disc::testing_support {

inline Correlations correlations_of(const RowMatrix& x) {
  RowMatrix z = x.rowwise() - x.colwise().mean();
  z.colwise().normalize();
  Correlations result;
  result.values = (z.transpose() * z).cast<float>();
  result.values.diagonal().setOnes();
  result.samples = x.rows();
  return result;
}

}  // namespace disc::testing_support
