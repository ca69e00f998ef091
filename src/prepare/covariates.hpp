// Known influences on the samples, removed within every condition before anything is compared.
#pragma once

#include "disc/prepare.hpp"

namespace disc {

/// A column that describes the samples: its values per condition.
struct Covariate {
  std::string name;
  std::vector<std::vector<std::string>> cells;
};

/// What a linear model of the covariates does not explain, within each condition; means stay. Words are factors, and so are whole
/// numbers of few different values, which are codes of batches more often than amounts.
void remove_covariates(std::vector<Dataset>& conditions, std::span<const Covariate> covariates,
                       std::vector<PreparationStep>& steps);

/// Whether every level has enough samples that it can be centered by itself.
bool can_be_centered(const Covariate& factor);

}  // namespace disc
