// What speaks for a group, beside its p-value. method (19)
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "stats/batches.hpp"
#include "stats/significance.hpp"

namespace disc {
namespace {

constexpr std::size_t hubs_named = 5;
constexpr std::size_t edges_named = 10;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

double sign_of(const FeatureGroup& group, std::size_t place) {
  return !group.sign.empty() && group.sign[place] < 0 ? -1.0 : 1.0;
}

// Members of either sign.
std::vector<std::vector<Index>> halves_of(const FeatureGroup& group) {
  std::vector<std::vector<Index>> halves(2);
  for (std::size_t i = 0; i < group.features.size(); ++i) {
    halves[sign_of(group, i) < 0 ? 1 : 0].push_back(group.features[i]);
  }
  return halves;
}

// Of the members with their signs: what goes against each other counts as going together.
double mean_within(const Correlations& correlations, const FeatureGroup& group) {
  const double size = static_cast<double>(group.features.size());
  double sum = 0;
  if (group.sign.empty()) {
    sum = correlations.sum_between(group.features, group.features);
  } else {
    const Matrix sums = correlations.sums_between(halves_of(group));
    sum = sums(0, 0) + sums(1, 1) - 2.0 * sums(0, 1);
  }
  return (sum - size) / (size * (size - 1));
}

// Calls f(i, r) for the features that j is compared with: all, or where there is no matrix those that it is paired with.
template <class F>
void for_each_other(const Correlations& correlations, Index j, F&& f) {
  if (!correlations.has_matrix()) {
    for (const std::int32_t i : correlations.source->pairs.row(j)) f(static_cast<Index>(i), correlations(i, j));
    return;
  }
  for (Index i = 0; i < correlations.features(); ++i) {
    if (i != j) f(i, correlations(i, j));
  }
}

// Share of the group's weight that goes to features outside.
double conductance(const Correlations& correlations, const std::vector<Index>& group, double z) {
  std::vector<bool> is_member(at(correlations.features()), false);
  for (const Index j : group) is_member[at(j)] = true;
  const double cut = z / std::sqrt(static_cast<double>(correlations.samples));
  double leaving = 0;
  double all = 0;
  for (const Index j : group) {
    for_each_other(correlations, j, [&](Index i, double r) {
      const double weight = std::max(0.0, r - cut);
      all += weight;
      if (!is_member[at(i)]) leaving += weight;
    });
  }
  return all > 0 ? leaving / all : 1.0;
}

// With the candidate of the condition that agrees best.
double best_jaccard(const std::vector<Index>& group, Index condition, const std::vector<Candidate>& candidates) {
  double best = 0;
  for (const Candidate& candidate : candidates) {
    if (candidate.condition != condition) continue;
    std::vector<Index> shared;
    std::ranges::set_intersection(group, candidate.features, std::back_inserter(shared));
    const auto either = static_cast<double>(group.size() + candidate.features.size() - shared.size());
    best = std::max(best, static_cast<double>(shared.size()) / either);
  }
  return best;
}

// How well every member goes with the rest: z score of its correlation with their sum, all with their signs.
std::vector<double> weights_of(const FeatureGroup& group, const Correlations& here) {
  const std::vector<std::vector<Index>> halves = halves_of(group);
  const GroupSums sums(here, halves);
  std::vector<double> weights;
  double variance = 0;
  for (std::size_t i = 0; i < group.features.size(); ++i) {
    const double sum = sign_of(group, i) * (sums(group.features[i], 0) - sums(group.features[i], 1));
    variance += sum;
    weights.push_back(sum - 1.0);  // without itself
  }
  const double root = std::sqrt(static_cast<double>(here.samples));
  for (double& weight : weights) weight *= root / std::sqrt(std::max(variance - 2.0 * weight - 1.0, 1e-9));
  return weights;
}

MemberCorrelations member_correlations(const FeatureGroup& group, const Correlations& correlations) {
  MemberCorrelations result{weights_of(group, correlations), correlations.samples};
  for (double& weight : result.with_rest) weight /= std::sqrt(static_cast<double>(correlations.samples));
  return result;
}

// Where the members go together: in the group's own condition, or if it was lost there in the other one where they do so least.
std::size_t home_of(const FeatureGroup& group, Index condition) {
  if (!group.is_lost()) return at(condition);
  std::size_t home = condition == 0 ? 1 : 0;
  const std::vector<Interval>& mean = group.evidence.mean_correlation;
  for (std::size_t m = 0; m < mean.size(); ++m) {
    if (m != at(condition) && mean[m].value < mean[home].value) home = m;
  }
  return home;
}

std::vector<Index> hubs_of(const FeatureGroup& group) {
  std::vector<Index> order(group.features.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](Index i) { return group.weight[at(i)]; });
  order.resize(std::min(order.size(), hubs_named));
  for (Index& place : order) place = group.features[at(place)];
  return order;
}

// The other condition's correlation that differs least from this one's, in the direction of `sign`.
double elsewhere(std::span<const Correlations> truth, Index condition, Index a, Index b, double sign) {
  double most = -1;
  for (std::size_t m = 0; m < truth.size(); ++m) {
    if (static_cast<Index>(m) != condition) most = std::max(most, sign * truth[m](a, b));
  }
  return sign * most;
}

// Pairs of members that changed most: stronger here, with the sign of the pair; of a lost group weaker.
std::vector<GainedEdge> strongest_edges(const FeatureGroup& group, std::span<const Correlations> truth,
                                        Index condition) {
  const std::vector<Index>& features = group.features;
  std::vector<std::pair<double, GainedEdge>> edges;
  for (std::size_t place = 0; place < features.size(); ++place) {
    const Index b = features[place];
    for_each_other(truth[at(condition)], b, [&](Index a, double r) {
      const auto found = std::ranges::lower_bound(features, a);
      if (a >= b || *found != a) return;
      const double of_pair = sign_of(group, place) * sign_of(group, static_cast<std::size_t>(found - features.begin()));
      const double sign = group.is_lost() ? -of_pair : of_pair;
      const double other = elsewhere(truth, condition, a, b, sign);
      edges.emplace_back(sign * (r - other), GainedEdge{a, b, r, other});
    });
  }
  const std::size_t kept = std::min(edges.size(), edges_named);
  std::ranges::partial_sort(edges, edges.begin() + static_cast<std::ptrdiff_t>(kept), std::greater<>(),
                            [](const auto& edge) { return edge.first; });
  std::vector<GainedEdge> result;
  for (std::size_t i = 0; i < kept; ++i) result.push_back(edges[i].second);
  return result;
}

// Mean and variance of every feature as measured, features x conditions.
struct Moments {
  Matrix mean, variance;
};

Moments moments_of(std::span<const Dataset> conditions, const FeatureMatch& match) {
  Moments moments;
  const Index p = static_cast<Index>(match.features.size());
  const Index rows_at_once = std::clamp<Index>((Index{1} << 22) / p, 1, 256);  // 32 MB
  moments.mean = Matrix::Zero(p, static_cast<Index>(conditions.size()));
  moments.variance = moments.mean;
  RowMatrix rows;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    const SampleMatrix& values = conditions[m].values;
    const auto column = static_cast<Index>(m);
    const auto for_each_row = [&](auto&& add) {
      for (Index first = 0; first < values.rows(); first += rows_at_once) {
        values.copy_rows(first, std::min(rows_at_once, values.rows() - first), match.columns[m], rows);
        add();
      }
    };
    for_each_row([&] { moments.mean.col(column) += rows.colwise().sum().transpose(); });
    moments.mean.col(column) /= static_cast<double>(values.rows());
    for_each_row([&] {
      const auto deviation = rows.rowwise() - moments.mean.col(column).transpose();
      moments.variance.col(column) += deviation.array().square().colwise().sum().matrix().transpose();
    });
    moments.variance.col(column) /= static_cast<double>(values.rows());
  }
  return moments;
}

void add_value_changes(const Moments& moments, Index condition, FeatureGroup& group) {
  const Index others = moments.mean.cols() - 1;
  double mean_change = 0;
  double variance_change = 0;
  for (const Index j : group.features) {
    const double mean = (moments.mean.row(j).sum() - moments.mean(j, condition)) / static_cast<double>(others);
    const double variance =
        (moments.variance.row(j).sum() - moments.variance(j, condition)) / static_cast<double>(others);
    mean_change += (moments.mean(j, condition) - mean) / std::sqrt(0.5 * (variance + moments.variance(j, condition)));
    variance_change += std::log2(moments.variance(j, condition) / variance);
  }
  const auto size = static_cast<double>(group.features.size());
  group.evidence.mean_change = mean_change / size;
  group.evidence.variance_change = variance_change / size;
}

// Units x conditions of one bootstrap: units drawn with replacement within condition and stratum.
MatrixF bootstrap(const Units& units, Index conditions, std::mt19937_64& random) {
  std::map<std::pair<Index, Index>, std::vector<Index>> cells;
  for (std::size_t u = 0; u < units.units.size(); ++u) {
    cells[{units.units[u].condition, units.units[u].stratum}].push_back(static_cast<Index>(u));
  }
  MatrixF weights = MatrixF::Zero(static_cast<Index>(units.units.size()), conditions);
  for (const auto& [place, members] : cells) {
    std::uniform_int_distribution<std::size_t> draw(0, members.size() - 1);
    for (std::size_t i = 0; i < members.size(); ++i) weights(members[draw(random)], place.first) += 1.0F;
  }
  return weights;
}

// The group answers of all conditions, in a fixed order.
std::vector<std::pair<Index, FeatureGroup*>> significant(TestResult& result) {
  std::vector<std::pair<Index, FeatureGroup*>> groups;
  for (std::size_t m = 0; m < result.conditions.size(); ++m) {
    for (FeatureGroup& group : result.conditions[m].groups) groups.emplace_back(static_cast<Index>(m), &group);
  }
  return groups;
}

Interval interval_of(double value, std::vector<double> bootstrapped) {
  Interval interval{value, value, value};
  if (bootstrapped.empty()) return interval;
  std::ranges::sort(bootstrapped);
  const auto last = static_cast<double>(bootstrapped.size() - 1);
  interval.low = std::min(value, bootstrapped[static_cast<std::size_t>(0.025 * last)]);
  interval.high = std::max(value, bootstrapped[static_cast<std::size_t>(std::ceil(0.975 * last))]);
  return interval;
}

// Bootstrapped means within every group (group x condition, one value per bootstrap) and stability.
struct Bootstrapped {
  std::vector<std::vector<std::vector<double>>> means;
  std::vector<double> stability;
};

Bootstrapped bootstrap_groups(const std::vector<std::pair<Index, FeatureGroup*>>& groups, const UnitSums& sums,
                              const Units& units, const TestOptions& options, const AnalyzeOptions& analysis,
                              Index conditions, const Context& context) {
  const Index bootstraps = *options.statistics.bootstraps;
  Bootstrapped result;
  result.means.assign(groups.size(),
                      std::vector<std::vector<double>>(at(conditions), std::vector<double>(at(bootstraps))));
  Matrix overlap = Matrix::Zero(static_cast<Index>(groups.size()), bootstraps);
  const Index batch = batch_size(sums.features(), conditions);
  const std::vector<Index> numbers = own_share(options.team.get(), bootstraps);
  const auto share = static_cast<Index>(numbers.size());
  for (Index first = 0; first < share; first += batch) {
    const Index here = std::min(batch, share - first);
    MatrixF weights(static_cast<Index>(units.units.size()), here * conditions);
    for (Index b = 0; b < here; ++b) {
      std::mt19937_64 random =
          random_stream(context.seed(), "stats/bootstrap", static_cast<std::uint64_t>(numbers[at(first + b)]));
      weights.middleCols(b * conditions, conditions) = bootstrap(units, conditions, random);
    }
    const std::vector<Correlations> correlations = sums.combine(weights, context);
    context.parallel_for(here, [&](Index b) {
      const auto own = std::span(correlations).subspan(at(b * conditions), at(conditions));
      const std::vector<Candidate> candidates = analyze(own, analysis, context);
      const Index number = numbers[at(first + b)];
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::vector<Index>& features = groups[g].second->features;
        for (Index m = 0; m < conditions; ++m) {
          result.means[g][at(m)][at(number)] = mean_within(own[at(m)], *groups[g].second);
        }
        overlap(static_cast<Index>(g), number) = best_jaccard(features, groups[g].first, candidates);
      }
    });
    context.progress("bootstraps", static_cast<double>(first + here) / static_cast<double>(share));
  }
  sum_over(options.team.get(), {overlap.data(), at(overlap.size())});
  for (auto& of_group : result.means) {
    for (std::vector<double>& means : of_group) sum_over(options.team.get(), means);
  }
  for (Index g = 0; g < overlap.rows(); ++g) result.stability.push_back(bootstraps > 0 ? overlap.row(g).mean() : 0.0);
  return result;
}

}  // namespace

void add_evidence(std::span<const Dataset> conditions, const FeatureMatch& match, const UnitSums& sums,
                  const Units& units, const TestOptions& options, const AnalyzeOptions& analysis, TestResult& result,
                  const Context& context) {
  const auto groups = significant(result);
  if (groups.empty()) return;
  const auto count = static_cast<Index>(conditions.size());
  MatrixF truth_weights = MatrixF::Zero(static_cast<Index>(units.units.size()), count);
  for (std::size_t u = 0; u < units.units.size(); ++u) {
    truth_weights(static_cast<Index>(u), units.units[u].condition) = 1.0F;
  }
  const std::vector<Correlations> truth = sums.combine(truth_weights, context);
  const Moments moments = moments_of(conditions, match);
  const Bootstrapped bootstrapped = bootstrap_groups(groups, sums, units, options, analysis, count, context);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto [condition, group] = groups[g];
    GroupEvidence& evidence = group->evidence;
    const std::vector<Index>& features = group->features;
    for (std::size_t m = 0; m < conditions.size(); ++m) {
      evidence.mean_correlation.push_back(interval_of(mean_within(truth[m], *group), bootstrapped.means[g][m]));
      evidence.conductance.push_back(conductance(truth[m], features, options.graph.association_z));
    }
    evidence.stability = bootstrapped.stability[g];
    add_value_changes(moments, condition, *group);
    group->weight = weights_of(*group, truth[home_of(*group, condition)]);
    evidence.hubs = hubs_of(*group);
    evidence.edges = strongest_edges(*group, truth, condition);
    if (group->view.kind != ViewKind::separation) {
      std::vector<MemberCorrelations> members;
      for (const Correlations& of_condition : truth) members.push_back(member_correlations(*group, of_condition));
      evidence.core = core_of(*group, members, condition);
    }
  }
}

}  // namespace disc
