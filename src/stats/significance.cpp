// p-values by permutation, corrected for everything that was looked at. method (16)
#include "stats/significance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "matrix/checkpoint.hpp"
#include "stats/batches.hpp"
#include "stats/false_discovery.hpp"
#include "stats/labelling.hpp"

namespace disc {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();  // no group at all
constexpr double no_group_in_a_sum = -1e300;  // the same where values are added over processes: infinities would spread
constexpr Index clear_after = 10;             // exceedances of the best statistic: then nothing will become significant

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// What one labelling shows at most.
struct Extremes {
  Vector sigma;  // per condition, the first
  double group = nothing;
};

template <class F>
void visit_parts(std::vector<Extremes>& all, F& part) {
  auto count = static_cast<std::uint64_t>(all.size());
  part(count);
  all.resize(count);
  for (Extremes& extremes : all) {
    part(extremes.sigma);
    part(extremes.group);
  }
}

Extremes extremes_of(const Labelling& labelling) {
  Extremes result;
  result.sigma = Vector::Zero(static_cast<Index>(labelling.sigma.size()));
  for (std::size_t m = 0; m < labelling.sigma.size(); ++m) {
    if (labelling.sigma[m].size() > 0) result.sigma[static_cast<Index>(m)] = labelling.sigma[m][0];
    for (const GroupContrast& contrast : labelling.contrasts[m]) {
      result.group = std::max(result.group, contrast.statistic());
    }
  }
  return result;
}

// sigma of different conditions on one scale: by mean and spread over all labellings.
struct SigmaScale {
  Vector mean, spread;
  double operator()(double sigma, Index condition) const { return (sigma - mean[condition]) / spread[condition]; }
  double largest(const Vector& sigma) const {
    double result = nothing;
    for (Index m = 0; m < sigma.size(); ++m) {
      if (mean[m] > 0) result = std::max(result, (*this)(sigma[m], m));
    }
    return result;
  }
};

SigmaScale scale_of(const std::vector<Extremes>& all) {
  const Index conditions = all.front().sigma.size();
  Matrix sigma(static_cast<Index>(all.size()), conditions);
  for (std::size_t b = 0; b < all.size(); ++b) sigma.row(static_cast<Index>(b)) = all[b].sigma.transpose();
  SigmaScale scale;
  scale.mean = sigma.colwise().mean().transpose();
  scale.spread = ((sigma.rowwise() - scale.mean.transpose()).array().square().colwise().mean().sqrt() + 1e-12).matrix();
  return scale;
}

// Share of labellings, the true one included, whose extreme is at least `value`. `extremes` is sorted.
double share_at_least(const std::vector<double>& extremes, double value) {
  const auto first = std::lower_bound(extremes.begin(), extremes.end(), value);
  return static_cast<double>(extremes.end() - first) / static_cast<double>(extremes.size());
}

std::vector<double> sorted(std::vector<double> values) {
  std::ranges::sort(values);
  return values;
}

// Westfall & Young: the p-value of one thing among several kinds is the share of labellings in which the best of all
// kinds looks as good.
class JointTest {
 public:
  explicit JointTest(const std::vector<Extremes>& all) : scale_(scale_of(all)) {
    std::vector<double> sigma;
    std::vector<double> group;
    for (const Extremes& extremes : all) {
      sigma.push_back(scale_.largest(extremes.sigma));
      group.push_back(extremes.group);
    }
    for (std::size_t b = 0; b < all.size(); ++b) best_.push_back(0);
    sigma_ = sorted(sigma);
    group_ = sorted(group);
    for (std::size_t b = 0; b < all.size(); ++b) {
      best_[b] = std::min(share_at_least(sigma_, sigma[b]), share_at_least(group_, group[b]));
    }
    std::ranges::sort(best_);
  }
  double sigma(double value, Index condition) const {
    return joint(share_at_least(sigma_, std::min(scale_(value, condition), sigma_.back())));
  }
  double group(double value) const { return joint(share_at_least(group_, value)); }

 private:
  double joint(double share) const {
    const auto last = std::upper_bound(best_.begin(), best_.end(), share * (1 + 1e-12));
    return std::max(share, static_cast<double>(last - best_.begin()) / static_cast<double>(best_.size()));
  }
  SigmaScale scale_;
  std::vector<double> sigma_, group_, best_;
};

// Nothing is or can become significant any more (Besag & Clifford 1991).
bool is_clear(const std::vector<Extremes>& all) {
  const SigmaScale scale = scale_of(all);
  const double sigma = scale.largest(all.front().sigma);
  Index above_sigma = 0;
  Index above_group = 0;
  for (std::size_t b = 1; b < all.size(); ++b) {
    above_sigma += scale.largest(all[b].sigma) >= sigma ? 1 : 0;
    above_group += all[b].group >= all.front().group ? 1 : 0;
  }
  return std::min(above_sigma, above_group) >= clear_after;
}

// Appends the extremes of all processes of the team: then there are `total`.
void collect(const std::vector<Extremes>& own, std::span<const Index> numbers, Index total, Index conditions,
             std::vector<Extremes>& all, const Team* team) {
  const auto before = static_cast<Index>(all.size());
  Matrix table = Matrix::Zero(conditions + 1, total - before);
  for (std::size_t b = 0; b < own.size(); ++b) {
    table.col(numbers[b] - before) << own[b].sigma, std::isfinite(own[b].group) ? own[b].group : no_group_in_a_sum;
  }
  sum_over(team, {table.data(), at(table.size())});
  all.resize(at(total));
  for (Index b = 0; b < table.cols(); ++b) {
    const double group = table(conditions, b);
    all[at(before + b)] = {table.col(b).head(conditions), group > no_group_in_a_sum ? group : nothing};
  }
}

// Looks after every batch, as if they had come one after the other: the answer does not depend on how many come at once.
bool stop_where_clear(std::vector<Extremes>& all, Index first, Index batch, Index permutations) {
  const auto total = static_cast<Index>(all.size());
  for (Index end = std::min(first + batch, total); end - 1 < permutations; end = std::min(end + batch, total)) {
    std::vector<Extremes> so_far(all.begin(), all.begin() + end);
    if (is_clear(so_far)) {
      all = std::move(so_far);
      return true;
    }
    if (end == total) break;
  }
  return false;
}

void adjust_q(Statistics& statistics) {
  std::vector<std::pair<double, double*>> tests;
  for (ConditionStatistics& condition : statistics.conditions) {
    condition.vector_q = condition.vector_p;
    for (Index i = 0; i < condition.vector_p.size(); ++i)
      tests.emplace_back(condition.vector_p[i], &condition.vector_q[i]);
    for (TestedGroup& group : condition.groups) tests.emplace_back(group.p, &group.q);
  }
  adjust_for_all(std::move(tests));
}

// What chance makes of the first sigma of a condition: median and central 95 % over the permutations.
Interval chance_sigma(const std::vector<Extremes>& all, Index condition) {
  std::vector<double> sigma;
  for (std::size_t b = 1; b < all.size(); ++b) sigma.push_back(all[b].sigma[condition]);
  if (sigma.empty()) return {};
  std::ranges::sort(sigma);
  const auto quantile = [&](double share) {
    return sigma[static_cast<std::size_t>(std::lround(share * static_cast<double>(sigma.size() - 1)))];
  };
  return {quantile(0.5), quantile(0.025), quantile(0.975)};
}

// What the permutations so far showed, kept now and then. The truth and the first labels tell one test from another.
class KeptExtremes {
 public:
  KeptExtremes(std::span<const Extremes> first, const MatrixF& labels, Index permutations, Checkpoints* checkpoints,
               const Context& context)
      : checkpoints_(checkpoints) {
    if (checkpoints == nullptr) return;
    Fingerprint print("permutations");
    print.add(permutations).add(context.seed()).add(labels);
    for (const Extremes& extremes : first) print.add(extremes.sigma).add(extremes.group);
    name_ = print.name();
  }
  void find(std::vector<Extremes>& all) const {
    if (name_.empty()) return;
    if (const auto bytes = checkpoints_->find(name_)) {
      Unpacker unpack(*bytes);
      visit_parts(all, unpack);
    }
  }
  void keep(std::vector<Extremes>& all) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - last_;
    if (name_.empty() || passed.count() < checkpoints_->checkpoint_after()) return;
    Packer pack;
    visit_parts(all, pack);
    checkpoints_->keep(name_, pack.bytes());
    last_ = std::chrono::steady_clock::now();
  }

 private:
  Checkpoints* checkpoints_;
  std::string name_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

TestedGroup tested(const GroupContrast& contrast, const Communities& communities) {
  TestedGroup group;
  group.contrast = contrast;
  group.membership = communities.membership(contrast.features);
  return group;
}

}  // namespace

Statistics permute_and_test(const UnitSums& sums, const Units& units, const TestOptions& options,
                            const Context& context) {
  const Permutations permutations(units, *options.statistics.permutations, context);
  const Index conditions = static_cast<Index>(options.noise_thresholds.size());
  const Index count = static_cast<Index>(units.units.size());
  const Index batch = batch_size(sums.features(), conditions);
  TestOptions permuted = options;
  permuted.vectors = std::min<Index>(options.vectors, 1);
  const Team* const team = options.team.get();
  Checkpoints* const checkpoints = team != nullptr ? options.checkpoints.get() : context.checkpoints();

  Statistics result;
  Labelling truth;
  std::vector<Extremes> all(1);
  const auto analyse = [&](const std::vector<Index>& numbers) {
    if (numbers.empty()) return std::vector<Extremes>();
    const std::vector<Correlations> correlations = sums.combine(permutations.weights(numbers, conditions), context);
    std::vector<Extremes> extremes(numbers.size());
    context.parallel_for(static_cast<Index>(numbers.size()), [&](Index b) {
      const std::span<const Correlations> own = std::span(correlations).subspan(at(b * conditions), at(conditions));
      const bool is_truth = numbers[at(b)] == 0;
      Labelling one = analyse_labelling(own, is_truth ? options : permuted, context);
      extremes[at(b)] = extremes_of(one);
      if (is_truth) truth = std::move(one);
    });
    return extremes;
  };
  // Every process of a team goes on from the truth and must have it to the same bit: each computes it by itself.
  const std::vector<Extremes> of_truth = processes(team) > 1 ? analyse({0}) : std::vector<Extremes>();
  const Index round = batch * processes(team);
  std::optional<KeptExtremes> kept;
  for (Index first = 0; first <= permutations.size() && !result.stopped_early; first = static_cast<Index>(all.size())) {
    const Index here = std::min(round, permutations.size() + 1 - first);
    std::vector<Index> numbers;  // that fall to this process
    for (const Index b : own_share(team, here)) numbers.push_back(first + b);
    const bool knows_truth = !of_truth.empty() && !numbers.empty() && numbers.front() == 0;
    if (knows_truth) numbers.erase(numbers.begin());
    std::vector<Extremes> own = analyse(numbers);
    if (knows_truth) {
      numbers.insert(numbers.begin(), 0);
      own.insert(own.begin(), of_truth.front());
    }
    all.resize(at(first));
    collect(own, numbers, first + here, conditions, all, team);
    if (!kept) {  // the first batch tells one test from another, however many processes there are
      const Index some = std::min(batch, here);
      kept.emplace(std::span(all).first(at(some)), permutations.weights(0, some, conditions), permutations.size(),
                   checkpoints, context);
      kept->find(all);
    }
    kept->keep(all);
    context.progress("permutations", static_cast<double>(all.size() - 1) /
                                         static_cast<double>(std::max<Index>(1, permutations.size())));
    result.stopped_early = stop_where_clear(all, first, batch, permutations.size());
  }

  result.permutations = static_cast<Index>(all.size()) - 1;
  result.all_permutations = permutations.are_all();
  result.units = count;
  result.features_tested = sums.features();
  result.units_named = units.named;
  result.samples_are_units = units.samples_are_units;
  // Among all permutations are those that only exchange the names of the conditions and show the same extremes.
  const bool all_are_targets = std::ranges::find(options.is_target, false) == options.is_target.end();
  const bool has_mirrors = permutations.are_all() && all_are_targets && conditions <= 6;
  result.min_p = static_cast<double>(has_mirrors ? permutations.mirror_images(conditions) : 1) /
                 static_cast<double>(permutations.size() + 1);
  const JointTest test(all);
  for (Index m = 0; m < conditions; ++m) {
    ConditionStatistics condition;
    condition.sigma = truth.sigma[at(m)];
    condition.chance_sigma = chance_sigma(all, m);
    condition.vector_p = condition.sigma.unaryExpr([&](double sigma) { return test.sigma(sigma, m); });
    for (const GroupContrast& contrast : truth.contrasts[at(m)]) {
      condition.groups.push_back(tested(contrast, truth.communities[at(m)]));
      condition.groups.back().p = test.group(contrast.statistic());
    }
    std::ranges::stable_sort(condition.groups, std::greater<>(),
                             [](const TestedGroup& group) { return group.contrast.statistic(); });
    result.conditions.push_back(std::move(condition));
  }
  adjust_q(result);
  return result;
}

}  // namespace disc
