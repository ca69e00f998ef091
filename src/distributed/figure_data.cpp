#include "pipeline/figure_data.hpp"

#include <numeric>

#include "distributed/shared_study.hpp"

namespace disc::distributed {
namespace {

// What the first process knows; the others have nothing.
std::vector<Index> share(const std::vector<Index>& values, const Team& team) {
  return team.gather_all<Index>(team.rank() == 0 ? std::span<const Index>(values) : std::span<const Index>());
}

// What the first process knows is drawn where, in all of them.
WeightFigure share_plan(const WeightFigure& plan, const Team& team) {
  WeightFigure shared;
  shared.order = share(plan.order, team);
  shared.bin_start = share(plan.bin_start, team);
  std::vector<Index> heads;
  for (const GroupFigure& group : plan.groups) heads.insert(heads.end(), {group.condition, group.group});
  heads = share(heads, team);
  for (std::size_t g = 0; g < heads.size() / 2; ++g) {
    const std::vector<Index> own = team.rank() == 0 ? plan.groups[g].features : std::vector<Index>();
    shared.groups.push_back({heads[2 * g], heads[2 * g + 1], share(own, team), {}});
  }
  return shared;
}

// Values are divided: principal components are made from some features' values in the first process, meta-features are sums
// over members, of which every process has some.
void add_samples_of_divided(const Study& study, const Sharing& sharing, const Analysis& analysis,
                            FigureData& figure_data, const Team& team, const Context& context) {
  const bool is_first = team.rank() == 0;
  const std::vector<Index> shown = share(is_first ? features_with_most_energy(analysis) : std::vector<Index>(), team);
  const std::vector<Dataset> values = gather_features(study, sharing, shown, team);
  begin_samples(study.conditions, analysis, figure_data);
  std::vector<Index> places(shown.size());
  std::iota(places.begin(), places.end(), Index{0});
  FeatureMatch of_shown;
  of_shown.columns.assign(values.size(), places);
  if (is_first) add_components(values, of_shown, places, figure_data, context);

  const FeatureMatch& own = sharing.own.front();
  Index column = 0;
  for (const ConditionResult& condition : analysis.conditions) {
    for (const FeatureGroup& group : condition.groups.groups) {
      const std::vector<Index> all = share(group.features, team);
      const std::vector<Index> signs = share(std::vector<Index>(group.sign.begin(), group.sign.end()), team);
      std::vector<Index> members;
      std::vector<double> weights;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!sharing.partition.is_own(all[i])) continue;
        members.push_back(all[i] - sharing.partition.first);
        weights.push_back((signs.empty() ? 1.0 : static_cast<double>(signs[i])) / static_cast<double>(all.size()));
      }
      if (!members.empty()) {
        const Vector weight = Eigen::Map<const Vector>(weights.data(), static_cast<Index>(weights.size()));
        add_meta_feature(study.conditions, own, members, weight, column, figure_data, context);
      }
      ++column;
    }
  }
  for (SampleFigure& picture : figure_data.samples)
    team.sum(picture.meta_features.data(), picture.meta_features.size());
}

}  // namespace

FigureData make_figure_data(const Study& study, const FeatureMatch& match, const Sharing& sharing,
                            std::span<const RandomWalk> walks, const Analysis& analysis, const Context& context) {
  const Context alone = context.with(nullptr);
  const Team& team = context.team();
  const bool is_first = team.rank() == 0;
  FigureData figure_data;
  figure_data.weights = share_plan(is_first ? plan_of_weights(analysis) : WeightFigure(), team);
  add_weights({walks}, figure_data.weights, context);
  figure_data.column = columns_in_file(study, match);
  if (analysis.used.graph.kernel == Kernel::precomputed) return figure_data;
  if (sharing.is_divided) {
    add_samples_of_divided(study, sharing, analysis, figure_data, team, alone);
  } else if (is_first) {
    add_samples(study.conditions, match, analysis, figure_data, alone);
    add_units(study, match, analysis, figure_data, alone);
  }
  return figure_data;
}

}  // namespace disc::distributed
