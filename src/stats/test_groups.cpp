// Which features are tested, and what the steps of the test are made of: units, their sums, permutations, single pairs, bootstraps.
#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "matrix/blas.hpp"
#include "stats/extend.hpp"
#include "stats/group_test.hpp"
#include "stats/permutation_test.hpp"
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

// Units of samples that can be used alike in every condition.
struct Exchangeable {
  Units units;
  Sampling sampling;
};

Exchangeable units_to_exchange(std::span<const Dataset> conditions, const Design& design,
                               std::span<const PreparedColumns> prepared, const TestOptions& options,
                               const Context& context) {
  const bool all_pairs = options.graph.form != GraphForm::knn;
  // The form `knn` keeps all samples: there is nothing to gain from fewer units.
  const Index most = all_pairs ? max_units(conditions, design, prepared[0].features(), options.statistics.memory_limit)
                               : std::numeric_limits<Index>::max();
  Exchangeable result{make_units(conditions, design, most, context), {}};
  if (all_pairs) result.sampling = look_at_samples(prepared, options.statistics, result.units, context);
  order_by_content(prepared, result.units, context);
  return result;
}

// All features are tested.
class TestOfAll final : public GroupTest {
 public:
  TestOfAll(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
            const std::vector<PreparedColumns>& prepared, const TestOptions& options, const Context& context)
      : conditions_(conditions),
        match_(match),
        options_(options),
        context_(context),
        exchangeable_(units_to_exchange(conditions, design, prepared, options, context)),
        sums_(prepared, options.graph, exchangeable_.units, exchangeable_.sampling, context),
        analysis_(analyze_options(sums_, exchangeable_.units, options, static_cast<Index>(conditions.size()), context)),
        permutations_(sums_, exchangeable_.units, options_, analysis_, static_cast<Index>(conditions.size()), context) {
  }

  void analyze_truth() override { permutations_.analyze_truth(); }
  void permute() override {
    result_ = permutations_.permute();
    result_.statistics.sampling = exchangeable_.sampling;
  }
  void compare_pairs() override {
    if (sums_.has_matrices() && options_.looks_for_pairs)
      find_changed_pairs(sums_, exchangeable_.units, options_, result_, context_);
  }
  TestResult evidence() override {
    add_evidence(conditions_, match_, sums_, exchangeable_.units, options_, analysis_, result_, context_);
    return std::move(result_);
  }

 private:
  std::span<const Dataset> conditions_;
  const FeatureMatch& match_;
  const TestOptions options_;
  const Context& context_;
  const Exchangeable exchangeable_;
  const UnitSums sums_;
  const AnalyzeOptions analysis_;
  PermutationTest permutations_;
  TestResult result_;
};

// Some features are tested, and all others may join the groups that are found: those of this process, if a team has them.
class TestOfSome final : public GroupTest {
 public:
  TestOfSome(std::span<const Dataset> tested, FeatureMatch part, const OwnFeatures& own, std::vector<Index> features,
             const Design& design, const TestOptions& options, const Context& context)
      : tested_(tested),
        part_(std::move(part)),
        own_(own),
        features_(std::move(features)),
        options_(options),
        context_(context),
        alone_(context.with(nullptr)) {
    // Among so many features a list of pairs is no answer.
    options_.looks_for_pairs = options.looks_for_pairs && own.partition.total() <= policy::max_features_for_pairs;
    test_ = group_test(tested_, part_, design, options_, alone_);
  }

  void analyze_truth() override { test_->analyze_truth(); }
  void permute() override { test_->permute(); }
  void compare_pairs() override { test_->compare_pairs(); }
  TestResult evidence() override {
    TestResult result = test_->evidence();
    extend_groups({tested_, part_.columns, {}}, own_, features_, options_, result, context_);
    return result;
  }

 private:
  std::span<const Dataset> tested_;
  const FeatureMatch part_;  // where the values of the features drawn are in `tested_`
  const OwnFeatures own_;
  const std::vector<Index> features_;
  TestOptions options_;
  const Context context_, alone_;  // of all processes, and of this one
  std::unique_ptr<GroupTest> test_;
};

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

std::unique_ptr<GroupTest> group_test(std::span<const Dataset> conditions, const FeatureMatch& match,
                                      const Design& design, const TestOptions& given, const Context& context) {
  const Index features = static_cast<Index>(match.features.size());
  const OwnFeatures all{conditions, match.columns, {{0, features}, 0, features}};
  TestOptions options = given;
  options.statistics = resolved(given.statistics);
  if (options.graph.form == GraphForm::prototypes) options.graph.form = GraphForm::dense;
  const auto test_of_some = [&](const std::vector<Index>& some) {
    return std::make_unique<TestOfSome>(conditions, part_of(match, some), all, some, design, options, context);
  };
  if (!given.representatives.empty()) {
    options.representatives.clear();
    if (static_cast<Index>(given.representatives.size()) < features) return test_of_some(given.representatives);
  }
  prepare_blas();
  std::vector<PreparedColumns> prepared = prepare_all(all, *options.graph.distance, context);
  const std::vector<Index> drawn = options.graph.form != GraphForm::knn
                                       ? features_to_search(prepared, !design.units.empty(), context)
                                       : features_to_test(features, options.graph, context);
  if (!drawn.empty()) {
    prepared.clear();
    return test_of_some(drawn);
  }
  return std::make_unique<TestOfAll>(conditions, match, design, prepared, options, context);
}

std::unique_ptr<GroupTest> group_test(std::span<const Dataset> tested, const OwnFeatures& own,
                                      std::vector<Index> features, const FeatureMatch& match, const Design& design,
                                      const TestOptions& given, const Context& context) {
  TestOptions options = given;
  options.statistics = resolved(given.statistics);
  FeatureMatch part;
  std::vector<Index> columns;
  for (const Index j : features) {
    columns.push_back(static_cast<Index>(columns.size()));
    part.features.push_back(match.features[static_cast<std::size_t>(j)]);
  }
  part.columns.assign(tested.size(), columns);
  return std::make_unique<TestOfSome>(tested, std::move(part), own, std::move(features), design, options, context);
}

TestResult test_groups(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                       const TestOptions& options, const Context& context) {
  const std::unique_ptr<GroupTest> test = group_test(conditions, match, design, options, context);
  test->analyze_truth();
  test->permute();
  test->compare_pairs();
  return test->evidence();
}

}  // namespace disc
