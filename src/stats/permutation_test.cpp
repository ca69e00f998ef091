#include "stats/permutation_test.hpp"

#include <algorithm>
#include <iterator>

#include "stats/batches.hpp"
#include "stats/kept_labellings.hpp"
#include "stats/pareto_tail.hpp"
#include "stats/policy.hpp"
#include "stats/projection.hpp"
#include "stats/significance.hpp"
#include "stats/wholes.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Looks after every batch, as if they had come one after the other: the answer does not depend on how many come at once.
bool stop_where_hopeless(Labellings& all, Index first, Index permutations, Index views) {
  const auto total = static_cast<Index>(all.size());
  for (Index end = std::min(first + policy::permutations_between_looks, total); end - 1 < permutations;
       end = std::min(end + policy::permutations_between_looks, total)) {
    if (is_hopeless(std::span(all).first(at(end)), views)) {
      all.resize(at(end));
      return true;
    }
    if (end == total) break;
  }
  return false;
}

// Features in none of the groups found.
std::vector<Index> features_left(const std::vector<TestedCandidate>& tested, Index features, double level) {
  std::vector<bool> is_found(at(features), false);
  for (const TestedCandidate& one : tested) {
    if (one.p > level || one.parent >= 0) continue;
    for (const Index j : one.candidate.features) is_found[at(j)] = true;
  }
  std::vector<Index> left;
  for (Index j = 0; j < features; ++j) {
    if (!is_found[at(j)]) left.push_back(j);
  }
  return left;
}

// Adds what a step found: its groups come after those of earlier steps, with p that may only grow, and its parts last.
void append(std::vector<TestedCandidate> found, double level, std::vector<TestedCandidate>& tested) {
  double p = 0;
  double p_tail = 0;
  std::vector<TestedCandidate> answers, parts, others;
  for (TestedCandidate& one : tested) {
    if (one.parent < 0 && one.p <= level) {
      p = std::max(p, one.p);
      p_tail = std::max(p_tail, one.p_tail.value_or(one.p));
    }
    (one.parent >= 0 ? parts : one.p <= level ? answers : others).push_back(std::move(one));
  }
  const auto before = static_cast<Index>(answers.size());
  for (TestedCandidate& one : found) {
    if (one.parent >= 0) {
      one.parent += before;
      parts.push_back(std::move(one));
    } else if (std::max(one.p, p) <= level) {
      one.p = std::max(one.p, p);
      if (one.p_tail) one.p_tail = std::max(*one.p_tail, p_tail);
      answers.push_back(std::move(one));
    }
  }
  tested = std::move(answers);
  std::ranges::move(others, std::back_inserter(tested));
  std::ranges::move(parts, std::back_inserter(tested));
}

// What no permutation equals gets a p-value from the tail of their scores, never above the one that was counted, and for answers
// monotone as that is. `best`: the truth's first.
void extrapolate(const std::vector<double>& best, std::vector<TestedCandidate>& tested) {
  const std::vector<double> by_chance(best.begin() + 1, best.end());
  const double floor = 1.0 / static_cast<double>(best.size());
  double before = 0;
  for (TestedCandidate& one : tested) {
    if (one.p > floor * (1.0 + policy::tie_tolerance)) continue;
    one.p_tail = pareto_tail(by_chance, one.score);
    if (!one.p_tail) continue;
    one.p_tail = std::min(one.p, *one.p_tail);
    if (one.parent >= 0) continue;
    before = std::max(before, *one.p_tail);
    one.p_tail = before;
  }
}

// How far the adaptive rule may go; without permutations there is nothing to go on from.
Index most_permutations(const StatisticsOptions& options) {
  const Index wanted = *options.permutations;
  return wanted == 0 ? 0 : std::max(wanted, options.max_permutations);
}

FeatureGroup group_of(const TestedCandidate& tested, const AnalyzeOptions& analysis) {
  FeatureGroup group;
  group.features = tested.candidate.features;
  group.sign = tested.candidate.sign;
  group.view = analysis.views[at(tested.candidate.view)];
  group.statistic = tested.candidate.statistic;
  group.score = tested.score;
  group.p = tested.p;
  group.p_tail = tested.p_tail;
  group.q = tested.q;
  return group;
}

// The answers of every condition, each followed by its parts, and what was no answer.
void divide(const std::vector<TestedCandidate>& tested, const AnalyzeOptions& analysis, double level, bool is_tested,
            std::vector<TestedCondition>& conditions) {
  for (std::size_t i = 0; i < tested.size() && tested[i].parent < 0; ++i) {
    TestedCondition& condition = conditions[at(tested[i].candidate.condition)];
    const bool is_answer =
        is_tested ? tested[i].p <= level : tested[i].candidate.statistic > policy::clear_without_permutations;
    if (!is_answer) {
      condition.candidates.push_back(group_of(tested[i], analysis));
      continue;
    }
    const auto place = static_cast<Index>(condition.groups.size());
    condition.groups.push_back(group_of(tested[i], analysis));
    for (const TestedCandidate& other : tested) {
      if (other.parent != static_cast<Index>(i)) continue;
      condition.groups.push_back(group_of(other, analysis));
      condition.groups.back().parent = place;
    }
  }
}

}  // namespace

AnalyzeOptions analyze_options(const UnitSums& sums, const Units& units, const TestOptions& options, Index conditions,
                               const Context& context) {
  AnalyzeOptions result;
  result.association_z = options.graph.association_z;
  result.min_group_size = options.min_group_size;
  result.is_target = options.is_target;
  const MatrixF all = MatrixF::Ones(static_cast<Index>(units.units.size()), 1);
  const std::vector<Correlations> together = sums.combine(all, context);
  // Half of all samples stands for a condition of average size: the views must not depend on the labels.
  const Index samples = together[0].samples / conditions;
  result.views = views_for(sums.features(), samples, conditions, sums.has_matrices());
  if (!sums.has_matrices()) return result;
  const Index count = policy::projected_directions.back() + policy::spare_directions;
  const MatrixF random = random_directions(sums.features(), std::min(count, sums.features()), context.seed());
  result.start = leading_directions(together[0].values, random, policy::steps_at_first).vectors;
  return result;
}

PermutationTest::PermutationTest(const UnitSums& sums, const Units& units, const TestOptions& options,
                                 const AnalyzeOptions& analysis, Index conditions, const Context& context)
    : sums_(sums),
      units_(units),
      options_(options),
      analysis_(analysis),
      conditions_(conditions),
      context_(context),
      permutations_(units, most_permutations(options.statistics), context) {}

void PermutationTest::analyze_truth() { all_ = analyze_all({0}, {}); }

TestResult PermutationTest::permute() {
  if (all_.empty()) analyze_truth();
  go_through_adaptively();
  const std::vector<Correlations> truth =
      sums_.combine_labellings(permutations_.weights(0, 1, conditions_), conditions_, context_);
  const Judgement judgement = judgement_of(truth, analysis_, context_);
  std::vector<TestedCandidate> tested = judge(all_, judgement);
  TestResult result;
  result.conditions.resize(at(conditions_));
  result.statistics = statistics();
  const bool is_tested = result.statistics.permutations > 0;
  if (is_tested && sums_.has_matrices()) go_on(judgement, tested);
  divide(tested, analysis_, options_.statistics.level, is_tested, result.conditions);
  return result;
}

// The candidates of one labelling, by the one function that makes them. `kept`: the features that are left, ascending, which the
// correlations are of; empty: all. What is found is numbered among all.
std::vector<Candidate> PermutationTest::analyze_part(std::span<const Correlations> conditions,
                                                     const std::vector<Index>& kept) const {
  if (kept.empty()) return analyze(conditions, analysis_, context_);
  AnalyzeOptions options = analysis_;
  options.start = analysis_.start(kept, Eigen::all);
  std::vector<Candidate> candidates = analyze(conditions, options, context_);
  for (Candidate& candidate : candidates) {
    for (Index& feature : candidate.features) feature = kept[at(feature)];
  }
  return candidates;
}

Labellings PermutationTest::analyze_all(const std::vector<Index>& numbers, const std::vector<Index>& kept) const {
  Labellings result(numbers.size());
  const Index batch = batch_size(sums_.features(), conditions_);
  for (std::size_t first = 0; first < numbers.size(); first += at(batch)) {
    const std::size_t count = std::min(at(batch), numbers.size() - first);
    const std::vector<Correlations> correlations = sums_.combine_labellings(
        permutations_.weights(std::span(numbers).subspan(first, count), conditions_), conditions_, context_, kept);
    context_.parallel_for(static_cast<Index>(count), [&](Index b) {
      const auto own = std::span(correlations).subspan(at(b * conditions_), at(conditions_));
      result[first + at(b)] = analyze_part(own, kept);
    });
  }
  return result;
}

// All there are make an exact test, and are few.
bool PermutationTest::can_stop(Labellings& all, Index first, Index count) {
  const bool has_news = static_cast<Index>(all.size()) > first;
  const auto views = static_cast<Index>(analysis_.views.size());
  return has_news && !permutations_.are_all() && stop_where_hopeless(all, first, count, views);
}

// Up to `count` permutations beside the truth, in rounds, each divided among the processes of the team. `all`: what there is already.
void PermutationTest::go_through(Labellings& all, const std::vector<Index>& kept, Index count) {
  const Team* const team = options_.team.get();
  Checkpoints* const checkpoints = team != nullptr ? options_.checkpoints.get() : context_.checkpoints();
  KeptLabellings known(all[0], permutations_.weights(0, std::min<Index>(8, permutations_.size() + 1), conditions_),
                       count, analysis_, checkpoints, context_);
  known.find(all);
  // What was kept may have been kept just before it was clear enough.
  stopped_early_ = can_stop(all, 1, count);
  const Index round = policy::permutations_between_looks * processes(team);
  while (!stopped_early_ && static_cast<Index>(all.size()) <= count) {
    const auto first = static_cast<Index>(all.size());
    const Index here = std::min(round, count + 1 - first);
    std::vector<Index> numbers;  // that fall to this process
    for (const Index b : own_share(team, here)) numbers.push_back(first + b);
    collect(analyze_all(numbers, kept), numbers, first + here, all, team);
    known.keep(all);
    context_.progress("permutations", static_cast<double>(all.size() - 1) / static_cast<double>(count));
    stopped_early_ = can_stop(all, first, count);
  }
}

// A p-value at the floor may be smaller: only then are more permutations worth their time. The test stays valid, for what it says
// after all of them is a part of what it says after the first ones (Besag & Clifford 1991).
void PermutationTest::go_through_adaptively() {
  const Index wanted = *options_.statistics.permutations;
  const Index at_first = permutations_.are_all() ? permutations_.size() : std::min(wanted, permutations_.size());
  go_through(all_, {}, at_first);
  const bool goes_on = at_first > 0 && at_first < permutations_.size();
  if (goes_on && nothing_is_as_good(all_, static_cast<Index>(analysis_.views.size())))
    go_through(all_, {}, permutations_.size());
}

std::vector<TestedCandidate> PermutationTest::judge(const Labellings& all, const Judgement& judgement) const {
  const auto views = static_cast<Index>(analysis_.views.size());
  std::vector<TestedCandidate> tested = step_down(all, views, sums_.features(), options_.statistics.level, judgement);
  // All permutations leave nothing to extrapolate to.
  if (options_.statistics.tail == Tail::pareto && !permutations_.are_all())
    extrapolate(best_scores(all, views, sums_.features()), tested);
  return tested;
}

// Step by step without the features of the groups found before. method (25)
void PermutationTest::go_on(const Judgement& judgement, std::vector<TestedCandidate>& tested) {
  const double level = options_.statistics.level;
  const bool stopped_early = stopped_early_;
  for (Index step = 1; step < policy::max_steps; ++step) {
    const std::vector<Index> left = features_left(tested, sums_.features(), level);
    const auto count = static_cast<Index>(left.size());
    if (count == sums_.features() || count < policy::min_features_of_step) break;
    // Every process of a team goes on from the truth and must have it to the same bit: each computes it by itself.
    Labellings of_rest = analyze_all({0}, left);
    go_through(of_rest, left, static_cast<Index>(all_.size()) - 1);
    std::vector<TestedCandidate> found = judge(of_rest, judgement);
    const bool is_more = !found.empty() && found.front().p <= level;
    append(std::move(found), level, tested);
    if (!is_more) break;
  }
  stopped_early_ = stopped_early;
}

Statistics PermutationTest::statistics() const {
  Statistics statistics;
  statistics.permutations = static_cast<Index>(all_.size()) - 1;
  statistics.stopped_early = stopped_early_;
  statistics.exact = permutations_.are_all();
  statistics.units = static_cast<Index>(units_.units.size());
  statistics.n_features_tested = sums_.features();
  statistics.units_in_design = units_.named;
  statistics.samples_are_units = units_.samples_are_units;
  statistics.views = analysis_.views;
  // Among all permutations are those that only exchange the names of the conditions and show the same maxima.
  const bool all_are_targets = std::ranges::find(options_.is_target, false) == options_.is_target.end();
  const bool has_mirrors = permutations_.are_all() && all_are_targets && conditions_ <= 6;
  statistics.min_p = static_cast<double>(has_mirrors ? permutations_.mirror_images(conditions_) : 1) /
                     static_cast<double>(statistics.permutations + 1);
  return statistics;
}

}  // namespace disc
