// What sets a group apart, feature by feature: correlations within it, values of single pairs, and the strongest connections of
// every feature.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <set>

#include "matrix/normal_quantile.hpp"
#include "pipeline/entries.hpp"
#include "pipeline/figure_data.hpp"

namespace disc {
namespace {

constexpr std::size_t max_members = 40;     // a graph of more cannot be read
constexpr std::size_t max_pool = 300;       // members whose correlations are compared
constexpr Index max_samples = 4000;         // of one condition, for correlations: enough for two digits
constexpr std::size_t max_values = 80'000;  // of all features, samples and conditions that are drawn
constexpr std::size_t max_value_features = 200;
constexpr Index max_value_samples = 300;
constexpr std::size_t max_partners = 5;
constexpr Index max_partner_features = 10'000;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<Index> by_falling_weight(const FeatureGroup& group) {
  std::vector<std::size_t> places(group.features.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (!group.weight.empty()) {
    std::ranges::stable_sort(places, std::greater<>(), [&](std::size_t i) { return group.weight[i]; });
  }
  std::vector<Index> members;
  members.reserve(places.size());
  for (const std::size_t place : places) members.push_back(group.features[place]);
  return members;
}

std::vector<Index> evenly_spaced(Index total, Index wanted) {
  const Index count = std::min(total, wanted);
  std::vector<Index> places(at(count));
  for (Index i = 0; i < count; ++i) places[at(i)] = i * total / count;
  return places;
}

RowMatrix values_of(const Dataset& condition, const std::vector<Index>& match, const std::vector<Index>& features,
                    const std::vector<Index>& samples) {
  std::vector<Index> columns;
  columns.reserve(features.size());
  for (const Index feature : features) columns.push_back(match[at(feature)]);
  RowMatrix values(static_cast<Index>(samples.size()), static_cast<Index>(features.size()));
  RowMatrix row;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    condition.values.copy_rows(samples[i], 1, columns, row);
    values.row(static_cast<Index>(i)) = row;
  }
  return values;
}

// Values become their ranks; equal ones share the mean of theirs.
void to_ranks(Eigen::Ref<Vector> values) {
  std::vector<Index> order(at(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index i) { return values[i]; });
  Vector ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = 0.5 * static_cast<double>(begin + end - 1);
    for (; begin < end; ++begin) ranks[order[begin]] = rank;
  }
  values = ranks;
}

// As the values enter correlations in the analysis.
void to_scores(Eigen::Ref<Vector> values, Distance distance) {
  if (distance != Distance::spearman && distance != Distance::normal_scores) return;
  to_ranks(values);
  if (distance == Distance::spearman) return;
  const auto count = static_cast<double>(values.size());
  for (double& rank : values) rank = -normal_upper_quantile((rank + 1) / (count + 1));
}

Matrix correlations_of(const Dataset& condition, const std::vector<Index>& match, const std::vector<Index>& features,
                       Distance distance) {
  Matrix values = values_of(condition, match, features, evenly_spaced(condition.values.rows(), max_samples));
  for (auto column : values.colwise()) {
    Vector scores = column;
    to_scores(scores, distance);
    column = scores;
    column.array() -= column.mean();
    const double length = column.norm();
    if (length > 0) column /= length;
  }
  return values.transpose() * values;
}

// `signs` of -1 where a feature goes against the others.
double mean_of_pairs(const Matrix& correlations, const Vector& signs) {
  const auto count = static_cast<double>(correlations.rows());
  return count < 2 ? 0.0 : (signs.dot(correlations * signs) - correlations.trace()) / (count * (count - 1));
}

// Per feature, how much closer its correlations with the others are in `condition` than in the one most like it; of groups
// that were lost, how much weaker.
Vector changes(const std::vector<Matrix>& all, std::size_t condition) {
  const Matrix here = all[condition].cwiseAbs();
  Matrix largest = Matrix::Zero(here.rows(), here.cols());
  Matrix smallest = Matrix::Ones(here.rows(), here.cols());
  for (std::size_t m = 0; m < all.size(); ++m) {
    if (m == condition) continue;
    largest = largest.cwiseMax(all[m].cwiseAbs());
    smallest = smallest.cwiseMin(all[m].cwiseAbs());
  }
  const Vector gained = (here - largest).rowwise().sum();
  const Vector lost = (smallest - here).rowwise().sum();
  return gained.sum() >= lost.sum() ? gained : lost;
}

RowMatrix selected(const Matrix& matrix, const std::vector<Index>& places) {
  const auto count = static_cast<Index>(places.size());
  RowMatrix part(count, count);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) part(i, j) = matrix(places[at(i)], places[at(j)]);
  }
  return part;
}

// The core by falling weight, or all members where it is not known; a part of very many.
std::vector<Index> pool_of(const DrawnGroup& group) {
  const std::set<Index> core(group.core.begin(), group.core.end());
  std::vector<Index> pool;
  for (const Index member : group.members) {
    if (pool.size() < max_pool && (core.empty() || core.contains(member))) pool.push_back(member);
  }
  return pool;
}

void add_correlations(std::span<const Dataset> conditions, const FeatureMatch& match, const DrawnGroup& group,
                      Distance distance, GroupFigure& picture) {
  const std::vector<Index> pool = pool_of(group);
  Vector signs(static_cast<Index>(pool.size()));
  for (std::size_t i = 0; i < pool.size(); ++i)
    signs[static_cast<Index>(i)] = group.opposite.contains(pool[i]) ? -1 : 1;
  std::vector<Matrix> correlations;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    correlations.push_back(correlations_of(conditions[m], match.columns[m], pool, distance));
    picture.core_correlation.push_back(mean_of_pairs(correlations.back(), signs));
  }
  std::vector<Index> places(pool.size());
  std::iota(places.begin(), places.end(), Index{0});
  const Vector change = changes(correlations, at(group.condition));
  std::ranges::stable_sort(places, std::greater<>(), [&](Index i) { return change[i]; });
  places.resize(std::min(places.size(), max_members));
  picture.features.clear();
  for (const Index place : places) picture.features.push_back(pool[at(place)]);
  for (const Matrix& all : correlations) picture.correlations.push_back(selected(all, places));
}

// The strongest of a line of the walk's matrix, as (weight, feature).
std::vector<std::pair<double, Index>> strongest(const RandomWalk& walk, Index feature) {
  std::vector<std::pair<double, Index>> entries;
  for_each_entry(walk.conjugate, feature, [&](Index other, double value) {
    if (other != feature && value > 0) entries.emplace_back(value * std::sqrt(walk.degrees[other]), other);
  });
  const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(max_partners, entries.size()));
  std::ranges::partial_sort(entries, end, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  entries.erase(end, entries.end());
  for (auto& [weight, other] : entries) weight *= std::sqrt(walk.degrees[feature]);
  return entries;
}

}  // namespace

std::vector<DrawnGroup> drawn_groups(const Analysis& analysis) {
  std::vector<DrawnGroup> drawn;
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    const std::vector<FeatureGroup>& groups = analysis.conditions[m].groups.groups;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      DrawnGroup one{
          static_cast<Index>(m), static_cast<Index>(g), by_falling_weight(groups[g]), groups[g].evidence.core, {}};
      for (std::size_t i = 0; i < groups[g].sign.size(); ++i) {
        if (groups[g].sign[i] < 0) one.opposite.insert(groups[g].features[i]);
      }
      drawn.push_back(std::move(one));
    }
  }
  return drawn;
}

void add_group_correlations(std::span<const Dataset> conditions, const FeatureMatch& match, const Analysis& analysis,
                            WeightFigure& picture, const Context& context) {
  const std::vector<DrawnGroup> groups = drawn_groups(analysis);
  const Distance distance = analysis.used.graph.distance.value_or(Distance::correlation);
  context.parallel_for(static_cast<Index>(picture.groups.size()), [&](Index g) {
    context.check_stop();
    add_correlations(conditions, match, groups[at(g)], distance, picture.groups[at(g)]);
  });
}

ValueFigure figure_of_values(std::span<const Dataset> conditions, const FeatureMatch& match, const Analysis& analysis,
                             const WeightFigure& picture) {
  constexpr std::size_t pairs_shown = 25;
  std::set<Index> chosen;
  for (const ConditionResult& condition : analysis.conditions) {
    if (!condition.pairs_changed) continue;
    for (const ChangedPair& pair : condition.pairs_changed->pairs | std::views::take(pairs_shown)) {
      chosen.insert({pair.a, pair.b});
    }
  }
  for (std::size_t rank = 0; rank < max_members; ++rank) {  // the first of every group, then the second, ...
    for (const GroupFigure& group : picture.groups) {
      if (rank < group.features.size() && chosen.size() < max_value_features) chosen.insert(group.features[rank]);
    }
  }
  ValueFigure figure;
  figure.features.assign(chosen.begin(), chosen.end());
  const std::size_t columns = std::max<std::size_t>(1, chosen.size() * conditions.size());
  const Index samples = std::min(max_value_samples, static_cast<Index>(max_values / columns));
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    figure.samples.push_back(evenly_spaced(conditions[m].values.rows(), samples));
    figure.values.push_back(values_of(conditions[m], match.columns[m], figure.features, figure.samples.back()));
  }
  return figure;
}

std::vector<PartnerFigure> figure_of_partners(std::span<const RandomWalk> walks, const Context& context) {
  std::vector<PartnerFigure> figures;
  for (const RandomWalk& walk : walks) {
    if (walk.size() > max_partner_features) return {};
    PartnerFigure figure;
    figure.features.resize(at(walk.size()));
    figure.weights.resize(at(walk.size()));
    context.parallel_for(walk.size(), [&](Index feature) {
      for (const auto& [weight, other] : strongest(walk, feature)) {
        figure.features[at(feature)].push_back(other);
        figure.weights[at(feature)].push_back(weight);
      }
    });
    figures.push_back(std::move(figure));
  }
  return figures;
}

std::vector<Vector> means_of_features(std::span<const Dataset> conditions, const FeatureMatch& match,
                                      const Context& context) {
  std::vector<Vector> means;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    const Index samples = conditions[m].values.rows();
    Vector sum = Vector::Zero(static_cast<Index>(match.features.size()));
    RowMatrix row;
    for (Index i = 0; i < samples; ++i) {
      context.check_stop();
      conditions[m].values.copy_rows(i, 1, match.columns[m], row);
      sum += row.row(0).transpose();
    }
    means.push_back(sum / static_cast<double>(samples));
  }
  return means;
}

}  // namespace disc
