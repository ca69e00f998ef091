// The few smallest of a long stream of numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "disc/base.hpp"

namespace disc {

/// Keeps the `count` smallest keys, and whose they are. Numbers are offered in runs; most are above the threshold and are
/// passed over eight at a time. Equal keys: the smaller name wins.
class BestMatches {
 public:
  struct Match {
    float key;
    std::int32_t name;
    bool operator<(const Match& other) const { return key < other.key || (key == other.key && name < other.name); }
  };

  void reset(Index count);
  /// Goes on from matches that were kept before.
  void reset(Index count, std::span<const Match> before);
  /// Offers key[i] of name `first` + i. `skip` is a name that does not count.
  void offer(const float* keys, Index count, std::int32_t first, std::int32_t skip);
  /// Writes the names by rising key; returns how many there were.
  Index finish(std::int32_t* names);
  /// The same with their keys.
  const std::vector<Match>& finish();

 private:
  void shrink();

  std::size_t count_ = 0;
  std::vector<Match> kept_;
  float threshold_ = std::numeric_limits<float>::infinity();
};

/// Where each of them is kept.
std::vector<BestMatches*> pointers_to(std::vector<BestMatches>& all);

}  // namespace disc
