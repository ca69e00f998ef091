#include "prepare/scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "prepare/steps.hpp"

namespace disc {
namespace {

constexpr int none = std::numeric_limits<int>::min();  // the exponent of a feature without a value other than zero
constexpr int usual = 200;                             // exponents up to this are left alone
constexpr int too_wide = 400;                          // between features that are compared by their distance
constexpr int smallest_exponent = -1100;               // of the smallest double it is -1073
constexpr int exponents = 2200;

int exponent_of(double value) {
  if (value == 0 || !std::isfinite(value)) return none;
  int exponent = 0;
  static_cast<void>(std::frexp(value, &exponent));
  return exponent;
}

// Of the largest value of each feature.
std::vector<int> exponents_of(const SampleMatrix& values, const Context& context) {
  Vector largest = Vector::Zero(values.cols());
  const auto add = [&](Index feature, double value) {
    if (std::isfinite(value)) largest[feature] = std::max(largest[feature], std::abs(value));
  };
  if (values.is_sparse()) {
    for_each_stored(values, [&](Index, Index feature, double value) { add(feature, value); });
  } else {
    const std::vector<Index> all = all_columns(values);
    for_column_blocks(values.cols(), context, [&](Index first, Index count) {
      constexpr Index rows_at_once = 256;
      const auto columns = std::span(all).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
      RowMatrix rows;
      for (Index row = 0; row < values.rows(); row += rows_at_once) {
        values.copy_rows(row, std::min(rows_at_once, values.rows() - row), columns, rows);
        for (Index i = 0; i < rows.rows(); ++i) {
          for (Index j = 0; j < count; ++j) add(first + j, rows(i, j));
        }
      }
    });
  }
  std::vector<int> result;
  for (const double value : largest) result.push_back(exponent_of(value));
  return result;
}

// The largest exponent there is, here and in the other processes of a team.
int largest_of(const std::vector<std::vector<int>>& all, const Team* team) {
  std::vector<double> seen(static_cast<std::size_t>(exponents), 0.0);
  for (const std::vector<int>& condition : all) {
    for (const int exponent : condition) {
      if (exponent != none) seen[static_cast<std::size_t>(exponent - smallest_exponent)] = 1;
    }
  }
  sum_over(team, seen);
  const auto last = std::find_if(seen.rbegin(), seen.rend(), [](double count) { return count > 0; });
  return last == seen.rend() ? none : static_cast<int>(seen.rend() - last) - 1 + smallest_exponent;
}

// Even, so that square roots are scaled by a power of two as well.
int even(int exponent) { return exponent - exponent % 2; }

// By what power of two every feature is multiplied: the same in all conditions.
class Shifts {
 public:
  Shifts(const std::vector<Dataset>& conditions, const std::vector<std::vector<int>>& found, int largest,
         bool each_alone)
      : all_(std::abs(largest) > usual ? -even(largest) : 0) {
    for (std::size_t m = 0; m < conditions.size(); ++m) {
      for (std::size_t j = 0; j < found[m].size(); ++j) {
        if (found[m][j] == none || found[m][j] + all_ >= -usual) continue;
        if (each_alone) {
          alone_.emplace(conditions[m].features[j], none);
        } else if (found[m][j] < largest - too_wide) {
          refuse(conditions[m], conditions[m].features[j]);
        }
      }
    }
    if (alone_.empty()) return;
    for (std::size_t m = 0; m < conditions.size(); ++m) {
      for (std::size_t j = 0; j < found[m].size(); ++j) {
        const auto feature = alone_.find(conditions[m].features[j]);
        if (feature != alone_.end()) feature->second = std::max(feature->second, found[m][j]);
      }
    }
  }

  int of(const std::string& feature) const {
    const auto found = alone_.find(feature);
    return found != alone_.end() && found->second + all_ < -usual ? -even(found->second) : all_;
  }
  bool any() const { return all_ != 0 || !alone_.empty(); }

 private:
  [[noreturn]] static void refuse(const Dataset& condition, const std::string& feature) {
    throw InputError(
        {.file = condition.source, .value = feature},
        "the values of feature '" + feature + "' are so much smaller than those of others (by more than 2^" +
            std::to_string(too_wide) +
            ") that no distance between features can hold both; bring features to one scale (--normalize zscore)");
  }

  int all_;
  std::unordered_map<std::string, int> alone_;  // features to be scaled by themselves, and the largest exponent of each
};

}  // namespace

std::vector<PreparationStep> scale_extremes(std::vector<Dataset>& conditions, bool each_alone, const Context& context,
                                            const Team* team) {
  std::vector<std::vector<int>> found;
  for (const Dataset& condition : conditions) found.push_back(exponents_of(condition.values, context));
  const int largest = largest_of(found, team);
  if (largest == none) return {};
  const Shifts shifts(conditions, found, largest, each_alone);
  if (!shifts.any()) return {};
  std::vector<PreparationStep> steps;
  for (Dataset& condition : conditions) {
    std::vector<int> shift;
    for (const std::string& feature : condition.features) shift.push_back(shifts.of(feature));
    const auto scaled = std::ranges::count_if(shift, [](int by) { return by != 0; });
    if (scaled == 0) continue;
    condition.values = changed(condition.values, [&](Index, Index feature, double value) {
      return std::ldexp(value, shift[static_cast<std::size_t>(feature)]);
    });
    steps.push_back(
        {"extreme values", condition.name, "features multiplied by a power of two", static_cast<Index>(scaled)});
  }
  return steps;
}

}  // namespace disc
