// From files and a table of samples to what is compared: conditions, targets, and who may be exchanged with whom.
#pragma once

#include "disc/pipeline.hpp"

namespace disc {

struct Study {
  std::vector<Dataset> conditions;  ///< those of the contrast, covariates removed
  std::vector<bool> is_target;      ///< whose vectors and groups are asked for
  Design design;
  bool is_scored = false;  ///< within kinds of samples: correlations are those of the values as they are now
  std::string unit;        ///< the label that says what a unit is, where it was chosen and not given
  std::string paired;      ///< the same for what is paired
  std::vector<NamedSet> genesets;
  std::vector<std::string> warnings;  ///< found before the work began
  Preparation preparation;            ///< what was done to the data first; its conditions are moved to the ones above
};

/// Throws OptionError or InputError where table, columns or contrast do not fit the data.
/// `team`: processes that have other features of the same samples.
Study make_study(std::vector<Dataset> conditions, const RunOptions& options, const Context& context,
                 const Team* team = nullptr);

}  // namespace disc
