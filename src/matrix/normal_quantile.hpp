// Quantiles of the standard normal distribution.
#pragma once

namespace disc {

/// z with an upper tail of `tail`, in (0, 1).
double normal_upper_quantile(double tail);

}  // namespace disc
