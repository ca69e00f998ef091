// What is done to the data before the analysis, in the order in which it is done.
#include <algorithm>
#include <cmath>

#include "prepare/steps.hpp"

namespace disc {
namespace {

// Whole numbers above this are hardly categories.
constexpr double many = 2;

bool looks_like_counts(const Dataset& condition) {
  constexpr Index samples_looked_at = 200;
  const std::vector<Index> columns = all_columns(condition.values);
  RowMatrix row;
  double largest = 0;
  for (Index i = 0; i < std::min(condition.values.rows(), samples_looked_at); ++i) {
    condition.values.copy_rows(i, 1, columns, row);
    for (Index j = 0; j < row.cols(); ++j) {
      if (std::isnan(row(0, j))) continue;
      if (row(0, j) < 0 || row(0, j) != std::floor(row(0, j))) return false;
      largest = std::max(largest, row(0, j));
    }
  }
  return largest > many;
}

// Pixels are whole numbers too, and are no counts.
void hint_at_counts(Preparation& work) {
  for (const Dataset& condition : work.conditions) {
    if (condition.is_image || !looks_like_counts(condition)) continue;
    work.hints.push_back("condition " + condition.name +
                         ": all values are whole numbers; if they are counts of reads, --normalize log-cpm keeps "
                         "differences of depth from looking like connections");
    return;
  }
}

}  // namespace

bool can_be_divided(const PrepareOptions& options) {
  return options.missing != Missing::drop_samples && options.normalisation != Normalisation::log_cpm &&
         options.select.rule == FeatureSelection::Rule::all && options.only_features.empty() &&
         !options.standardize_files.value_or(false);
}

Preparation prepare(std::vector<Dataset> conditions, const PrepareOptions& options, const Context& context,
                    const Team* team) {
  Preparation work;
  work.conditions = std::move(conditions);
  if (!options.only_features.empty()) keep_listed_features(work, options.only_features);
  treat_missing(work, options.missing);
  if (options.detrend) remove_trends(work, context);
  if (options.normalisation == Normalisation::none) {
    hint_at_counts(work);
    select_features(work, options.select);
  } else {
    // Ranks and z scores make all variances alike, so that the most variable features must be known before.
    const bool select_first =
        options.normalisation == Normalisation::rank || options.normalisation == Normalisation::zscore;
    if (select_first) select_features(work, options.select);
    normalise(work, options.normalisation, context);
    if (!select_first) select_features(work, options.select);
  }
  standardise_files(work, options.standardize_files, context);
  remove_common(work, options.remove_common, context, team);
  return work;
}

}  // namespace disc
