// Labellings that are worth keeping, and those of several processes put together.
#pragma once

#include <chrono>
#include <string>

#include "disc/team.hpp"
#include "matrix/checkpoint.hpp"
#include "stats/step_down.hpp"

namespace disc {

/// Appends the labellings of all processes of the team: then there are `total`.
void collect(std::vector<std::vector<Candidate>> own, std::span<const Index> numbers, Index total, Labellings& all,
             const Team* team);

/// What the permutations so far showed, kept now and then. The truth, the first labels and the options tell one test from another.
class KeptLabellings {
 public:
  KeptLabellings(const std::vector<Candidate>& truth, const MatrixF& labels, Index permutations,
                 const AnalyzeOptions& options, Checkpoints* checkpoints, const Context& context);
  /// Replaces `all` by what was kept, if anything was.
  void find(Labellings& all) const;
  void keep(const Labellings& all);

 private:
  Checkpoints* checkpoints_;
  std::string name_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace disc
