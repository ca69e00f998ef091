// Questions that need no search: are given sets of features connected more in one condition, and do the groups of a run hold in
// other data?
#pragma once

#include <span>
#include <string>
#include <vector>

#include "disc/pipeline.hpp"
#include "disc/test_sets.hpp"

namespace disc {

/// Data as a run would take them, ready to be asked about sets.
struct SetStudy {
  SetTester tester;
  std::vector<std::string> conditions{};
  std::vector<Index> samples{};  ///< of every condition
  std::vector<Excluded> excluded{};
  Index total_features = 0;
  std::vector<PreparationStep> preparation{};  ///< what was done to the data first
  std::vector<std::string> warnings{};
  RunOptions used{};  ///< what was chosen for preparation, design and scores
};
/// `sets`: those that will be asked about; none: any. Throws InputError and OptionError as `run` does, and OptionError where the options
/// ask for other than correlations of samples.
SetStudy prepare_sets(std::vector<Dataset> conditions, const RunOptions& options, std::span<const GivenSet> sets,
                      const Context& context);

}  // namespace disc
