// Which features take part: those of a list, and those that vary or are expressed.
#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "disc/io.hpp"
#include "prepare/steps.hpp"

namespace disc {
namespace {

// Counts that are nearly always zero have large correlations by chance, which would hide all others in the maximum over groups.
constexpr FeatureSelection often_seen{.rule = FeatureSelection::Rule::expressed, .share = 0.05};
constexpr Index min_often_seen = 100;  // of fewer features none is excluded

// Sums over the samples of all conditions, by the name of the feature.
struct FeatureSums {
  double samples = 0, not_zero = 0, sum = 0, squares = 0;
  std::size_t conditions = 0;
  bool finite = true;
  double variance() const { return squares / samples - (sum / samples) * (sum / samples); }
};
using SumsByName = std::unordered_map<std::string_view, FeatureSums>;

// Values are taken from the first one seen, so that large means do not eat the digits of the variance.
SumsByName sums_of(std::span<const Dataset> conditions) {
  SumsByName sums;
  std::unordered_map<std::string_view, double> origins;
  for (const Dataset& condition : conditions) {
    std::vector<FeatureSums> own(condition.features.size());
    std::vector<double> origin(condition.features.size());
    for (std::size_t j = 0; j < origin.size(); ++j) {
      origin[j] =
          origins.try_emplace(condition.features[j], condition.values.at(0, static_cast<Index>(j))).first->second;
    }
    for_each_stored(condition.values, [&](Index, Index j, double value) {
      const auto at = static_cast<std::size_t>(j);
      FeatureSums& feature = own[at];
      feature.finite = feature.finite && std::isfinite(value);
      feature.not_zero += value != 0 ? 1 : 0;
      feature.samples += 1;
      feature.sum += value - origin[at];
      feature.squares += (value - origin[at]) * (value - origin[at]);
    });
    const auto samples = static_cast<double>(condition.values.rows());
    for (std::size_t j = 0; j < own.size(); ++j) {
      const double zeros = samples - own[j].samples;  // that are not stored
      FeatureSums& total = sums[condition.features[j]];
      total.samples += samples;
      total.not_zero += own[j].not_zero;
      total.sum += own[j].sum - zeros * origin[j];
      total.squares += own[j].squares + zeros * origin[j] * origin[j];
      total.finite = total.finite && own[j].finite;
      total.conditions += 1;
    }
  }
  return sums;
}

// What is not finite, or not in all conditions, is excluded later, with that as the reason.
std::vector<std::string> candidates(std::span<const Dataset> conditions, const SumsByName& sums) {
  std::vector<std::string> names;
  for (const std::string& name : conditions.front().features) {
    const FeatureSums& feature = sums.at(name);
    if (feature.finite && feature.conditions == conditions.size()) names.push_back(name);
  }
  return names;
}

// Brings those that are selected to the front; where the others begin.
std::vector<std::string>::iterator not_selected(std::vector<std::string>& names, const FeatureSelection& selection,
                                                const SumsByName& sums) {
  if (selection.rule == FeatureSelection::Rule::variable) {
    std::ranges::stable_sort(names, std::greater<>(), [&](const auto& name) { return sums.at(name).variance(); });
    return names.begin() + std::min(selection.count, static_cast<Index>(names.size()));
  }
  const auto is_expressed = [&](const auto& name) {
    const FeatureSums& feature = sums.at(name);
    return feature.not_zero >= selection.share * feature.samples;
  };
  return std::stable_partition(names.begin(), names.end(), is_expressed);
}

std::string text_of(const FeatureSelection& selection) {
  return selection.rule == FeatureSelection::Rule::variable ? "variable:" + std::to_string(selection.count)
                                                            : "expressed:" + format_number(selection.share);
}

std::string reason_of(const FeatureSelection& selection) {
  if (selection.rule == FeatureSelection::Rule::variable) return "not selected by " + text_of(selection);
  return "zero in more than " + format_number(std::round(1e4 * (1 - selection.share)) / 100) + " % of the samples";
}

}  // namespace

void keep_listed_features(Preparation& work, const std::string& list) {
  std::unordered_set<std::string> wanted;
  for (std::string& name : read_names(list)) wanted.insert(std::move(name));
  std::unordered_set<std::string> found, excluded;
  for (Dataset& condition : work.conditions) {
    for (const std::string& feature : condition.features) {
      if (wanted.contains(feature)) {
        found.insert(feature);
      } else if (excluded.insert(feature).second) {
        work.excluded.push_back({feature, "not in " + list});
      }
    }
  }
  if (found.empty()) {
    throw InputError({.file = list}, "names none of the features: they are called '" +
                                         work.conditions.front().features.front() + "', ..., the list has " +
                                         std::to_string(wanted.size()) + " names");
  }
  for (Dataset& condition : work.conditions) {
    keep_features(condition, [&](const std::string& feature) { return wanted.contains(feature); });
  }
  work.steps.push_back({"only-features", "", "features excluded", static_cast<Index>(excluded.size())});
  work.steps.push_back(
      {"only-features", "", "names that no file has", static_cast<Index>(wanted.size() - found.size())});
}

void select_features(Preparation& work, const std::optional<FeatureSelection>& wanted) {
  const bool are_counts = work.normalization == Normalization::log_cpm;
  work.select = wanted.value_or(are_counts ? often_seen : FeatureSelection{});
  if (work.select.rule == FeatureSelection::Rule::all) return;
  const SumsByName sums = sums_of(work.conditions);
  std::vector<std::string> names = candidates(work.conditions, sums);
  const auto rest = not_selected(names, work.select, sums);
  if (!wanted && rest - names.begin() < min_often_seen) {
    work.select = {};
    return;
  }
  const std::unordered_set<std::string> excluded(rest, names.end());
  for (auto name = rest; name != names.end(); ++name) {
    work.excluded.push_back({*name, reason_of(work.select)});
  }
  for (Dataset& condition : work.conditions) {
    keep_features(condition, [&](const std::string& feature) { return !excluded.contains(feature); });
  }
  work.steps.push_back(
      {"select " + text_of(work.select), "", "features excluded", static_cast<Index>(excluded.size())});
}

}  // namespace disc
