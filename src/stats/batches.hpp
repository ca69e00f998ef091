// How many labellings or bootstraps are in memory at once.
#pragma once

#include <algorithm>

#include "disc/matrix.hpp"

namespace disc {

/// Never depends on the number of threads, so that results do not.
inline Index batch_size(Index features, Index conditions) {
  constexpr double bytes_at_once = 512.0 * 1024 * 1024;
  constexpr Index largest_batch = 16;
  const double bytes = 6.0 * static_cast<double>(features) * static_cast<double>(features * conditions);
  return std::clamp<Index>(static_cast<Index>(bytes_at_once / bytes), 2, largest_batch);
}

}  // namespace disc
