// Sets of features that were known beforehand: are they connected more, or less, in one condition? No search, so full power.
// method (25), (16)
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "disc/stats.hpp"

namespace disc {

/// A set, and perhaps which of its members go against the others.
struct GivenSet {
  std::string name, description;
  std::vector<std::string> members;
  std::vector<std::int8_t> sign{};  ///< per member 1 or -1; empty: all 1
};
/// As they come from a file.
std::vector<GivenSet> given_sets(std::span<const NamedSet> sets);

struct SetTestOptions {
  Index permutations = 999;  ///< > 0; all there are if these are fewer
  Index min_members = 3;     ///< >= 2: sets with fewer members among the features are not tested
  /// Names of units that are left out (as in SetTester::units), whatever their condition: does the answer rest on one donor?
  std::vector<std::string> without{};
};

/// One set, seen from one condition.
struct SetTest {
  Index set = 0;                         ///< place among the sets given
  Index condition = 0;                   ///< `gained` and `lost` are meant of this one
  Index like = 0;                        ///< the other condition that is most like it in this
  std::vector<Index> features;           ///< members found, ascending
  std::vector<double> mean_correlation;  ///< between the members, with their signs, in every condition
  double statistic = 0;                  ///< (25), against `like`: positive if the set is connected more here
  double p = 1;                          ///< that chance makes so large a difference, in either direction
  double q = 1;                          ///< false discovery rate among all tests (Benjamini & Hochberg)
  double p_gained = 1, p_lost = 1;       ///< one-sided, where the direction was known beforehand
  bool is_gained() const { return statistic > 0; }
};

struct SetTests {
  std::vector<SetTest> tests;     ///< by p, then by falling magnitude of the statistic
  std::vector<Index> not_tested;  ///< sets with too few members
  Index permutations = 0;         ///< done, beside the true one
  bool exact = false;
  double min_p = 1;  ///< the smallest that these permutations can give
  Index units = 0;
  bool samples_are_units = true;
  Statistics::Sampling sampling;
};

/// A unit as it is exchanged.
struct UnitName {
  Index condition = 0;
  std::string name;  ///< that of the design; of the sample where samples are units; "block 1", ... of a time series
  Index samples = 0;
};

/// Data made ready to be asked about any set: scored, centered and weighted as test_groups does it, with the same units and the
/// same ways to permute them. Asking takes well under a second, so that a set can be looked at with one unit after the other left
/// out. Copies share the data; asking changes nothing and may be done from several threads.
class SetTester {
 public:
  /// `keep`: features that will be asked about, all if empty. Their values take 4 bytes per sample. `options.graph.distance`, a
  /// correlation, says how values are scored (normal scores by default); `options.is_target` whose tests are wanted. Of two
  /// conditions that are both targets only the second one is reported: for the first one everything is the other way round.
  SetTester(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
            const TestOptions& options, std::span<const Index> keep, const Context& context);

  /// All sets with enough members, and every target. The null hypothesis is that of test_groups: units of all conditions come from one
  /// population, once every feature is scored within its condition. Throws InputError if leaving units out leaves nothing to compare.
  SetTests test(std::span<const GivenSet> sets, const SetTestOptions& options, const Context& context) const;

  /// Correlations between some features in every condition, as the tests see them: for those who look into a set. Names that are
  /// not among the features kept are passed over; `found` gets those that are, as the rows and columns stand for them.
  std::vector<Matrix> correlations(std::span<const std::string> members, std::vector<std::string>& found) const;

  const std::vector<std::string>& features() const;
  const std::vector<UnitName>& units() const;

 private:
  class State;
  std::shared_ptr<const State> state_;
};

}  // namespace disc
