// Other answers to the same question, on the same graphs. method (10) to (13)
#pragma once

#include "disc/differential.hpp"

namespace disc {

DifferentialVectors generalized_vectors(const ConditionSpectra& spectra, Index condition, Index count,
                                        const DifferentialOptions& options, const Context& context);
DifferentialVectors regularized_inverse_vectors(const ConditionSpectra& spectra, Index condition, Index count,
                                                const DifferentialOptions& options, const Context& context);
DifferentialVectors whitened_vectors(const ConditionSpectra& spectra, Index condition, Index count,
                                     const DifferentialOptions& options, const SolverOptions& solver,
                                     const Context& context);
DifferentialVectors diffusion_map_vectors(const ConditionSpectra& spectra, Index condition, Index count,
                                          const DifferentialOptions& options);
DifferentialVectors changing_data_vectors(const ConditionSpectra& spectra, Index condition,
                                          const DifferentialOptions& options);

}  // namespace disc
