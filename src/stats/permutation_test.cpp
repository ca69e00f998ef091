// p-values by permutation, corrected for everything that was looked at. method (16), (25)
#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <optional>

#include "matrix/checkpoint.hpp"
#include "stats/batches.hpp"
#include "stats/policy.hpp"
#include "stats/projection.hpp"
#include "stats/significance.hpp"
#include "stats/step_down.hpp"
#include "stats/wholes.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Candidates as numbers: to keep them, and to hand them to other processes.
std::vector<double> packed(const std::vector<Candidate>& candidates) {
  std::vector<double> numbers;
  for (const Candidate& candidate : candidates) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(candidate.condition), static_cast<double>(candidate.view), candidate.statistic,
                    static_cast<double>(candidate.features.size()), static_cast<double>(candidate.sign.size())});
    numbers.insert(numbers.end(), candidate.features.begin(), candidate.features.end());
    numbers.insert(numbers.end(), candidate.sign.begin(), candidate.sign.end());
  }
  return numbers;
}

std::vector<Candidate> unpacked(std::span<const double> numbers) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i + 5 <= numbers.size();) {
    Candidate candidate{static_cast<Index>(numbers[i]), static_cast<Index>(numbers[i + 1]), numbers[i + 2], {}, {}};
    const auto features = static_cast<std::size_t>(numbers[i + 3]);
    const auto signs = static_cast<std::size_t>(numbers[i + 4]);
    i += 5;
    for (std::size_t k = 0; k < features; ++k) candidate.features.push_back(static_cast<Index>(numbers[i + k]));
    i += features;
    for (std::size_t k = 0; k < signs; ++k) candidate.sign.push_back(static_cast<std::int8_t>(numbers[i + k]));
    i += signs;
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

// Appends the labellings of all processes of the team: then there are `total`.
void collect(std::vector<std::vector<Candidate>> own, std::span<const Index> numbers, Index total, Labellings& all,
             const Team* team) {
  const auto before = static_cast<Index>(all.size());
  all.resize(at(total));
  if (processes(team) == 1) {
    for (std::size_t b = 0; b < own.size(); ++b) all[at(numbers[b])] = std::move(own[b]);
    return;
  }
  std::vector<std::vector<double>> mine(at(total - before));
  for (std::size_t b = 0; b < own.size(); ++b) mine[at(numbers[b] - before)] = packed(own[b]);
  std::vector<double> sizes;
  for (const auto& numbers_of_one : mine) sizes.push_back(static_cast<double>(numbers_of_one.size()));
  sum_over(team, sizes);
  for (std::size_t b = 0; b < mine.size(); ++b) {
    mine[b].resize(static_cast<std::size_t>(sizes[b]), 0.0);
    sum_over(team, mine[b]);
    all[at(before) + b] = unpacked(mine[b]);
  }
}

// All fields by name: one that is added to the options does not compile here until it counts.
void add_options(Fingerprint& print, const AnalyzeOptions& options) {
  const auto& [association_z, min_group_size, is_target, views, start] = options;
  print.add(association_z).add(min_group_size).add(start);
  for (const bool target : is_target) print.add(target);
  for (const auto& [kind, directions] : views) print.add(kind).add(directions);
}

// What the permutations so far showed, kept now and then. The truth, the first labels and the options tell one test from another.
class Checkpointed {
 public:
  Checkpointed(const std::vector<Candidate>& truth, const MatrixF& labels, Index permutations,
               const AnalyzeOptions& options, Checkpoints* checkpoints, const Context& context)
      : checkpoints_(checkpoints) {
    if (checkpoints == nullptr) return;
    Fingerprint print("permutations");
    print.add(permutations).add(context.seed()).add(labels);
    add_options(print, options);
    const std::vector<double> numbers = packed(truth);
    print.add(Vector(Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()))));
    name_ = print.name();
  }
  void find(Labellings& all) const {
    if (name_.empty()) return;
    const auto bytes = checkpoints_->find(name_);
    if (!bytes) return;
    Unpacker unpack(*bytes);
    std::uint64_t count = 0;
    unpack(count);
    all.clear();
    for (std::uint64_t b = 0; b < count; ++b) {
      std::vector<double> numbers;
      unpack(numbers);
      all.push_back(unpacked(numbers));
    }
  }
  void keep(const Labellings& all) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - last_;
    if (name_.empty() || passed.count() < checkpoints_->checkpoint_after()) return;
    Packer pack;
    auto count = static_cast<std::uint64_t>(all.size());
    pack(count);
    for (const auto& candidates : all) {
      std::vector<double> numbers = packed(candidates);
      pack(numbers);
    }
    checkpoints_->keep(name_, pack.bytes());
    last_ = std::chrono::steady_clock::now();
  }

 private:
  Checkpoints* checkpoints_;
  std::string name_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

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

// All labellings, analyzed: in rounds, each divided among the processes of the team.
class PermutationRun {
 public:
  PermutationRun(const UnitSums& sums, const Permutations& permutations, const TestOptions& options,
                 const AnalyzeOptions& analysis, Index conditions, const Context& context)
      : sums_(sums),
        permutations_(permutations),
        options_(options),
        analysis_(analysis),
        conditions_(conditions),
        context_(context) {}

  /// The truth and `count` permutations. `kept`: the features that are left, ascending; empty: all. What is found is numbered among
  /// all. `before`: what fewer permutations gave.
  Labellings run(const std::vector<Index>& kept, Index count, bool& stopped_early, Labellings before = {}) const {
    const Team* const team = options_.team.get();
    Checkpoints* const checkpoints = team != nullptr ? options_.checkpoints.get() : context_.checkpoints();
    // Every process of a team goes on from the truth and must have it to the same bit: each computes it by itself.
    Labellings all = before.empty() ? analyze_all({0}, kept) : std::move(before);
    const auto views = static_cast<Index>(analysis_.views.size());
    Checkpointed checkpointed(all[0],
                              permutations_.weights(0, std::min<Index>(8, permutations_.size() + 1), conditions_),
                              count, analysis_, checkpoints, context_);
    checkpointed.find(all);
    // What was kept may have been kept just before it was clear enough.
    stopped_early = can_stop(all, 1, count, views);
    const Index round = policy::permutations_between_looks * processes(team);
    while (!stopped_early && static_cast<Index>(all.size()) <= count) {
      const auto first = static_cast<Index>(all.size());
      const Index here = std::min(round, count + 1 - first);
      std::vector<Index> numbers;  // that fall to this process
      for (const Index b : own_share(team, here)) numbers.push_back(first + b);
      collect(analyze_all(numbers, kept), numbers, first + here, all, team);
      checkpointed.keep(all);
      context_.progress("permutations", static_cast<double>(all.size() - 1) / static_cast<double>(count));
      stopped_early = can_stop(all, first, count, views);
    }
    return all;
  }

 private:
  // All there are make an exact test, and are few.
  bool can_stop(Labellings& all, Index first, Index count, Index views) const {
    const bool has_news = static_cast<Index>(all.size()) > first;
    return has_news && !permutations_.are_all() && stop_where_hopeless(all, first, count, views);
  }

  std::vector<Candidate> analyze_part(std::span<const Correlations> conditions, const std::vector<Index>& kept) const {
    if (kept.empty()) return analyze(conditions, analysis_, context_);
    std::vector<Correlations> part;
    for (const Correlations& condition : conditions) part.push_back(condition.among(kept));
    AnalyzeOptions options = analysis_;
    options.start = analysis_.start(kept, Eigen::all);
    std::vector<Candidate> candidates = analyze(part, options, context_);
    for (Candidate& candidate : candidates) {
      for (Index& feature : candidate.features) feature = kept[at(feature)];
    }
    return candidates;
  }

  Labellings analyze_all(const std::vector<Index>& numbers, const std::vector<Index>& kept) const {
    Labellings result(numbers.size());
    const Index batch = batch_size(sums_.features(), conditions_);
    for (std::size_t first = 0; first < numbers.size(); first += at(batch)) {
      const std::size_t count = std::min(at(batch), numbers.size() - first);
      const std::vector<Correlations> correlations =
          sums_.combine(permutations_.weights(std::span(numbers).subspan(first, count), conditions_), context_);
      context_.parallel_for(static_cast<Index>(count), [&](Index b) {
        const auto own = std::span(correlations).subspan(at(b * conditions_), at(conditions_));
        result[first + at(b)] = analyze_part(own, kept);
      });
    }
    return result;
  }

  const UnitSums& sums_;
  const Permutations& permutations_;
  const TestOptions& options_;
  const AnalyzeOptions& analysis_;
  Index conditions_;
  const Context& context_;
};

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
  std::vector<TestedCandidate> answers, parts, others;
  for (TestedCandidate& one : tested) {
    if (one.parent < 0 && one.p <= level) p = std::max(p, one.p);
    (one.parent >= 0 ? parts : one.p <= level ? answers : others).push_back(std::move(one));
  }
  const auto before = static_cast<Index>(answers.size());
  for (TestedCandidate& one : found) {
    if (one.parent >= 0) {
      one.parent += before;
      parts.push_back(std::move(one));
    } else if (std::max(one.p, p) <= level) {
      one.p = std::max(one.p, p);
      answers.push_back(std::move(one));
    }
  }
  tested = std::move(answers);
  std::ranges::move(others, std::back_inserter(tested));
  std::ranges::move(parts, std::back_inserter(tested));
}

// Step by step without the features of the groups found before. method (25)
void go_on(const PermutationRun& run, Index permutations, Index views, Index features, double level,
           const Judgement& judgement, std::vector<TestedCandidate>& tested) {
  for (Index step = 1; step < policy::max_steps; ++step) {
    const std::vector<Index> left = features_left(tested, features, level);
    const auto count = static_cast<Index>(left.size());
    if (count == features || count < policy::min_features_of_step) return;
    bool stopped_early = false;
    std::vector<TestedCandidate> found =
        step_down(run.run(left, permutations, stopped_early), views, features, level, judgement);
    const bool is_more = !found.empty() && found.front().p <= level;
    append(std::move(found), level, tested);
    if (!is_more) return;
  }
}

FeatureGroup group_of(const TestedCandidate& tested, const AnalyzeOptions& analysis) {
  FeatureGroup group;
  group.features = tested.candidate.features;
  group.sign = tested.candidate.sign;
  group.view = analysis.views[at(tested.candidate.view)];
  group.statistic = tested.candidate.statistic;
  const bool is_apart = group.view.kind == ViewKind::separation;
  group.strength = is_apart ? 0.0 : group.statistic;
  group.separation = is_apart ? group.statistic : 0.0;
  group.score = tested.score;
  group.p = tested.p;
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

TestResult permute_and_test(const UnitSums& sums, const Units& units, const TestOptions& options,
                            const AnalyzeOptions& analysis, Index conditions, const Context& context) {
  const Index wanted = *options.statistics.permutations;
  const Permutations permutations(units, wanted == 0 ? 0 : std::max(wanted, options.statistics.max_permutations),
                                  context);
  TestResult result;
  result.conditions.resize(at(conditions));
  Statistics& statistics = result.statistics;
  const PermutationRun run(sums, permutations, options, analysis, conditions, context);
  const double level = options.statistics.level;
  const auto views = static_cast<Index>(analysis.views.size());
  const Index at_first = permutations.are_all() ? permutations.size() : std::min(wanted, permutations.size());
  Labellings all = run.run({}, at_first, statistics.stopped_early);
  // A p-value at the floor may be smaller: only then are more permutations worth their time. The test stays valid, for what it says
  // after all of them is a part of what it says after the first ones (Besag & Clifford 1991).
  if (at_first > 0 && at_first < permutations.size() && nothing_is_as_good(all, views)) {
    all = run.run({}, permutations.size(), statistics.stopped_early, std::move(all));
  }
  const std::vector<Correlations> truth = sums.combine(permutations.weights(0, 1, conditions), context);
  const Judgement judgement = judgement_of(truth, analysis, context);
  std::vector<TestedCandidate> tested = step_down(all, views, sums.features(), level, judgement);
  statistics.permutations = static_cast<Index>(all.size()) - 1;
  const bool is_tested = statistics.permutations > 0;
  if (is_tested && sums.has_matrices())
    go_on(run, statistics.permutations, views, sums.features(), level, judgement, tested);
  statistics.all_permutations = permutations.are_all();
  statistics.units = static_cast<Index>(units.units.size());
  statistics.features_tested = sums.features();
  statistics.units_named = units.named;
  statistics.samples_are_units = units.samples_are_units;
  statistics.views = analysis.views;
  // Among all permutations are those that only exchange the names of the conditions and show the same maxima.
  const bool all_are_targets = std::ranges::find(options.is_target, false) == options.is_target.end();
  const bool has_mirrors = permutations.are_all() && all_are_targets && conditions <= 6;
  statistics.min_p = static_cast<double>(has_mirrors ? permutations.mirror_images(conditions) : 1) /
                     static_cast<double>(statistics.permutations + 1);
  divide(tested, analysis, level, is_tested, result.conditions);
  return result;
}

}  // namespace disc
