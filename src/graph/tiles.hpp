// A p x p symmetric matrix is worked on in square tiles of its lower triangle. The tiling depends on p only.
#pragma once

#include <algorithm>
#include <vector>

#include "disc/base.hpp"

namespace disc {

struct TilePair {
  Index row, rows, col, cols;  // rows row .. row + rows - 1, columns alike; row >= col
  bool diagonal() const { return row == col; }
};

inline std::vector<TilePair> lower_tiles(Index size, Index tile) {
  std::vector<TilePair> tiles;
  for (Index row = 0; row < size; row += tile) {
    for (Index col = 0; col <= row; col += tile) {
      tiles.push_back({row, std::min(tile, size - row), col, std::min(tile, size - col)});
    }
  }
  return tiles;
}

}  // namespace disc
