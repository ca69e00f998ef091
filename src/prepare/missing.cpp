// Values that are missing or infinite.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "prepare/steps.hpp"

namespace disc {
namespace {

void drop_samples(Dataset& condition, Preparation& work) {
  std::vector<char> marked(condition.samples.size(), 1);
  for_each_stored(condition.values, [&](Index i, Index, double value) {
    if (!std::isfinite(value)) marked[static_cast<std::size_t>(i)] = 0;
  });
  const Index dropped = std::ranges::count(marked, 0);
  work.steps.push_back({"missing drop-samples", condition.name, "samples excluded", dropped});
  if (dropped > 0) keep_samples(condition, marked);
  if (condition.values.rows() >= 2) return;
  throw InputError({.file = condition.source},
                   "condition '" + condition.name + "' has " + std::to_string(condition.values.rows()) +
                       " samples without missing values, at least 2 are needed; --missing mean keeps all of them");
}

// Mean over the finite values of every feature; NaN where there is none.
Vector means_of(const SampleMatrix& values) {
  Vector sums = Vector::Zero(values.cols());
  Vector counts = Vector::Constant(values.cols(), static_cast<double>(values.rows()));
  for_each_stored(values, [&](Index, Index j, double value) {
    if (std::isfinite(value)) {
      sums[j] += value;
    } else {
      counts[j] -= 1;
    }
  });
  return (counts.array() > 0).select(sums.array() / counts.array(), std::numeric_limits<double>::quiet_NaN());
}

void fill_with_means(Dataset& condition, Preparation& work) {
  Index missing = 0;
  for_each_stored(condition.values, [&](Index, Index, double value) { missing += std::isfinite(value) ? 0 : 1; });
  work.steps.push_back({"missing mean", condition.name, "values replaced", missing});
  if (missing == 0) return;
  const Vector means = means_of(condition.values);
  condition.values =
      changed(condition.values, [&](Index, Index j, double value) { return std::isfinite(value) ? value : means[j]; });
}

// A feature that has no value at all in a condition has no mean there, and takes part nowhere.
void leave_out_features_without_value(Preparation& work) {
  std::set<std::string> without_value;
  for (const Dataset& condition : work.conditions) {
    for_each_stored(condition.values, [&](Index, Index j, double value) {
      const std::string& feature = condition.features[static_cast<std::size_t>(j)];
      if (std::isfinite(value) || !without_value.insert(feature).second) return;
      work.excluded.push_back({feature, "no value in condition " + condition.name});
    });
  }
  if (without_value.empty()) return;
  for (Dataset& condition : work.conditions) {
    keep_features(condition, [&](const std::string& feature) { return !without_value.contains(feature); });
  }
}

}  // namespace

void treat_missing(Preparation& work, Missing rule) {
  if (rule == Missing::drop_samples) {
    for (Dataset& condition : work.conditions) drop_samples(condition, work);
  } else if (rule == Missing::mean) {
    for (Dataset& condition : work.conditions) fill_with_means(condition, work);
    leave_out_features_without_value(work);
  }
}

}  // namespace disc
