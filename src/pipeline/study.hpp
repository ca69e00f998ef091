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

/// The conditions that are compared, and what looks odd about them. `team`: processes that have other features of the same samples.
Study choose_study(std::vector<Dataset> conditions, const RunOptions& options, const Context& context,
                   const Team* team = nullptr);
/// What is done to the values before they are compared: depth, logarithms, missing values, selection of features.
void prepare_study(Study& study, const RunOptions& options, const Context& context, const Team* team = nullptr);
/// Who may be exchanged with whom, and what is taken out of the values: covariates, differences between strata and kinds.
/// Throws OptionError or InputError where table or columns do not fit the data.
void design_study(Study& study, const RunOptions& options, const Context& context);

/// The three, one after the other.
Study make_study(std::vector<Dataset> conditions, const RunOptions& options, const Context& context);

}  // namespace disc
