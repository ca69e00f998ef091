// Mistakes in the data that are seen without an analysis.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>

#include "disc/plan.hpp"
#include "io/name_hints.hpp"

namespace disc {
namespace {

using Names = std::vector<std::string>;
using NameSet = std::unordered_set<std::string>;

constexpr Index rows_at_once = 64;

std::string title(const Dataset& condition) { return condition.source.empty() ? condition.name : condition.source; }

std::string lower_case(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

std::string percent(double share) { return std::to_string(std::lround(100 * share)) + " %"; }

std::vector<Index> all_columns(const Dataset& condition) {
  std::vector<Index> columns(static_cast<std::size_t>(condition.values.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

bool holds_same(const Dataset& a, const Dataset& b) {
  if (a.values.rows() != b.values.rows() || a.values.cols() != b.values.cols() || a.features != b.features)
    return false;
  const std::vector<Index> columns = all_columns(a);
  RowMatrix left, right;
  for (Index first = 0; first < a.values.rows(); first += rows_at_once) {
    const Index count = std::min(rows_at_once, a.values.rows() - first);
    a.values.copy_rows(first, count, columns, left);
    b.values.copy_rows(first, count, columns, right);
    const bool is_same = ((left.array() == right.array()) || (left.array().isNaN() && right.array().isNaN())).all();
    if (!is_same) return false;
  }
  return true;
}

void refuse_same_data(std::span<const Dataset> conditions) {
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    for (std::size_t k = m + 1; k < conditions.size(); ++k) {
      if (!holds_same(conditions[m], conditions[k])) continue;
      const std::string &a = conditions[m].source, &b = conditions[k].source;
      throw InputError({.file = b},
                       "conditions '" + conditions[m].name + "' and '" + conditions[k].name + "' hold the same data" +
                           (a.empty() || a == b ? "" : " (" + a + " and " + b + ")") +
                           ": nothing can differ between them; is a file listed twice, or a copy of another?");
    }
  }
}

void refuse_exchanged_names(std::span<const Dataset> conditions) {
  if (!std::ranges::all_of(conditions, io::looks_exchanged)) return;
  const Dataset& first = conditions.front();
  throw InputError({.file = first.source}, "samples and features look exchanged: the samples are called '" +
                                               first.samples.front() + "', ..., the features '" +
                                               first.features.front() +
                                               "', ...; use --samples-in columns, or in Python pass data.T");
}

// Genes x cells with the same genes in all files are matched by their cells if these are called alike too.
void warn_of_same_samples(std::span<const Dataset> conditions, const DesignOptions& design,
                          std::vector<std::string>& warnings) {
  const Dataset& first = conditions.front();
  const bool is_paired = !design.paired.empty() || !design.metadata.empty();
  if (is_paired || !io::has_sample_names(first) || first.values.rows() < 3 * first.values.cols()) return;
  for (const Dataset& condition : conditions) {
    if (condition.samples != first.samples) return;
  }
  warnings.push_back("all conditions have the same " + std::to_string(first.samples.size()) + " samples, '" +
                     first.samples.front() + "', ..., and only " + std::to_string(first.features.size()) +
                     " features, '" + first.features.front() +
                     "', ...; if these are samples and those are features, use --samples-in columns");
}

NameSet names_in_small_letters(const Names& names) {
  NameSet small;
  for (const std::string& name : names) small.insert(lower_case(name));
  return small;
}

// How many features of the first condition another one has, as they are written and in small letters.
void check_common_names(const Dataset& first, const Dataset& other, std::vector<std::string>& warnings) {
  const NameSet exact(other.features.begin(), other.features.end());
  const NameSet small = names_in_small_letters(other.features);
  std::size_t common = 0, in_case_only = 0;
  std::string example;
  for (const std::string& name : first.features) {
    if (exact.contains(name)) {
      ++common;
    } else if (small.contains(lower_case(name))) {
      if (in_case_only++ == 0) example = name;
    }
  }
  if (in_case_only > 0 && 10 * in_case_only > common) {
    const auto written = std::ranges::find(other.features, lower_case(example), lower_case);
    const std::string sentence = std::to_string(in_case_only) + " features of '" + first.name + "' and '" + other.name +
                                 "' differ in case only, such as '" + example + "' and '" + *written +
                                 "'; names must be written alike (mouse and human genes are not the same)";
    if (common == 0) throw InputError({.file = title(other)}, sentence);
    warnings.push_back(sentence);
  }
  const double share =
      static_cast<double>(common) / static_cast<double>(std::min(first.features.size(), other.features.size()));
  if (common > 0 && share < 0.7) {
    warnings.push_back("only " + std::to_string(common) + " features are common to '" + first.name + "' (" +
                       std::to_string(first.features.size()) + ") and '" + other.name + "' (" +
                       std::to_string(other.features.size()) + "); the others take no part");
  }
}

void warn_of_few_samples(std::span<const Dataset> conditions, std::vector<std::string>& warnings) {
  constexpr Index few = 10;
  const auto by_samples = [](const Dataset& condition) { return condition.values.rows(); };
  const Dataset& least = std::ranges::min(conditions, {}, by_samples);
  const Dataset& most = std::ranges::max(conditions, {}, by_samples);
  if (least.values.rows() >= few || least.values.rows() < 2) return;  // fewer than two are refused later
  warnings.push_back("condition " + least.name + " has only " + std::to_string(least.values.rows()) + " samples" +
                     (most.values.rows() >= 3 * least.values.rows()
                          ? ", " + most.name + " has " + std::to_string(most.values.rows())
                          : "") +
                     ": correlations of so few samples are mostly chance; 10 are the least, 30 and more are good");
}

// How much values vary: the median over some features of their standard deviation in some rows.
double typical_spread(const Dataset& condition, std::span<const Index> rows) {
  constexpr Index features_looked_at = 200;
  const Index step = std::max<Index>(1, condition.values.cols() / features_looked_at);
  std::vector<Index> columns;
  for (Index j = 0; j < condition.values.cols(); j += step) columns.push_back(j);
  RowMatrix values(static_cast<Index>(rows.size()), static_cast<Index>(columns.size())), row;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    condition.values.copy_rows(rows[i], 1, columns, row);
    values.row(static_cast<Index>(i)) = row;
  }
  std::vector<double> spreads;
  for (Index j = 0; j < values.cols(); ++j) {
    const auto column = values.col(j).array();
    const double spread = std::sqrt((column - column.mean()).square().mean());
    if (std::isfinite(spread) && spread > 0) spreads.push_back(spread);
  }
  if (spreads.empty()) return 0;
  std::ranges::nth_element(spreads, spreads.begin() + static_cast<Index>(spreads.size() / 2));
  return spreads[spreads.size() / 2];
}

std::vector<Index> some_rows(std::vector<Index> rows) {
  constexpr std::size_t rows_looked_at = 200;
  if (rows.size() > rows_looked_at) rows.resize(rows_looked_at);
  return rows;
}

struct Part {
  std::string name;
  double spread = 0;
};

void warn_of_units(std::vector<Part> parts, const std::string& what, std::vector<std::string>& warnings) {
  constexpr double many_times = 50;  // no two batches of one kind of measurement differ that much
  std::erase_if(parts, [](const Part& part) { return part.spread == 0; });
  if (parts.size() < 2) return;
  const Part& least = std::ranges::min(parts, {}, &Part::spread);
  const Part& most = std::ranges::max(parts, {}, &Part::spread);
  if (most.spread < many_times * least.spread) return;
  warnings.push_back(what + " seem to be in different units: values of '" + most.name + "' vary " +
                     std::to_string(std::lround(most.spread / least.spread)) + " times as much as those of '" +
                     least.name + "'; is one of them on another scale, or in logarithms?");
}

void check_units(std::span<const Dataset> conditions, std::vector<std::string>& warnings) {
  std::vector<Part> of_conditions;
  for (const Dataset& condition : conditions) {
    std::vector<Index> all(static_cast<std::size_t>(condition.values.rows()));
    std::iota(all.begin(), all.end(), Index{0});
    of_conditions.push_back({condition.name, typical_spread(condition, some_rows(all))});
    const auto file = std::ranges::find(condition.labels, "file", &LabelColumn::name);
    if (file == condition.labels.end()) continue;
    std::map<std::string, std::vector<Index>> rows;
    for (const Index i : all) rows[file->values[static_cast<std::size_t>(i)]].push_back(i);
    std::vector<Part> of_files;
    for (const auto& [name, own] : rows) of_files.push_back({name, typical_spread(condition, some_rows(own))});
    warn_of_units(std::move(of_files), "the files of condition " + condition.name, warnings);
  }
  warn_of_units(std::move(of_conditions), "the conditions", warnings);
}

struct SetMatch {
  std::size_t members = 0, found = 0, in_case_only = 0;
};

SetMatch match_sets(std::span<const NamedSet> sets, const Names& features) {
  const NameSet exact(features.begin(), features.end()), small = names_in_small_letters(features);
  std::set<std::string> seen;
  SetMatch match;
  for (const NamedSet& set : sets) {
    for (const std::string& member : set.members) {
      if (!seen.insert(member).second) continue;
      ++match.members;
      if (exact.contains(member)) {
        ++match.found;
      } else if (small.contains(lower_case(member))) {
        ++match.in_case_only;
      }
    }
  }
  return match;
}

void check_sets(const Dataset& first, std::span<const NamedSet> sets, const std::string& file,
                std::vector<std::string>& warnings) {
  if (sets.empty()) return;
  const SetMatch match = match_sets(sets, first.features);
  if (10 * match.found >= match.members) return;
  std::string why = "; their names must be those of the data";
  if (match.in_case_only > match.found) {
    why = "; " + std::to_string(match.in_case_only) +
          " would but for capital letters: are these the genes of another species? Sets for mouse and human differ";
  } else if (io::are_ensembl_genes(first.features)) {
    why =
        "; the features are Ensembl identifiers: choose their other names with --feature-names, or sets of identifiers";
  }
  const std::string numbers = std::to_string(match.found) + " of the " + std::to_string(match.members) +
                              " members of the sets are among the features ('" + sets.front().members.front() +
                              "', ... against '" + first.features.front() + "', ...)" + why;
  if (match.found == 0) throw InputError({.file = file}, numbers);
  warnings.push_back(file + ": only " + numbers);
}

void warn_of_level(const StatisticsOptions& options, std::vector<std::string>& warnings) {
  if (!options.permutations || *options.permutations == 0) return;
  const double smallest = 1.0 / static_cast<double>(*options.permutations + 1);
  if (smallest <= options.level) return;
  const auto needed = static_cast<Index>(std::ceil(1 / options.level)) - 1;
  warnings.push_back("with --permutations " + std::to_string(*options.permutations) + " no p-value can be below " +
                     percent(smallest) + ", and --level asks for " + format_number(options.level) +
                     ": nothing can be found; at least " + std::to_string(needed) + " are needed");
}

}  // namespace

std::vector<std::string> check_conditions(std::span<const Dataset> conditions, const RunOptions& options,
                                          std::span<const NamedSet> genesets) {
  std::vector<std::string> warnings;
  if (conditions.size() < 2) return warnings;  // refused later
  refuse_exchanged_names(conditions);
  refuse_same_data(conditions);
  for (const Dataset& other : conditions.subspan(1)) {
    if (conditions.front().features_named && other.features_named)
      check_common_names(conditions.front(), other, warnings);
  }
  check_sets(conditions.front(), genesets, options.genesets, warnings);
  warn_of_level(options.statistics, warnings);
  if (options.graph.kernel == Kernel::precomputed) return warnings;  // what follows is about samples
  warn_of_same_samples(conditions, options.design, warnings);
  warn_of_few_samples(conditions, warnings);
  check_units(conditions, warnings);
  return warnings;
}

}  // namespace disc
