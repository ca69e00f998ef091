// Samples of several kinds, such as cell types, in every condition: correlations within each kind, in the same mixture everywhere.
#pragma once

#include "disc/pipeline.hpp"

namespace disc {

/// Leaves out the kinds that a condition lacks, and of the others as many samples, chosen at random, as it takes for every kind to have
/// the same share of all conditions: then no mixture can pass for a connection. `kinds`: per condition and sample; returned for the samples
/// that are left. What was done is added to `steps`; `label`: what the kinds are called.
std::vector<std::vector<std::string>> balance_kinds(std::vector<Dataset>& conditions,
                                                    std::vector<std::vector<std::string>> kinds,
                                                    const std::string& label, std::vector<PreparationStep>& steps,
                                                    const Context& context);

/// Scores every feature within each kind of a condition, and takes its mean out, there and within each unit that has enough samples of the
/// kind: how kinds and units differ is no connection. `units`: per condition and sample; may be empty.
void score_within_kinds(std::vector<Dataset>& conditions, std::span<const std::vector<std::string>> kinds,
                        std::span<const std::vector<std::string>> units, Distance distance, const Context& context);

}  // namespace disc
