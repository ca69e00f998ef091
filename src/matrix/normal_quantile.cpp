#include "matrix/normal_quantile.hpp"

#include <cmath>

namespace disc {

// Bisection: a few thousand values per run are asked for, to all digits.
double normal_upper_quantile(double tail) {
  double low = -40;
  double high = 40;
  for (int step = 0; step < 64; ++step) {
    const double middle = 0.5 * (low + high);
    const bool is_rarer = 0.5 * std::erfc(middle / std::sqrt(2.0)) < tail;
    (is_rarer ? high : low) = middle;
  }
  return high;
}

}  // namespace disc
