// Significance and evidence, in order: units, their sums, permutations, single pairs, bootstraps.
#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "matrix/blas.hpp"
#include "stats/extend.hpp"
#include "stats/policy.hpp"
#include "stats/sampling.hpp"
#include "stats/searched_features.hpp"
#include "stats/significance.hpp"

namespace disc {
namespace {

// Of more features so many are drawn for the test, whatever their values: what they show is true of all.
constexpr Index max_tested = 50'000;

FeatureMatch part_of(const FeatureMatch& match, std::span<const Index> features) {
  FeatureMatch part;
  part.columns.resize(match.columns.size());
  for (const Index j : features) {
    part.features.push_back(match.features[static_cast<std::size_t>(j)]);
    for (std::size_t m = 0; m < match.columns.size(); ++m) {
      part.columns[m].push_back(match.columns[m][static_cast<std::size_t>(j)]);
    }
  }
  return part;
}

// How many units are kept apart. The sums of a unit take 2 p^2 bytes; of single samples no sums are kept.
Index max_units(std::span<const Dataset> conditions, const Design& design, Index features, double gibibytes) {
  Index samples = 0;
  for (const Dataset& condition : conditions) samples += condition.values.rows();
  const double pairs = static_cast<double>(features) * static_cast<double>(features);
  if (design.units.empty() && static_cast<double>(samples) * pairs <= policy::max_products_of_samples) return samples;
  return std::clamp<Index>(static_cast<Index>(gibibytes * 1024 * 1024 * 1024 / (2.0 * pairs)), 4, policy::max_units);
}

std::vector<PreparedColumns> prepare_all(std::span<const Dataset> conditions, const FeatureMatch& match,
                                         const GraphOptions& options, const Context& context) {
  prepare_blas();
  std::vector<PreparedColumns> prepared;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    prepared.emplace_back(conditions[m], match.columns[m], *options.distance, context);
  }
  return prepared;
}

// Groups of some features, and then of all.
TestResult test_some(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                     const std::vector<Index>& features, TestOptions options, const Context& context) {
  // Among so many features a list of pairs is no answer.
  options.looks_for_pairs =
      options.looks_for_pairs && static_cast<Index>(match.features.size()) <= policy::max_features_for_pairs;
  TestResult result = test_groups(conditions, part_of(match, features), design, options, context);
  extend_groups(conditions, match, features, options, result, context);
  return result;
}

}  // namespace

std::vector<Index> features_to_test(Index features, const GraphOptions& graph, const Context& context) {
  std::vector<Index> drawn;
  if (graph.form != GraphForm::knn || features <= max_tested) return drawn;
  std::vector<Index> all(static_cast<std::size_t>(features));
  std::iota(all.begin(), all.end(), Index{0});
  std::mt19937_64 random = random_stream(context.seed(), "stats/features");
  std::ranges::sample(all, std::back_inserter(drawn), max_tested, random);
  return drawn;
}

StatisticsOptions resolved(StatisticsOptions options) {
  if (!options.permutations) options.permutations = policy::permutations;
  if (!options.bootstraps) {
    const bool few = *options.permutations > 0 && *options.permutations < 2 * policy::bootstraps;
    options.bootstraps = few ? (*options.permutations + 1) / 2 : policy::bootstraps;
  }
  return options;
}

TestResult test_groups(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                       const TestOptions& given, const Context& context) {
  const Index features = static_cast<Index>(match.features.size());
  TestOptions options = given;
  options.statistics = resolved(given.statistics);
  if (options.graph.form == GraphForm::prototypes) options.graph.form = GraphForm::dense;
  if (!given.representatives.empty()) {
    options.representatives.clear();
    if (static_cast<Index>(given.representatives.size()) < features)
      return test_some(conditions, match, design, given.representatives, options, context);
  }
  // The form `knn` keeps all samples: there is nothing to gain from fewer units.
  const Index most = options.graph.form == GraphForm::knn
                         ? std::numeric_limits<Index>::max()
                         : max_units(conditions, design, features, options.statistics.memory_limit);
  const bool all_pairs = options.graph.form != GraphForm::knn;
  std::vector<PreparedColumns> prepared = prepare_all(conditions, match, options.graph, context);
  const std::vector<Index> drawn = all_pairs ? features_to_search(prepared, !design.units.empty(), context)
                                             : features_to_test(features, options.graph, context);
  if (!drawn.empty()) {
    prepared.clear();
    return test_some(conditions, match, design, drawn, options, context);
  }
  Units units = make_units(conditions, design, most, context);
  const Sampling sampling = all_pairs ? look_at_samples(prepared, options.statistics, units, context) : Sampling();
  order_by_content(prepared, units, context);
  const UnitSums sums(prepared, options.graph, units, sampling, context);
  const auto count = static_cast<Index>(conditions.size());
  const AnalyzeOptions analysis = analyze_options(sums, units, options, count, context);
  TestResult result = permute_and_test(sums, units, options, analysis, count, context);
  if (sums.has_matrices() && options.looks_for_pairs) find_changed_pairs(sums, units, options, result, context);
  result.statistics.sampling = sampling;
  add_evidence(conditions, match, sums, units, options, analysis, result, context);
  return result;
}

}  // namespace disc
