// Which features take part: common to all conditions, finite, and not constant. method section 2
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "disc/matrix.hpp"
#include "matrix/simd.hpp"

namespace disc {
namespace {

using Columns = std::unordered_map<std::string_view, Index>;

std::string title(const Dataset& condition) { return condition.source.empty() ? condition.name : condition.source; }

Columns index_of_features(const Dataset& condition) {
  Columns columns;
  columns.reserve(condition.features.size());
  for (std::size_t j = 0; j < condition.features.size(); ++j) {
    if (!columns.emplace(condition.features[j], static_cast<Index>(j)).second) {
      throw InputError({.file = title(condition), .column = static_cast<Index>(j + 1), .value = condition.features[j]},
                       "feature name '" + condition.features[j] + "' appears twice; names must be unique");
    }
  }
  return columns;
}

void check_shapes(std::span<const Dataset> conditions) {
  if (conditions.size() < 2)
    throw InputError("two or more conditions are needed, " + std::to_string(conditions.size()) + " given");
  for (const Dataset& condition : conditions) {
    if (condition.values.rows() < 2) {
      throw InputError({.file = title(condition)}, "condition '" + condition.name + "' has " +
                                                       std::to_string(condition.values.rows()) +
                                                       " sample; at least 2 are needed");
    }
    const Dataset& first = conditions.front();
    if (!condition.features_named && !first.features_named && condition.values.cols() != first.values.cols()) {
      throw InputError({.file = title(condition)}, "has " + std::to_string(condition.values.cols()) +
                                                       " features and no names, but " + title(first) + " has " +
                                                       std::to_string(first.values.cols()) +
                                                       "; without names the numbers must agree");
    }
  }
}

// What a pass over the values of one condition tells about each of its columns.
struct ColumnFacts {
  std::vector<char> varies;
  std::vector<char> finite;
};

constexpr Index rows_looked_at = 4;  // at once: the sums per column are loaded and stored less often

// spread grows where a row differs from the first one, and residue becomes NaN where a value is not finite.
DISC_SIMD void look_at_rows(const double* const rows[rows_looked_at], const double* start, Index count, double* spread,
                            double* residue) {
  const double *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
  for (Index j = 0; j < count; ++j) {
    const double first = start[j];
    spread[j] += (a[j] != first) | (b[j] != first) | (c[j] != first) | (d[j] != first) ? 1.0 : 0.0;
    residue[j] += ((a[j] - a[j]) + (b[j] - b[j])) + ((c[j] - c[j]) + (d[j] - d[j]));
  }
}

// One block of columns in one run of rows.
void look_at_block(const SampleMatrix& values, std::span<const Index> columns, Index first_row, Index last_row,
                   char* varies, char* not_finite) {
  const Index count = static_cast<Index>(columns.size());
  RowMatrix start;
  RowMatrix copied;
  values.copy_rows(0, 1, columns, start);
  Vector spread = Vector::Zero(count);
  Vector residue = Vector::Zero(count);
  const double* in_place = values.contiguous_row(0, columns);
  constexpr Index rows_at_once = 64;
  for (Index first = first_row; first < last_row; first += rows_at_once) {
    const Index rows = std::min(rows_at_once, last_row - first);
    if (in_place == nullptr) values.copy_rows(first, rows, columns, copied);
    const double* begin = in_place != nullptr ? in_place + first * values.row_stride() : copied.data();
    const Index stride = in_place != nullptr ? values.row_stride() : count;
    for (Index row = 0; row < rows; row += rows_looked_at) {
      const double* looked_at[rows_looked_at];
      // Looking at the last row again changes nothing.
      for (Index k = 0; k < rows_looked_at; ++k) looked_at[k] = begin + std::min(row + k, rows - 1) * stride;
      look_at_rows(looked_at, start.data(), count, spread.data(), residue.data());
    }
  }
  for (Index j = 0; j < count; ++j) {
    varies[j] = static_cast<char>(spread[j] > 0);
    not_finite[j] = static_cast<char>(residue[j] != 0);
  }
}

ColumnFacts look_at_columns(const Dataset& condition, std::span<const Index> columns, const Context& context) {
  const std::size_t width = columns.size();
  constexpr Index features_at_once = 1024;
  constexpr Index rows_per_item = 2048;
  const Index rows = condition.values.rows();
  const Index runs = (rows + rows_per_item - 1) / rows_per_item;
  const Index blocks = (static_cast<Index>(width) + features_at_once - 1) / features_at_once;
  // One line of flags per run of rows, so that no two threads write the same place.
  std::vector<char> varies(width * static_cast<std::size_t>(runs));
  std::vector<char> not_finite(varies.size());
  context.parallel_for(blocks * runs, [&](Index item) {
    const std::size_t first = static_cast<std::size_t>(item / runs * features_at_once);
    const Index run = item % runs;
    const std::size_t place = static_cast<std::size_t>(run) * width + first;
    look_at_block(condition.values, columns.subspan(first, std::min<std::size_t>(features_at_once, width - first)),
                  run * rows_per_item, std::min(rows, (run + 1) * rows_per_item), varies.data() + place,
                  not_finite.data() + place);
  });
  ColumnFacts facts{std::vector<char>(width, 0), std::vector<char>(width, 1)};
  for (std::size_t place = 0; place < varies.size(); ++place) {
    facts.varies[place % width] |= varies[place];
    if (not_finite[place] != 0) facts.finite[place % width] = 0;
  }
  return facts;
}

// Names the first value, in reading order, that is not finite.
[[noreturn]] void report_bad_value(const Dataset& condition, const std::vector<Index>& columns) {
  RowMatrix values;
  for (Index row = 0; row < condition.values.rows(); ++row) {
    condition.values.copy_rows(row, 1, columns, values);
    for (Index j = 0; j < values.cols(); ++j) {
      const double value = values(0, j);
      if (std::isfinite(value)) continue;
      const Index column = columns[static_cast<std::size_t>(j)];
      const std::string text = std::isnan(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
      throw InputError({.file = title(condition), .value = text},
                       text + " at sample '" + condition.samples[static_cast<std::size_t>(row)] + "' (row " +
                           std::to_string(row + 1) + "), feature '" +
                           condition.features[static_cast<std::size_t>(column)] + "' (column " +
                           std::to_string(column + 1) +
                           "); values must be finite, or use --missing drop-features to leave such features out, or "
                           "drop-samples, or mean");
    }
  }
  throw Error("a value that is not finite was seen and not found again: were the data changed meanwhile?");
}

// Keeps the features whose flag is set.
void keep(FeatureMatch& match, const std::vector<std::string>& reasons) {
  std::size_t kept = 0;
  for (std::size_t j = 0; j < reasons.size(); ++j) {
    if (!reasons[j].empty()) {
      match.excluded.push_back({match.features[j], reasons[j]});
      continue;
    }
    match.features[kept] = match.features[j];
    for (auto& columns : match.columns) columns[kept] = columns[j];
    ++kept;
  }
  match.features.resize(kept);
  for (auto& columns : match.columns) columns.resize(kept);
}

FeatureMatch common_features(std::span<const Dataset> conditions) {
  std::vector<Columns> columns;
  for (const Dataset& condition : conditions) columns.push_back(index_of_features(condition));
  FeatureMatch match;
  match.columns.resize(conditions.size());
  Columns seen;  // names already judged
  for (const Dataset& condition : conditions) {
    for (const std::string& feature : condition.features) {
      if (!seen.emplace(feature, 0).second) continue;
      const auto absent =
          std::find_if(columns.begin(), columns.end(), [&](const Columns& here) { return !here.contains(feature); });
      if (absent != columns.end()) {
        match.excluded.push_back(
            {feature, "not in condition " + conditions[static_cast<std::size_t>(absent - columns.begin())].name});
        continue;
      }
      match.features.push_back(feature);
      for (std::size_t m = 0; m < columns.size(); ++m) match.columns[m].push_back(columns[m].at(feature));
    }
  }
  if (match.features.empty()) {
    throw InputError("no feature is common to all conditions: " + title(conditions[0]) + " has '" +
                     (conditions[0].features.empty() ? "" : conditions[0].features[0]) + "', ..., " +
                     title(conditions[1]) + " has '" +
                     (conditions[1].features.empty() ? "" : conditions[1].features[0]) +
                     "', ...; names must agree (are samples in columns? then use --samples-in columns)");
  }
  return match;
}

}  // namespace

std::vector<std::string> numbered_names(std::string_view prefix, Index count) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (Index i = 1; i <= count; ++i) names.push_back(std::string(prefix) + std::to_string(i));
  return names;
}

FeatureMatch match_features(std::span<const Dataset> conditions, const MatchOptions& options, const Context& context) {
  check_shapes(conditions);
  FeatureMatch match = common_features(conditions);
  std::vector<std::string> reasons(match.features.size());
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    const ColumnFacts facts = look_at_columns(conditions[m], match.columns[m], context);
    const bool all_finite =
        std::all_of(facts.finite.begin(), facts.finite.end(), [](char finite) { return finite != 0; });
    if (!all_finite && options.missing == Missing::error) report_bad_value(conditions[m], match.columns[m]);
    for (std::size_t j = 0; j < reasons.size(); ++j) {
      if (!reasons[j].empty()) continue;
      if (facts.finite[j] == 0) {
        reasons[j] = "not finite in condition " + conditions[m].name;
      } else if (facts.varies[j] == 0 && !options.keep_constant) {
        reasons[j] = "constant in condition " + conditions[m].name;
      }
    }
  }
  keep(match, reasons);
  return match;
}

}  // namespace disc
