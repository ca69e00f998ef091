// What a run would do, and checks of the data that need no analysis.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "disc/pipeline.hpp"

namespace disc {

/// Before the work: the process may not have as much memory as the run needs.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

/// What a run would work on and with.
struct Plan {
  std::vector<std::pair<std::string, Index>> conditions;  ///< names and samples that take part
  Index features = 0;
  Index excluded = 0;
  std::vector<PreparationStep> preparation;
  RunOptions used;    ///< as far as they can be settled without graphs
  double memory = 0;  ///< bytes at the peak, about
  std::vector<std::string> warnings;
};

/// Reads nothing and computes no graph: prepares and matches the data and settles the options, as a run does first. Throws what a run
/// would throw then.
Plan plan_run(std::vector<Dataset> conditions, const RunOptions& options, const Context& context);

/// Mistakes that everybody makes once, found before any work: the same data given twice, samples and features exchanged, names that
/// differ in case only, sets of features that match nothing, very few samples, data in different units. Throws InputError where the
/// result could not mean anything, and gives warnings of the rest.
std::vector<std::string> check_conditions(std::span<const Dataset> conditions, const RunOptions& options,
                                          std::span<const NamedSet> genesets);

}  // namespace disc
