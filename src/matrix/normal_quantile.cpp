#include "matrix/normal_quantile.hpp"

#include <cmath>
#include <numbers>

namespace disc {

// A start within 5e-4 (Abramowitz & Stegun 1964, 26.2.23); each of Halley's steps triples the digits.
double normal_upper_quantile(double tail) {
  if (tail > 0.5) return -normal_upper_quantile(1.0 - tail);
  const double t = std::sqrt(-2.0 * std::log(tail));
  double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int step = 0; step < 3; ++step) {
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
    const double newton = (0.5 * std::erfc(z / std::numbers::sqrt2) - tail) / density;
    z += newton / (1.0 - 0.5 * z * newton);
  }
  return z;
}

}  // namespace disc
