// Values of extreme size, brought to where their squares and fourth powers are numbers. Powers of two change no digit, so that data
// times a power of two give the same groups.
#pragma once

#include <vector>

#include "disc/prepare.hpp"

namespace disc {

/// Where the largest value is beyond about 2^200 or below 2^-200, all are multiplied by a power of two. `each_alone`: only correlations
/// between features matter to what follows, and features far below the others are scaled each by itself; otherwise those are refused
/// (InputError). Returns what was done.
std::vector<PreparationStep> scale_extremes(std::vector<Dataset>& conditions, bool each_alone, const Context& context,
                                            const Team* team);

}  // namespace disc
