#include "distributed/figure_data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "pipeline/figure_data.hpp"

namespace disc::distributed {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// What the first process knows is drawn where, in all of them.
WeightFigure share_plan(const WeightFigure& plan, const MpiTeam& team) {
  const bool is_first = team.rank() == 0;
  const auto share = [&](const std::vector<Index>& values) {
    return team.gather_all<Index>(is_first ? std::span<const Index>(values) : std::span<const Index>());
  };
  WeightFigure shared;
  shared.order = share(plan.order);
  shared.line_begin = share(plan.line_begin);
  std::vector<Index> heads;
  for (const GroupFigure& group : plan.groups) heads.insert(heads.end(), {group.condition, group.group});
  heads = share(heads);
  for (std::size_t g = 0; g < heads.size() / 2; ++g) {
    const std::vector<Index> own = is_first ? plan.groups[g].features : std::vector<Index>();
    shared.groups.push_back({heads[2 * g], heads[2 * g + 1], share(own), {}});
  }
  return shared;
}

// Adds the weights of own rows to the picture, then those of all processes.
void add_weights(const Walk& walk, const std::vector<Index>& line_of, WeightFigure& picture, const MpiTeam& team) {
  const Index lines = static_cast<Index>(picture.line_begin.size()) - 1;
  const Vector root = team.rows_to_all(Vector(walk.degrees().cwiseSqrt()));
  RowMatrix sums = RowMatrix::Zero(lines, lines);
  std::vector<std::unordered_map<Index, Index>> place_in(picture.groups.size());  // of the members of a group
  for (std::size_t g = 0; g < picture.groups.size(); ++g) {
    GroupFigure& group = picture.groups[g];
    const auto members = static_cast<Index>(group.features.size());
    for (Index i = 0; i < members; ++i) place_in[g][group.features[at(i)]] = i;
    group.weights.push_back(RowMatrix::Zero(members, members));
  }
  const Partition& partition = walk.partition();
  walk.for_each_entry([&](Index row, Index other, double value) {
    const Index feature = partition.first + row;
    if (feature == other) return;
    const double weight = value * root[feature] * root[other];
    sums(line_of[at(feature)], line_of[at(other)]) += weight;
    for (std::size_t g = 0; g < picture.groups.size(); ++g) {
      const auto a = place_in[g].find(feature);
      if (a == place_in[g].end()) continue;
      const auto b = place_in[g].find(other);
      if (b != place_in[g].end()) picture.groups[g].weights.back()(a->second, b->second) = weight;
    }
  });
  team.sum(sums.data(), sums.size());
  for (GroupFigure& group : picture.groups) team.sum(group.weights.back().data(), group.weights.back().size());
  divide_by_pairs(picture, sums);
  picture.weights.push_back(std::move(sums));
}

// Values are divided: principal components are made from some features' values in the first process, meta-features are sums
// over members, of which every process has some.
void add_samples_of_divided(const SharedStudy& shared, const Analysis& analysis, FigureData& figure_data,
                            const MpiTeam& team, const Context& context) {
  const bool is_first = team.rank() == 0;
  const auto share = [&](const std::vector<Index>& values) {
    return team.gather_all<Index>(is_first ? std::span<const Index>(values) : std::span<const Index>());
  };
  const std::vector<Index> shown = share(is_first ? features_with_most_energy(analysis) : std::vector<Index>());
  const std::vector<Dataset> values = gather_features(shared, shown, team);
  begin_samples(shared.study.conditions, analysis, figure_data);
  std::vector<Index> places(shown.size());
  std::iota(places.begin(), places.end(), Index{0});
  FeatureMatch of_shown;
  of_shown.columns.assign(values.size(), places);
  if (is_first) add_components(values, of_shown, places, figure_data, context);

  const FeatureMatch& own = shared.own.front();
  Index column = 0;
  for (const ConditionResult& condition : analysis.conditions) {
    for (const FeatureGroup& group : condition.groups.groups) {
      const std::vector<Index> all = share(group.features);
      const std::vector<Index> signs = share(std::vector<Index>(group.sign.begin(), group.sign.end()));
      std::vector<Index> members;
      std::vector<double> weights;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (shared.partition.owner(all[i]) != team.rank()) continue;
        members.push_back(all[i] - shared.partition.first);
        weights.push_back((signs.empty() ? 1.0 : static_cast<double>(signs[i])) / static_cast<double>(all.size()));
      }
      if (!members.empty()) {
        const Vector weight = Eigen::Map<const Vector>(weights.data(), static_cast<Index>(weights.size()));
        add_meta_feature(shared.study.conditions, own, members, weight, column, figure_data, context);
      }
      ++column;
    }
  }
  for (SampleFigure& picture : figure_data.samples)
    team.sum(picture.meta_features.data(), picture.meta_features.size());
}

}  // namespace

FigureData make_figure_data(const SharedStudy& shared, std::span<const std::unique_ptr<Walk>> walks,
                            const Analysis& analysis, const MpiTeam& team, const Context& context) {
  const bool is_first = team.rank() == 0;
  FigureData figure_data;
  figure_data.weights = share_plan(is_first ? plan_of_weights(analysis) : WeightFigure(), team);
  const std::vector<Index> line_of = lines_of_features(figure_data.weights);
  for (const std::unique_ptr<Walk>& walk : walks) add_weights(*walk, line_of, figure_data.weights, team);
  figure_data.column = columns_in_file(shared.study, shared.match);
  if (analysis.used.graph.kernel == Kernel::precomputed) return figure_data;
  if (!shared.is_divided) {
    if (is_first) {
      add_samples(shared.study.conditions, shared.match, analysis, figure_data, context);
      add_units(shared.study, shared.match, analysis, figure_data, context);
    }
    return figure_data;
  }
  add_samples_of_divided(shared, analysis, figure_data, team, context);
  return figure_data;
}

}  // namespace disc::distributed
