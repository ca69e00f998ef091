// Processes that work on one problem together.
#pragma once

#include <span>
#include <vector>

#include "disc/base.hpp"

namespace disc {

/// All processes of a team must call the same functions in the same order.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const = 0;  ///< this process, 0 .. size() - 1
  virtual int size() const = 0;
  /// Every value becomes its sum over all processes.
  virtual void sum(double* values, Index count) const = 0;
};

// The same for a process that may work alone: then `team` is nullptr.

/// How many processes there are.
int processes(const Team* team);
/// The items of 0 .. count - 1 that fall to this process.
std::vector<Index> own_share(const Team* team, Index count);
/// Every value becomes its sum over the processes.
void sum_over(const Team* team, std::span<double> values);

}  // namespace disc
