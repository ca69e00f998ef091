// p-values by permutation, corrected for everything that was looked at. method (16), (25)
#pragma once

#include "stats/step_down.hpp"
#include "stats/unit_sums.hpp"

namespace disc {

/// Analyzes labellings, the true one and permutations, and says what the truth has beyond chance. Refers to its arguments.
class PermutationTest {
 public:
  PermutationTest(const UnitSums& sums, const Units& units, const TestOptions& options, const AnalyzeOptions& analysis,
                  Index conditions, const Context& context);

  /// The candidates of the true labels.
  void analyze_truth();
  /// Those of exchanged labels, and what follows: groups with p and q, and candidates that are none.
  TestResult permute();

 private:
  Labellings analyze_all(const std::vector<Index>& numbers, const std::vector<Index>& kept) const;
  std::vector<Candidate> analyze_part(std::span<const Correlations> conditions, const std::vector<Index>& kept) const;
  void go_through(Labellings& all, const std::vector<Index>& kept, Index count);
  bool can_stop(Labellings& all, Index first, Index count);
  void go_through_adaptively();
  std::vector<TestedCandidate> judge(const Labellings& all, const Judgement& judgement) const;
  void go_on(const Judgement& judgement, std::vector<TestedCandidate>& tested);
  Statistics statistics() const;

  const UnitSums& sums_;
  const Units& units_;
  const TestOptions& options_;
  const AnalyzeOptions& analysis_;
  Index conditions_;
  const Context& context_;
  Permutations permutations_;
  Labellings all_;  // the truth first
  bool stopped_early_ = false;
};

}  // namespace disc
