// Before the analysis: from values as they were measured to values whose connections mean something.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "disc/matrix.hpp"
#include "disc/team.hpp"

namespace disc {

enum class Normalization {
  none,
  log_cpm,      ///< for counts of reads: equal depth, then logarithms
  square_root,  ///< for counts and intensities: their variance no longer grows with their mean
  rank,         ///< of every feature within its condition
  zscore        ///< of every feature within its condition; sparse values are scaled and not centered
};

/// Which features take part. Chosen from all samples together, without their conditions, so that p-values hold.
struct FeatureSelection {
  enum class Rule { all, variable, expressed };
  Rule rule = Rule::all;
  Index count = 0;   ///< variable: this many features of largest variance
  double share = 0;  ///< expressed: not zero in at least this share of the samples
};

struct PrepareOptions {
  std::string only_features;  ///< file with one name per line; the others are excluded; empty: all
  Missing missing = Missing::error;
  bool detrend = false;  ///< the linear trend over the samples of a file is removed from every feature
  std::optional<Normalization> normalization;  ///< unset: log_cpm for counts of reads
  std::optional<FeatureSelection> select;      ///< unset: expressed in 0.05 of the samples after log_cpm, else all
  /// Every feature is centered and scaled within each file of a condition, so that levels and scales of files do not look like
  /// connections. Unset: where a condition is made of several dense files of at least 20 samples each.
  std::optional<bool> standardize_files;
  /// What all features of a sample share is removed: the mean of all features, standardized, in proportion to each feature's
  /// standard deviation. Unset: where features of dense values correlate by more than 1/3 on average in every condition.
  std::optional<bool> remove_global_signal;
};

/// What was done to how many.
struct PreparationStep {
  std::string step;       ///< the option and its value, "missing mean"
  std::string condition;  ///< empty: all together
  std::string changed;    ///< what was counted: "features excluded", "values replaced", ...
  Index count = 0;
};

struct Preparation {
  std::vector<Dataset> conditions;  ///< what goes on
  std::vector<Excluded> excluded;
  std::vector<PreparationStep> steps;
  std::vector<std::string> hints;  ///< what the user may have forgotten
  Normalization normalization = Normalization::none;
  FeatureSelection select;
  bool files_standardized = false;
  bool common_removed = false;
};

/// Does what the options ask for, in the order of their fields. Sparse values stay sparse but for `detrend`,
/// `standardize_files` and `remove_global_signal`. Throws InputError where the values do not allow it.
/// Where processes have different features of the same samples, `team` are those processes; they can prepare what
/// can_be_divided says.
Preparation prepare(std::vector<Dataset> conditions, const PrepareOptions& options, const Context& context,
                    const Team* team = nullptr);
/// Whether every step looks at one feature at a time, or at sums over all of them.
bool can_be_divided(const PrepareOptions& options);

/// Counts on a common scale: samples are thinned so that the conditions have the same distribution of depths (every read of a sample is
/// kept with the same probability), then log(1 + x * mean depth / depth of the sample). The
/// features that vary most, up to a quarter of all counts, have no say in the depth. Throws InputError for values that are no counts.
std::vector<Dataset> normalize_counts(std::span<const Dataset> conditions, const Context& context);

}  // namespace disc
