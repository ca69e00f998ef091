// Which single pairs of features changed their correlation? method (16), (19)
//
// The change of a pair is a difference of Fisher's z, in units of its spread over permutations. A feature that changes sides
// changes many pairs at once, so changes are looked at through their leading modes (the eigenvectors of the matrix of changes):
// they keep what many pairs share and drop the noise of single ones. How many pairs chance would show, permuted data tell.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "stats/batches.hpp"
#include "stats/policy.hpp"
#include "stats/significance.hpp"

namespace disc {
namespace {

using namespace policy;

constexpr Index bins = 1 << 16;  // for counting permuted values

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

using Columns = Eigen::ArrayXXf;

// Many at once, by a logarithm that is vectorised; 6e-8 off, where the noise of a correlation is 1 / sqrt(samples).
Eigen::ArrayXf fisher_z(const Eigen::Ref<const Eigen::ArrayXf>& r) {
  const auto inside = r.max(-0.999999F).min(0.999999F);
  return 0.5F * ((1.0F + inside) / (1.0F - inside)).log();
}

float smaller_of_one_sign(float a, float b) {
  if ((a > 0) != (b > 0)) return 0.0F;
  return std::abs(a) < std::abs(b) ? a : b;
}

// Change of every pair between `condition` and the condition that differs least from it there; 0 where it lies between two
// others. Column by column, the same for any number of threads.
Columns changes_of(std::span<const Correlations> correlations, Index condition, const Context& context) {
  const Index p = correlations[0].values.rows();
  Columns changes(p, p);
  context.parallel_for(p, [&](Index j) {
    const Eigen::ArrayXf here = fisher_z(correlations[at(condition)].values.col(j).array());
    bool is_first = true;
    for (std::size_t m = 0; m < correlations.size(); ++m) {
      if (static_cast<Index>(m) == condition) continue;
      const Eigen::ArrayXf change = here - fisher_z(correlations[m].values.col(j).array());
      changes.col(j) = is_first ? change : changes.col(j).binaryExpr(change, &smaller_of_one_sign).eval();
      is_first = false;
    }
    changes(j, j) = 0.0F;
  });
  return changes;
}

class ChangeOperator final : public LinearOperator {
 public:
  ChangeOperator(const Columns& changes, double sign) : changes_(changes), sign_(static_cast<float>(sign)) {}
  Index rows() const override { return changes_.rows(); }
  Index cols() const override { return changes_.cols(); }
  void apply(const Block& x, Block& y, const Context& context) const override {
    constexpr Index rows_per_item = 256;
    const MatrixF narrow = x.cast<float>();
    y.resize(rows(), x.cols());
    context.parallel_for((rows() + rows_per_item - 1) / rows_per_item, [&](Index item) {
      const Index first = item * rows_per_item;
      const Index count = std::min(rows_per_item, rows() - first);
      // Changes are symmetric: rows are columns.
      const MatrixF part = changes_.matrix().middleCols(first, count).transpose() * narrow;
      y.middleRows(first, count) = (sign_ * part).cast<double>();
    });
  }
  void apply_transpose(const Block& x, Block& y, const Context& context) const override { apply(x, y, context); }

 private:
  const Columns& changes_;
  float sign_;
};

// What the leading modes of change, by magnitude and of both signs, explain of every change.
Columns through_modes(const Columns& changes, const Context& context) {
  const Index count = std::min(modes_of_change, changes.cols() / 4);
  SolverOptions solver;
  solver.tolerance = 1e-4;
  std::multimap<double, Vector, std::greater<>> found;
  std::map<const Vector*, double> value_of;
  for (const double sign : {1.0, -1.0}) {
    const Eigenpairs pairs = symmetric_eigenpairs(ChangeOperator(changes, sign), count, Matrix(changes.rows(), 0),
                                                  static_cast<double>(changes.matrix().norm()), solver, context);
    for (Index k = 0; k < pairs.values.size(); ++k) {
      const auto place = found.emplace(pairs.values[k], pairs.vectors.col(k));
      value_of[&place->second] = sign * pairs.values[k];
    }
  }
  MatrixF vectors(changes.rows(), count);
  Eigen::VectorXf values(count);
  auto mode = found.begin();
  for (Index k = 0; k < count; ++k, ++mode) {
    vectors.col(k) = mode->second.cast<float>();
    values[k] = static_cast<float>(value_of[&mode->second]);
  }
  Columns result = (vectors * values.asDiagonal() * vectors.transpose()).array();
  result.matrix().diagonal().setZero();
  return result;
}

// Permuted data, a batch at a time: calls use(correlations of one labelling).
void for_each_permutation(const UnitSums& sums, const Permutations& permutations, Index count, Index conditions,
                          const Context& context, const std::function<void(std::span<const Correlations>)>& use) {
  const Index batch = batch_size(sums.features(), conditions);
  for (Index first = 1; first <= count; first += batch) {
    const Index here = std::min(batch, count + 1 - first);
    const std::vector<Correlations> correlations =
        sums.combine_labellings(permutations.weights(first, here, conditions), conditions, context);
    for (Index b = 0; b < here; ++b) {
      use(std::span(correlations).subspan(at(b * conditions), at(conditions)));
    }
  }
}

// How many values are at least as large as any of those in question, by equal steps up to the largest of them.
class TailCounts {
 public:
  TailCounts() = default;
  explicit TailCounts(float largest) : step_(largest / static_cast<float>(bins)), counts_(at(bins) + 1, 0) {}
  void add(const Columns& values) {
    for (Index j = 0; j < values.cols(); ++j) {
      for (Index i = 0; i < j; ++i) ++counts_[bin(values(i, j))];
    }
  }
  void accumulate() {
    for (std::size_t b = counts_.size() - 1; b-- > 0;) counts_[b] += counts_[b + 1];
  }
  std::int64_t at_least(std::size_t bin) const { return counts_[bin]; }
  std::size_t bin(float value) const {
    return static_cast<std::size_t>(std::min(std::abs(value) / step_, float(bins)));
  }

 private:
  float step_ = 1.0F;
  std::vector<std::int64_t> counts_;
};

// One condition against all others.
class Comparison {
 public:
  Comparison(Index condition, Index features) : condition_(condition), variance_(Columns::Zero(features, features)) {}

  void add_to_spread(std::span<const Correlations> permuted, Index count, const Context& context) {
    const Columns changes = changes_of(permuted, condition_, context);
    context.parallel_for(changes.cols(),
                         [&](Index j) { variance_.col(j) += changes.col(j).square() / static_cast<float>(count); });
  }
  Columns standardised(std::span<const Correlations> correlations, const Context& context) const {
    Columns changes = changes_of(correlations, condition_, context);
    context.parallel_for(changes.cols(), [&](Index j) {
      changes.col(j) = (variance_.col(j) > 0.0F).select(changes.col(j) / variance_.col(j).max(1e-12F).sqrt(), 0.0F);
    });
    return changes;
  }
  void set_truth(std::span<const Correlations> truth, const Context& context) {
    z_ = standardised(truth, context);
    through_modes_ = through_modes(z_, context);
    const float largest = std::max(1e-6F, through_modes_.abs().maxCoeff());
    observed_ = TailCounts(largest);
    chance_ = TailCounts(largest);
    observed_.add(through_modes_);
    observed_.accumulate();
  }
  void add_chance(std::span<const Correlations> permuted, const Context& context) {
    const Columns z = standardised(permuted, context);
    exceeded_ += z.abs().maxCoeff() >= z_.abs().maxCoeff() ? 1 : 0;
    ++labellings_;
    chance_.add(through_modes(z, context));
  }
  // False discovery rate per bin: mean number that permuted data have there or above, over the number that the truth has.
  void finish() {
    chance_.accumulate();
    rate_.assign(at(bins) + 1, 1.0);
    double lowest = 1.0;
    for (std::size_t b = 0; b < rate_.size(); ++b) {
      const auto found = static_cast<double>(std::max<std::int64_t>(1, observed_.at_least(b)));
      lowest = std::min(lowest, static_cast<double>(chance_.at_least(b)) / static_cast<double>(labellings_) / found);
      rate_[b] = lowest;
    }
  }
  // Whether a single pair changes more than chance makes the largest change.
  bool is_beyond_chance() const {
    return static_cast<double>(exceeded_ + 1) <= level_of_pairs * static_cast<double>(labellings_ + 1);
  }
  double rate(Index a, Index b) const { return rate_[observed_.bin(through_modes_(a, b))]; }
  const Columns& z() const { return z_; }
  const Columns& modes_part() const { return through_modes_; }

 private:
  Index condition_;
  Columns variance_, z_, through_modes_;
  TailCounts observed_, chance_;
  Index exceeded_ = 0, labellings_ = 0;
  std::vector<double> rate_;
};

// The correlation in the condition most like `condition`.
double elsewhere(std::span<const Correlations> correlations, Index condition, Index a, Index b) {
  const double here = static_cast<double>(correlations[at(condition)].values(a, b));
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < correlations.size(); ++m) {
    if (static_cast<Index>(m) == condition) continue;
    const double there = static_cast<double>(correlations[m].values(a, b));
    if (std::abs(there - here) < std::abs(closest - here)) closest = there;
  }
  return closest;
}

// Pairs that changed and are stronger, with either sign, in `condition`. `sign`: +1 where the comparison was made for it.
ChangedPairs stronger_in(Index condition, double sign, const Comparison& comparison,
                         std::span<const Correlations> truth) {
  ChangedPairs result;
  for (Index b = 0; b < comparison.z().cols(); ++b) {
    for (Index a = 0; a < b; ++a) {
      const double rate = comparison.rate(a, b);
      if (rate > false_share_of_pairs) continue;
      ChangedPair pair{.a = a, .b = b, .here = static_cast<double>(truth[at(condition)].values(a, b))};
      pair.elsewhere = elsewhere(truth, condition, a, b);
      if (std::abs(pair.here) <= std::abs(pair.elsewhere)) continue;
      pair.z = sign * static_cast<double>(comparison.z()(a, b));
      pair.z_low_rank = sign * static_cast<double>(comparison.modes_part()(a, b));
      pair.q = rate;
      result.pairs.push_back(pair);
    }
  }
  result.found = static_cast<Index>(result.pairs.size());
  std::ranges::stable_sort(result.pairs, std::greater<>(),
                           [](const ChangedPair& pair) { return std::abs(pair.z_low_rank); });
  result.pairs.resize(std::min(result.pairs.size(), std::size_t{max_pairs_listed}));
  return result;
}

}  // namespace

void find_changed_pairs(const UnitSums& sums, const Units& units, const TestOptions& options, TestResult& result,
                        const Context& context) {
  const Index most = sums.features() <= features_of_exact_pairs ? permutations_of_pairs : permutations_of_many_pairs;
  const Permutations permutations(units, std::min(*options.statistics.permutations, most), context);
  const auto conditions = static_cast<Index>(result.conditions.size());
  const Index count = permutations.size();
  if (sums.features() > max_features_for_pairs || count < min_permutations_of_pairs || conditions < 2) return;
  const auto is_target = [&](Index m) { return options.is_target.empty() || options.is_target[at(m)]; };
  const std::vector<Correlations> truth =
      sums.combine_labellings(permutations.weights(0, 1, conditions), conditions, context);

  for (Index m = 0; m < conditions; ++m) {
    // Between two conditions there is one comparison: what one gains the other has lost.
    if (conditions == 2 ? m == 1 : !is_target(m)) continue;
    Comparison comparison(m, sums.features());
    for_each_permutation(sums, permutations, count, conditions, context,
                         [&](const auto& permuted) { comparison.add_to_spread(permuted, count + 1, context); });
    // The truth is one labelling among all: without it in the spread it would be special.
    comparison.add_to_spread(truth, count + 1, context);
    comparison.set_truth(truth, context);
    for_each_permutation(sums, permutations, count, conditions, context,
                         [&](const auto& permuted) { comparison.add_chance(permuted, context); });
    comparison.finish();
    for (Index k = 0; k < conditions; ++k) {
      if (!is_target(k) || (conditions > 2 && k != m)) continue;
      ChangedPairs pairs;
      if (comparison.is_beyond_chance()) pairs = stronger_in(k, k == m ? 1.0 : -1.0, comparison, truth);
      result.conditions[at(k)].pairs = std::move(pairs);
    }
  }
}

}  // namespace disc
