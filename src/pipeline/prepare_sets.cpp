#include <algorithm>
#include <unordered_set>

#include "disc/follow_up.hpp"
#include "pipeline/study.hpp"

namespace disc {
namespace {

// Places of the features that any set names.
std::vector<Index> members_of(std::span<const GivenSet> sets, const std::vector<std::string>& features) {
  std::unordered_set<std::string> names;
  for (const GivenSet& set : sets) names.insert(set.members.begin(), set.members.end());
  std::vector<Index> places;
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (names.contains(features[j])) places.push_back(static_cast<Index>(j));
  }
  return places;
}

void require_correlations(const GraphOptions& graph) {
  if (graph.kernel == Kernel::precomputed) {
    throw OptionError("kernel", "precomputed", "holds weights; sets are tested by the correlations of samples");
  }
  const Distance distance = *graph.distance;
  if (distance == Distance::euclidean || distance == Distance::cosine || distance == Distance::abs_correlation) {
    throw OptionError(
        "distance", "euclidean, cosine, abs-correlation",
        "do not say whether features go together; sets are tested with normal-scores, correlation or spearman");
  }
}

}  // namespace

SetStudy prepare_sets(std::vector<Dataset> conditions, const RunOptions& options, std::span<const GivenSet> sets,
                      const Context& context) {
  RunOptions used = options;
  if (!used.graph.distance) used.graph.distance = correlation_of(used.graph.scores);
  require_correlations(used.graph);
  const Study study = make_study(std::move(conditions), used, context);
  if (study.is_scored) used.graph.distance = Distance::correlation;
  const FeatureMatch match = match_features(study.conditions, {used.prepare.missing, false}, context);
  used.statistics = resolved(used.statistics);
  used.prepare.normalization = study.preparation.normalization;
  used.prepare.select = study.preparation.select;
  used.prepare.standardize_files = study.preparation.files_standardized;
  used.prepare.remove_global_signal = study.preparation.common_removed;
  if (!study.unit.empty()) used.design.unit = study.unit;
  const TestOptions testing{.graph = used.graph, .is_target = study.is_target, .statistics = used.statistics};
  const std::vector<Index> keep = members_of(sets, match.features);
  if (!sets.empty() && keep.empty()) {
    throw InputError("no member of the sets is among the " + std::to_string(match.features.size()) + " features ('" +
                     match.features.front() + "', ...); their names must be those of the data");
  }
  SetStudy result{SetTester(study.conditions, match, study.design, testing, keep, context)};
  result.total_features = match.total() + static_cast<Index>(study.preparation.excluded.size());
  result.preparation = study.preparation.steps;
  result.warnings = study.preparation.hints;
  result.used = used;
  for (const Dataset& condition : study.conditions) {
    result.conditions.push_back(condition.name);
    result.samples.push_back(condition.values.rows());
  }
  result.excluded = study.preparation.excluded;
  result.excluded.insert(result.excluded.end(), match.excluded.begin(), match.excluded.end());
  return result;
}

}  // namespace disc
