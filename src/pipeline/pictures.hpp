// Fills in Analysis::pictures.
#pragma once

#include "pipeline/study.hpp"

namespace disc {

Pictures make_pictures(const Study& study, const FeatureMatch& match, std::span<const RandomWalk> walks,
                       const Analysis& analysis, const Context& context);

/// The two halves of it.
WeightPicture picture_of_weights(std::span<const RandomWalk> walks, const Analysis& analysis, const Context& context);
void add_samples(std::span<const Dataset> conditions, const FeatureMatch& match, const Analysis& analysis,
                 Pictures& pictures, const Context& context);

}  // namespace disc
