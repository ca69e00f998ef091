// The test of groups, in steps. method (16) to (26)
#pragma once

#include <memory>

#include "disc/stats.hpp"
#include "stats/extend.hpp"

namespace disc {

/// Correlations of every labelling are combined from the same sums over units, and one function, `analyze`, turns them into groups:
/// for the true labels, for exchanged ones and for bootstraps.
class GroupTest {
 public:
  GroupTest() = default;
  GroupTest(const GroupTest&) = delete;
  GroupTest& operator=(const GroupTest&) = delete;
  virtual ~GroupTest() = default;

  /// The groups that the true labels propose: `analyze`. method (18), (21) to (26)
  virtual void analyze_truth() = 0;
  /// The same function with exchanged labels, as often as asked for; what the truth has beyond them is significant. method (16), (25)
  virtual void permute() = 0;
  /// Single pairs of features, judged by some of the same permutations.
  virtual void compare_pairs() = 0;
  /// The result, with what describes its groups: bootstraps, again through `analyze`, hubs, cores. Comes last. method (19)
  virtual TestResult evidence() = 0;
};

/// Refers to all of its arguments but the options.
std::unique_ptr<GroupTest> group_test(std::span<const Dataset> conditions, const FeatureMatch& match,
                                      const Design& design, const TestOptions& options, const Context& context);

/// Features that are tested where there are too many, ascending: drawn at random, whatever their values; empty: all are tested.
std::vector<Index> features_to_test(Index features, const GraphOptions& graph, const Context& context);

/// The same where no process of context.team() has all values: `tested` has those of the features to be tested, in this order, in every
/// process; of the others every process has its own, which join at the end. The first process gets all members. `match` names all features.
std::unique_ptr<GroupTest> group_test(std::span<const Dataset> tested, const OwnFeatures& own,
                                      std::vector<Index> features, const FeatureMatch& match, const Design& design,
                                      const TestOptions& options, const Context& context);

}  // namespace disc
