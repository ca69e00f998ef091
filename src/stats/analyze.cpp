#include "stats/analyze.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "matrix/normal_quantile.hpp"
#include "stats/perspective.hpp"
#include "stats/policy.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Collects candidates of one labelling.
class Collector {
 public:
  Collector(const AnalyzeOptions& options, std::vector<Candidate>& candidates)
      : options_(options), candidates_(candidates) {}
  void add(Index condition, const View& view, double statistic, std::vector<Index> features,
           std::vector<std::int8_t> sign = {}) {
    const Index place = find(view);
    if (place < 0 || statistic <= policy::rounding_of_statistic ||
        static_cast<Index>(features.size()) < options_.min_group_size)
      return;
    candidates_.push_back({condition, place, statistic, std::move(features), std::move(sign)});
  }

 private:
  Index find(const View& view) const {
    const auto found = std::ranges::find(options_.views, view);
    return found == options_.views.end() ? -1 : found - options_.views.begin();
  }
  const AnalyzeOptions& options_;
  std::vector<Candidate>& candidates_;
};

// A target with some directions of the others taken out. Every set that passes the gate is judged in two views: by what it gains
// as a whole, and by what a pair gains. Sets with signs have a view of their own, whatever was taken out.
class Showing {
 public:
  Showing(Index target, Index directions, const Perspective& perspective, const Gate& gate, Collector& collect)
      : target_(target), directions_(directions), perspective_(perspective), gate_(gate), collect_(collect) {}
  void add(std::vector<Index> set, std::vector<std::int8_t> sign = {}) const {
    if (set.size() < 2 || !gate_.passes(set, sign)) return;
    const Gain gain = perspective_.gain(set, sign);
    const bool by_kind = directions_ == 0 || !sign.empty();
    collect_.add(target_, by_kind ? View{ViewKind::sweep, 0} : View{ViewKind::projected, directions_}, gain.whole, set,
                 sign);
    if (sign.empty()) collect_.add(target_, {ViewKind::compact, directions_}, gain.of_pair, std::move(set));
  }
  /// By the mean gain of a pair alone: as a whole the set was judged elsewhere.
  void add_compact(std::vector<Index> set) const {
    if (set.size() < 2 || !gate_.passes(set, {})) return;
    const double of_pair = perspective_.gain(set, {}).of_pair;
    collect_.add(target_, {ViewKind::compact, directions_}, of_pair, std::move(set));
  }
  const Perspective& perspective() const { return perspective_; }

 private:
  Index target_;
  Index directions_;
  const Perspective& perspective_;
  const Gate& gate_;
  Collector& collect_;
};

// Features in the order of a vector with one sign, or by its absolute values: most of a vector is noise, so only its head.
struct Order {
  std::vector<Index> features;
  std::vector<std::int8_t> sign;
};

Order order_by(const Eigen::VectorXf& vector, float sign) {
  Order order;
  order.features.resize(at(vector.size()));
  std::iota(order.features.begin(), order.features.end(), Index{0});
  const auto value = [&](Index j) { return sign == 0 ? std::abs(vector[j]) : sign * vector[j]; };
  const Index count = std::min({policy::max_features_swept, std::max<Index>(vector.size() / 2, 4), vector.size()});
  std::ranges::partial_sort(order.features, order.features.begin() + count,
                            [&](Index a, Index b) { return value(a) > value(b) || (value(a) == value(b) && a < b); });
  order.features.resize(at(count));
  if (sign != 0) {
    while (!order.features.empty() && value(order.features.back()) <= 0) order.features.pop_back();
  } else {
    for (const Index j : order.features) order.sign.push_back(vector[j] < 0 ? -1 : 1);
  }
  return order;
}

// c(S) of the first 1, 2, ... features of the order.
Vector connections_along(const ProjectedCorrelations& correlations, const Order& order) {
  const MatrixF block = correlations.upper_among(order.features);
  Vector result(block.cols());
  double sum = 0;
  for (Index b = 0; b < block.cols(); ++b) {
    float of_column = 0;
    for (Index a = 0; a < b; ++a) {
      of_column +=
          block(a, b) * (order.sign.empty() ? 1.0F : static_cast<float>(order.sign[at(a)] * order.sign[at(b)]));
    }
    sum += 2.0 * static_cast<double>(of_column);
    result[b] = sum / static_cast<double>(b + 1);
  }
  return result;
}

// The heads of the order that differ most from the other conditions, as a whole and by the mean gain of a pair. method (24), (a)
std::vector<Index> best_cuts(const Perspective& perspective, const Order& order, Index smallest) {
  const ProjectedCorrelations& target = perspective.target();
  const Vector here = connections_along(target, order);
  Vector whole = Vector::Constant(here.size(), std::numeric_limits<double>::infinity());
  Vector of_pair = whole;
  for (const ProjectedCorrelations& other : perspective.others()) {
    const Vector there = connections_along(other, order);
    for (Index i = 0; i < here.size(); ++i) {
      const Gain gain = gain_of(here[i], there[i], i + 1, target.samples(), other.samples());
      whole[i] = std::min(whole[i], gain.whole);
      of_pair[i] = std::min(of_pair[i], gain.of_pair);
    }
  }
  std::vector<Index> cuts;
  for (const Vector& gains : {whole, of_pair}) {
    Index best = 0;
    gains.tail(gains.size() - (smallest - 1)).maxCoeff(&best);
    if (cuts.empty() || cuts.front() != best + smallest) cuts.push_back(best + smallest);
  }
  return cuts;
}

void sort_by_feature(std::vector<Index>& features, std::vector<std::int8_t>& sign) {
  std::vector<std::pair<Index, std::int8_t>> both;
  for (std::size_t i = 0; i < features.size(); ++i) both.emplace_back(features[i], sign.empty() ? 1 : sign[i]);
  std::ranges::sort(both);
  for (std::size_t i = 0; i < both.size(); ++i) {
    features[i] = both[i].first;
    if (!sign.empty()) sign[i] = both[i].second;
  }
  if (std::ranges::all_of(sign, [&](std::int8_t s) { return s == sign.front(); })) sign.clear();
}

// Drops those that go with the rest no better than chance lets one feature of all: the tail of a sweep.
void cut_tail(const Correlations& residual, std::vector<Index>& set, std::vector<std::int8_t>& sign) {
  const auto size = static_cast<Index>(set.size());
  Matrix among = residual.values(set, set).cast<double>();
  for (Index b = 0; b < size && !sign.empty(); ++b) {
    for (Index a = 0; a < size; ++a) among(a, b) *= sign[at(a)] * sign[at(b)];
  }
  const Vector sums = among.rowwise().sum();
  const double variance = sums.sum();
  const double root = std::sqrt(static_cast<double>(residual.samples));
  const Index features = std::max(residual.features(), policy::min_features_of_chance);
  const double least = normal_upper_quantile(1.0 / static_cast<double>(features));
  std::size_t kept = 0;
  for (Index i = 0; i < size; ++i) {
    const double others = sums[i] - 1.0;
    const double rest = std::max(variance - 2.0 * others - 1.0, 1e-9);
    if (others * root / std::sqrt(rest) <= least) continue;
    if (!sign.empty()) sign[kept] = sign[at(i)];
    set[kept++] = set[at(i)];
  }
  set.resize(kept);
  if (!sign.empty()) sign.resize(kept);
}

// A leading vector may hold two groups at once: then each is a candidate of its own.
std::vector<std::vector<Index>> divided(const Correlations& residual, std::vector<Index> set, Index smallest) {
  const std::vector<Index> part = second_part(residual, set, smallest);
  if (part.empty()) return {std::move(set)};
  std::vector<Index> rest;
  std::ranges::set_difference(set, part, std::back_inserter(rest));
  return {part, rest};
}

// The head of an order of features as a candidate, once its tail is cut; with two groups in it, both.
void add_cut(const Showing& showing, const Correlations& residual, Order order, Index size, Index smallest) {
  const bool is_cut = static_cast<double>(size) < policy::max_share_swept * static_cast<double>(order.features.size());
  if (!is_cut) return;  // the group goes on beyond what was looked at: its community is the candidate
  const bool is_signed = !order.sign.empty();
  order.features.resize(at(size));
  if (is_signed) order.sign.resize(at(size));
  cut_tail(residual, order.features, order.sign);
  if (static_cast<Index>(order.features.size()) < smallest) return;
  sort_by_feature(order.features, order.sign);
  if (is_signed) {
    // Without different signs it is one of the two sides, already there.
    if (!order.sign.empty()) showing.add(std::move(order.features), std::move(order.sign));
    return;
  }
  for (std::vector<Index>& part : divided(residual, std::move(order.features), smallest)) {
    if (static_cast<Index>(part.size()) >= smallest) showing.add(std::move(part));
  }
}

void add_sweeps(const Showing& showing, const Correlations& residual, const MatrixF& vectors,
                const AnalyzeOptions& options) {
  const Index smallest = std::max<Index>(options.min_group_size, 4);
  for (Index v = 0; v < std::min(policy::vectors_swept, vectors.cols()); ++v) {
    for (const float sign : {1.0F, -1.0F, 0.0F}) {
      const Order order = order_by(vectors.col(v), sign);
      if (static_cast<Index>(order.features.size()) < smallest) continue;
      for (const Index size : best_cuts(showing.perspective(), order, smallest)) {
        add_cut(showing, residual, order, size, smallest);
      }
    }
  }
}

void add_communities(const Showing& showing, std::span<const Communities> scales) {
  for (const Communities& communities : scales) {
    for (std::vector<Index>& group : communities.members()) showing.add(std::move(group));
  }
}

void add_projected(const Perspective& perspective, const Correlations& condition, const Directions& own,
                   const Gate& gate, Index target, Index directions, const AnalyzeOptions& options, Collector& collect,
                   const Context& context) {
  const Showing showing(target, directions, perspective, gate, collect);
  Correlations residual;
  residual.values = perspective.target().matrix();
  residual.samples = condition.samples;
  add_communities(showing, find_communities(residual, options.association_z, options.min_group_size, context));
  const auto& z = perspective.basis();
  const MatrixF start = own.vectors - z * (z.transpose() * own.vectors);
  add_sweeps(showing, residual, leading_directions(residual.values, start, policy::steps_of_residual).vectors, options);
}

// The correlations themselves, and what is left of them with directions of the others taken out.
void add_all_projected(std::span<const Correlations> conditions, std::span<const std::vector<Communities>> scales,
                       std::span<const Directions> directions, Index target, const AnalyzeOptions& options,
                       Collector& collect, const Context& context) {
  const Explained explained(conditions, directions, target);
  const Gate gate(conditions, scales, directions, explained);
  const Correlations& condition = conditions[at(target)];
  const Directions& own = directions[at(target)];
  const Showing as_they_are(target, 0, gate.plain(), gate, collect);
  for (const Communities& communities : scales[at(target)]) {
    for (std::vector<Index>& group : communities.members()) as_they_are.add_compact(std::move(group));
  }
  add_sweeps(as_they_are, condition, own.vectors, options);
  for (const View& view : options.views) {
    if (view.kind != ViewKind::projected) continue;
    context.check_stop();
    const Perspective perspective(explained, view.directions);
    add_projected(perspective, condition, own, gate, target, view.directions, options, collect, context);
  }
}

// Whether a group is about as connected here as in every other condition: what falls apart together is not set apart.
bool stays_connected(std::span<const Correlations> conditions, Index target, const std::vector<Index>& group) {
  const auto connection = [&](std::size_t m) {
    return conditions[m].sum_between(group, group) / static_cast<double>(group.size()) - 1.0;
  };
  const double here = connection(at(target));
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    if (static_cast<Index>(k) != target && here < policy::min_share_of_connection_kept * connection(k)) return false;
  }
  return true;
}

// Communities of the conditions themselves. method (24), (c) and (d)
void add_own(std::span<const Correlations> conditions, std::span<const std::vector<Communities>> scales, Index target,
             Collector& collect) {
  std::vector<Communities> coarse;
  for (const auto& of_condition : scales) coarse.push_back(of_condition.back());
  for (GroupContrast& contrast : contrast_groups(conditions, coarse, target)) {
    collect.add(target, {ViewKind::strength, 0}, contrast.strength, contrast.features);
    if (!stays_connected(conditions, target, contrast.features)) continue;
    const double apart = separation_statistic(contrast);
    collect.add(target, {ViewKind::separation, 0}, apart, std::move(contrast.features));
  }
}

// What every other condition has and the target has not.
void add_lost(std::span<const Correlations> conditions, std::span<const std::vector<Communities>> scales, Index target,
              Collector& collect) {
  const auto connection = [&](std::size_t m, const std::vector<Index>& group) {
    return conditions[m].sum_between(group, group) / static_cast<double>(group.size()) - 1.0;
  };
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    if (static_cast<Index>(k) == target) continue;
    for (std::vector<Index>& group : scales[k].back().members()) {
      const double here = connection(at(target), group);
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t other = 0; other < conditions.size(); ++other) {
        if (static_cast<Index>(other) == target) continue;
        least = std::min(least, log_ratio(connection(other, group), here, conditions[other].samples,
                                          conditions[at(target)].samples));
      }
      collect.add(target, {ViewKind::lost, 0}, least, std::move(group));
    }
  }
}

}  // namespace

std::string name_of(const View& view) {
  switch (view.kind) {
    case ViewKind::strength:
      return "strength";
    case ViewKind::separation:
      return "separation";
    case ViewKind::sweep:
      return "sweep";
    case ViewKind::lost:
      return "lost";
    case ViewKind::projected:
      return "projected:" + std::to_string(view.directions);
    case ViewKind::compact:
      break;
  }
  return "compact:" + std::to_string(view.directions);
}

double separation_statistic(const GroupContrast& contrast) {
  constexpr double range = policy::full_correlation_lost - policy::min_correlation_lost;
  return std::clamp((contrast.loss - policy::min_correlation_lost) / range, 0.0, 1.0) * contrast.separation;
}

std::vector<View> views_for(Index features, Index samples, Index conditions, bool has_matrices) {
  std::vector<View> views{{ViewKind::strength, 0}, {ViewKind::separation, 0}};
  if (conditions > 2) views.push_back({ViewKind::lost, 0});
  if (!has_matrices) return views;
  views.push_back({ViewKind::sweep, 0});
  views.push_back({ViewKind::compact, 0});
  for (const Index d : policy::projected_directions) {
    const bool fits = d * policy::samples_per_direction <= samples &&
                      d * (conditions - 1) * policy::features_per_direction <= features;
    if (!fits) continue;
    views.push_back({ViewKind::projected, d});
    views.push_back({ViewKind::compact, d});
  }
  return views;
}

std::vector<Candidate> analyze(std::span<const Correlations> conditions, const AnalyzeOptions& options,
                               const Context& context) {
  std::vector<Candidate> candidates;
  Collector collect(options, candidates);
  const auto count = static_cast<Index>(conditions.size());
  std::vector<std::vector<Communities>> scales;
  std::vector<Directions> directions;
  for (const Correlations& condition : conditions) {
    context.check_stop();
    scales.push_back(find_communities(condition, options.association_z, options.min_group_size, context));
    if (condition.has_matrix())
      directions.push_back(leading_directions(condition.values, options.start, policy::steps_per_permutation));
  }
  for (Index m = 0; m < count && count > 1; ++m) {
    if (!options.is_target.empty() && !options.is_target[at(m)]) continue;
    context.check_stop();
    add_own(conditions, scales, m, collect);
    if (count > 2) add_lost(conditions, scales, m, collect);
    if (directions.empty()) continue;
    add_all_projected(conditions, scales, directions, m, options, collect, context);
  }
  return candidates;
}

}  // namespace disc
