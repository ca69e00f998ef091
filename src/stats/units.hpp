// What is exchanged, and in which ways. method (16)
#pragma once

#include "disc/stats.hpp"

namespace disc {

class PreparedColumns;

/// What is exchanged: samples of one condition that stay together.
struct Unit {
  Index condition = 0, stratum = 0;
  std::vector<Index> samples;
};
struct Units {
  std::vector<Unit> units;
  Index named = 0;  ///< units before some were put together to save time and memory
  bool samples_are_units = true;
};
/// At most about `most` units: more are put together at random, within condition and stratum, which keeps the test valid.
/// Throws InputError when the design does not fit the samples or leaves nothing to exchange.
Units make_units(std::span<const Dataset> conditions, const Design& design, Index most, const Context& context);

/// In an order that depends on what the units hold alone, not on which condition or file comes first.
void order_by_content(std::span<const PreparedColumns> conditions, Units& units, const Context& context);

/// Ways to give the units back to the conditions: all of them if there are few, else random ones. The first is the true one.
class Permutations {
 public:
  Permutations(const Units& units, Index wanted, const Context& context);
  /// Permutations beside the true one.
  Index size() const { return size_; }
  bool are_all() const { return are_all_; }
  /// How many orders of the conditions fit the design: exchanging all units of A and B gives the same groups with the names
  /// exchanged. 1: only the true one.
  Index mirror_images(Index conditions) const;
  /// Condition of every unit; number 0 is the truth.
  std::vector<Index> labels(Index number) const;
  /// Units x results, for UnitSums::combine: labelling `numbers[b]`, condition m is column b * conditions + m.
  MatrixF weights(std::span<const Index> numbers, Index conditions) const;
  /// The same for the numbers `first`, `first` + 1, ...
  MatrixF weights(Index first, Index count, Index conditions) const;

 private:
  std::vector<std::vector<Index>> units_of_stratum_;
  std::vector<Index> truth_;
  std::vector<std::vector<std::vector<Index>>> arrangements_;  // per stratum, if all are listed
  Index size_ = 0;
  bool are_all_ = false;
  std::uint64_t seed_ = 0;
};

}  // namespace disc
