// What is done to the data before the analysis, in the order in which it is done.
#include <algorithm>
#include <cmath>

#include "prepare/steps.hpp"

namespace disc {
namespace {

// Whole numbers above this are hardly categories.
constexpr double many = 2;

class CountCheck {
 public:
  void add(double value) {
    if (std::isnan(value)) return;
    are_whole_ = are_whole_ && value >= 0 && value == std::floor(value);
    largest_ = std::max(largest_, value);
    values_ += 1;
    zeros_ += value == 0 ? 1 : 0;
  }
  /// Whole numbers of 8 bits that are rarely 0, as images have them.
  bool may_be_pixels() const { return largest_ <= 255 && zeros_ < 0.5 * values_; }
  bool are_whole() const { return are_whole_; }
  bool passed() const { return are_whole_ && largest_ > many; }

 private:
  bool are_whole_ = true;
  double largest_ = 0;
  double values_ = 0, zeros_ = 0;
};

bool looks_like_counts(const Dataset& condition) {
  constexpr Index samples_looked_at = 200;
  const std::vector<Index> columns = all_columns(condition.values);
  RowMatrix row;
  CountCheck check;
  for (Index i = 0; i < std::min(condition.values.rows(), samples_looked_at) && check.are_whole(); ++i) {
    condition.values.copy_rows(i, 1, columns, row);
    for (const double value : row.reshaped()) check.add(value);
  }
  return check.passed() && (condition.features_named || !check.may_be_pixels());
}

// Who stores whole numbers without their zeros stores counts.
bool is_of_sparse_counts(const Dataset& condition) {
  CountCheck check;
  for_each_stored(condition.values, [&](Index, Index, double value) { check.add(value); });
  return check.passed();
}

// Counts of reads do not change when their zeros are stored. Scores of a questionnaire are small or rarely zero, and pixels have no
// names.
bool is_of_dense_counts(const Dataset& condition) {
  constexpr double smallest_count = 10, smallest_share_of_zeros = 0.5;
  if (condition.is_image || !condition.features_named) return false;
  const std::vector<Index> columns = all_columns(condition.values);
  RowMatrix row;
  CountCheck check;
  double zeros = 0, largest = 0;
  for (Index i = 0; i < condition.values.rows() && check.are_whole(); ++i) {
    condition.values.copy_rows(i, 1, columns, row);
    for (const double value : row.reshaped()) check.add(value);
    zeros += static_cast<double>((row.array() == 0).count());
    largest = std::max(largest, row.maxCoeff());
  }
  const auto all = static_cast<double>(condition.values.rows()) * static_cast<double>(condition.values.cols());
  return check.passed() && largest >= smallest_count && zeros >= smallest_share_of_zeros * all;
}

bool is_of_counts(const Dataset& condition) {
  return condition.values.is_sparse() ? is_of_sparse_counts(condition) : is_of_dense_counts(condition);
}

Normalization normalization_for(const Preparation& work) {
  return std::ranges::all_of(work.conditions, is_of_counts) ? Normalization::log_cpm : Normalization::none;
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
  return options.missing != Missing::drop_samples && options.normalization != Normalization::log_cpm &&
         (!options.select || options.select->rule == FeatureSelection::Rule::all) && options.only_features.empty() &&
         !options.standardize_files.value_or(false);
}

Preparation prepare(std::vector<Dataset> conditions, const PrepareOptions& options, const Context& context,
                    const Team* team) {
  Preparation work;
  work.conditions = std::move(conditions);
  if (!options.only_features.empty()) keep_listed_features(work, options.only_features);
  treat_missing(work, options.missing);
  if (options.detrend) remove_trends(work, context);
  work.normalization = options.normalization ? *options.normalization : normalization_for(work);
  if (work.normalization == Normalization::none) hint_at_counts(work);
  // Ranks and z scores make all variances alike, so that the most variable features must be known before.
  const bool select_first = work.normalization == Normalization::rank || work.normalization == Normalization::zscore;
  if (select_first) select_features(work, options.select);
  normalize(work, work.normalization, context);
  if (!select_first) select_features(work, options.select);
  standardize_files(work, options.standardize_files, context);
  remove_global_signal(work, options.remove_global_signal, context, team);
  return work;
}

}  // namespace disc
