// What a reader should know before relying on a group: what else could have made it.
#pragma once

#include "pipeline/study.hpp"

namespace disc {

/// Sentences for a run with p-values: units that were not given, a label or a common level that a group follows, one unit that
/// carries it, groups of most features, p-values that cannot reach the level, samples in time.
std::vector<std::string> cautions(const Study& study, const FeatureMatch& match, const Analysis& analysis,
                                  const Context& context);

}  // namespace disc
