#include "disc/test_sets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "stats/false_discovery.hpp"
#include "stats/policy.hpp"
#include "stats/set_connections.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// What tells how samples depend on each other, and in which order units come: not all of very many features.
std::vector<Index> features_looked_at(Index features) {
  const Index step = (features + policy::features_looked_at - 1) / policy::features_looked_at;
  std::vector<Index> chosen;
  for (Index j = 0; j < features; j += step) chosen.push_back(j);
  return chosen;
}

std::vector<PreparedColumns> prepare_some(std::span<const Dataset> conditions, const FeatureMatch& match,
                                          std::span<const Index> features, Distance distance, const Context& context) {
  std::vector<PreparedColumns> prepared;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    std::vector<Index> columns;
    for (const Index j : features) columns.push_back(match.columns[m][at(j)]);
    prepared.emplace_back(conditions[m], columns, distance, context);
  }
  return prepared;
}

std::string name_of(const Unit& unit, Index number, std::span<const Dataset> conditions, const Design& design,
                    bool is_block) {
  const Index first = unit.samples.front();
  if (is_block) return "block " + std::to_string(number);
  if (!design.units.empty()) return design.units[at(unit.condition)][at(first)];
  return conditions[at(unit.condition)].samples[at(first)];
}

// What each feature varies about is that of its unit, not of its condition.
void centre_units(const Units& units, const std::vector<Index>& first_row, MatrixF& values, const Context& context) {
  context.parallel_for(values.cols(), [&](Index j) {
    for (const Unit& unit : units.units) {
      const Index first = first_row[at(unit.condition)];
      double sum = 0;
      for (const Index i : unit.samples) sum += static_cast<double>(values(first + i, j));
      const auto mean = static_cast<float>(sum / static_cast<double>(unit.samples.size()));
      for (const Index i : unit.samples) values(first + i, j) -= mean;
    }
  });
}

// The statistic of one labelling, in either direction: against the condition that makes it smallest.
struct Difference {
  double gained = std::numeric_limits<double>::infinity(), lost = gained;
  Index like_if_gained = -1, like_if_lost = -1;
  double larger() const { return std::max(gained, lost); }
};

Difference difference_of(const Matrix& connections, Index labelling, Index condition, std::span<const Index> samples) {
  Difference result;
  for (Index k = 0; k < connections.cols(); ++k) {
    if (k == condition) continue;
    const double here = connections(labelling, condition), there = connections(labelling, k);
    const double gained = log_ratio(here, there, samples[at(condition)], samples[at(k)]);
    if (gained < result.gained) result.like_if_gained = k;
    if (-gained < result.lost) result.like_if_lost = k;
    result.gained = std::min(result.gained, gained);
    result.lost = std::min(result.lost, -gained);
  }
  return result;
}

// Single-precision sums added in another order are the same.
bool as_large(double value, double other) {
  return value >= other - policy::tie_tolerance * std::max(1.0, std::abs(other));
}

}  // namespace

std::vector<GivenSet> given_sets(std::span<const NamedSet> sets) {
  std::vector<GivenSet> result;
  for (const NamedSet& set : sets) result.push_back({set.name, set.description, set.members, {}});
  return result;
}

class SetTester::State {
 public:
  State(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
        const TestOptions& options, std::span<const Index> keep, const Context& context);
  SetTests test(std::span<const GivenSet> sets, const SetTestOptions& options, const Context& context) const;
  std::vector<Matrix> correlations(std::span<const Index> columns) const;
  std::vector<Index> columns_of(std::span<const std::string> members, std::vector<std::string>& found) const;

  std::vector<std::string> features;
  std::vector<UnitName> names;

 private:
  void choose_targets(const TestOptions& options);
  Units remaining(std::span<const std::string> without) const;
  std::vector<Index> rows_of(const Units& units) const;
  Labels labels_of(const Permutations& permutations) const;
  std::vector<Index> effective_samples(const UnitWeights& weights, const Labels& labels) const;
  void find_members(const GivenSet& set, std::vector<Index>& kept, std::vector<std::int8_t>& sign) const;
  SetTest judge(const Matrix& connections, Index condition, Index size, std::span<const Index> samples) const;

  Index conditions_ = 0;
  std::vector<Index> targets_;
  Units units_;
  Sampling sampling_;
  MatrixF values_;                                 // samples of all conditions x features kept
  std::vector<Index> first_row_;                   // of every condition
  std::vector<Index> kept_;                        // features, ascending
  std::unordered_map<std::string, Index> column_;  // of values_, by name
};

SetTester::State::State(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                        const TestOptions& options, std::span<const Index> keep, const Context& context)
    : features(match.features), conditions_(static_cast<Index>(conditions.size())) {
  const Distance distance = options.graph.distance.value_or(Distance::normal_scores);
  const auto p = static_cast<Index>(match.features.size());
  choose_targets(options);
  {
    const std::vector<PreparedColumns> some = prepare_some(conditions, match, features_looked_at(p), distance, context);
    units_ = make_units(conditions, design, std::numeric_limits<Index>::max(), context);
    sampling_ = look_at_samples(some, options.statistics, units_, context);
    order_by_content(some, units_, context);
  }
  kept_.assign(keep.begin(), keep.end());
  std::ranges::sort(kept_);
  if (kept_.empty()) {
    kept_.resize(at(p));
    std::iota(kept_.begin(), kept_.end(), Index{0});
  }
  for (std::size_t c = 0; c < kept_.size(); ++c) column_.emplace(match.features[at(kept_[c])], static_cast<Index>(c));
  Index total = 0;
  for (const Dataset& condition : conditions) {
    first_row_.push_back(total);
    total += condition.values.rows();
  }
  values_.resize(total, static_cast<Index>(kept_.size()));
  const std::vector<PreparedColumns> prepared = prepare_some(conditions, match, kept_, distance, context);
  for (std::size_t m = 0; m < prepared.size(); ++m) {
    prepared[m].fill_points(values_, first_row_[m], context);
    const Index rows = prepared[m].samples();
    values_.middleRows(first_row_[m], rows) *= std::sqrt(static_cast<float>(rows));  // columns had length 1
  }
  if (sampling_.centered) centre_units(units_, first_row_, values_, context);
  Index number = 0;
  for (const Unit& unit : units_.units) {
    names.push_back({unit.condition, name_of(unit, ++number, conditions, design, sampling_.block > 0),
                     static_cast<Index>(unit.samples.size())});
  }
}

void SetTester::State::choose_targets(const TestOptions& options) {
  for (Index m = 0; m < conditions_; ++m) {
    if (options.is_target.empty() || options.is_target[at(m)]) targets_.push_back(m);
  }
  if (conditions_ == 2 && targets_.size() == 2) targets_.erase(targets_.begin());
}

Units SetTester::State::remaining(std::span<const std::string> without) const {
  for (const std::string& name : without) {
    if (std::ranges::find(names, name, &UnitName::name) != names.end()) continue;
    throw InputError("there is no unit '" + name + "' to leave out; there are '" + names.front().name + "', '" +
                     names.back().name + "' and others");
  }
  Units result;
  result.samples_are_units = units_.samples_are_units;
  std::vector<bool> is_there(at(conditions_), false);
  for (std::size_t u = 0; u < units_.units.size(); ++u) {
    if (std::ranges::find(without, names[u].name) != without.end()) continue;
    result.units.push_back(units_.units[u]);
    is_there[at(names[u].condition)] = true;
  }
  result.named = static_cast<Index>(result.units.size());
  if (std::ranges::find(is_there, false) != is_there.end()) {
    throw InputError("without '" + without.front() + "' a condition has no unit left to compare");
  }
  return result;
}

std::vector<Index> SetTester::State::rows_of(const Units& units) const {
  std::vector<Index> unit_of_row(at(values_.rows()), -1);
  for (std::size_t u = 0; u < units.units.size(); ++u) {
    const Unit& unit = units.units[u];
    for (const Index i : unit.samples) unit_of_row[at(first_row_[at(unit.condition)] + i)] = static_cast<Index>(u);
  }
  return unit_of_row;
}

Labels SetTester::State::labels_of(const Permutations& permutations) const {
  Labels labels;
  for (Index b = 0; b <= permutations.size(); ++b) {
    const std::vector<Index> own = permutations.labels(b);
    if (b == 0) labels.resize(static_cast<Index>(own.size()), permutations.size() + 1);
    for (std::size_t u = 0; u < own.size(); ++u) labels(static_cast<Index>(u), b) = static_cast<std::int16_t>(own[u]);
  }
  return labels;
}

std::vector<Index> SetTester::State::effective_samples(const UnitWeights& weights, const Labels& labels) const {
  std::vector<Index> samples;
  for (Index b = 0; b < labels.cols(); ++b) {
    for (Index m = 0; m < conditions_; ++m) {
      samples.push_back(weights.effective((labels.col(b).array() == m).cast<double>().matrix()));
    }
  }
  return samples;
}

void SetTester::State::find_members(const GivenSet& set, std::vector<Index>& kept,
                                    std::vector<std::int8_t>& sign) const {
  std::vector<std::pair<Index, std::int8_t>> found;
  for (std::size_t i = 0; i < set.members.size(); ++i) {
    const auto column = column_.find(set.members[i]);
    if (column != column_.end()) found.emplace_back(column->second, set.sign.empty() ? std::int8_t{1} : set.sign[i]);
  }
  std::ranges::sort(found);
  const auto same_feature = [](const auto& a, const auto& b) { return a.first == b.first; };
  found.erase(std::unique(found.begin(), found.end(), same_feature), found.end());
  for (const auto& [column, flip] : found) {
    kept.push_back(column);
    sign.push_back(flip);
  }
}

SetTest SetTester::State::judge(const Matrix& connections, Index condition, Index size,
                                std::span<const Index> samples) const {
  SetTest test;
  test.condition = condition;
  for (Index m = 0; m < conditions_; ++m) {
    test.mean_correlation.push_back(connections(0, m) / static_cast<double>(size - 1));
  }
  const Difference truth = difference_of(connections, 0, condition, samples.first(at(conditions_)));
  const bool is_gained = truth.gained >= truth.lost;
  test.statistic = is_gained ? truth.gained : -truth.lost;
  test.like = is_gained ? truth.like_if_gained : truth.like_if_lost;
  Index either = 0, gained = 0, lost = 0;
  for (Index b = 0; b < connections.rows(); ++b) {
    const auto own = samples.subspan(at(b * conditions_), at(conditions_));
    const Difference chance = difference_of(connections, b, condition, own);
    either += as_large(chance.larger(), truth.larger()) ? 1 : 0;
    gained += as_large(chance.gained, truth.gained) ? 1 : 0;
    lost += as_large(chance.lost, truth.lost) ? 1 : 0;
  }
  const auto labellings = static_cast<double>(connections.rows());
  test.p = static_cast<double>(either) / labellings;
  test.p_gained = static_cast<double>(gained) / labellings;
  test.p_lost = static_cast<double>(lost) / labellings;
  return test;
}

SetTests SetTester::State::test(std::span<const GivenSet> sets, const SetTestOptions& options,
                                const Context& context) const {
  SetTests result;
  const Units units = remaining(options.without);
  const Permutations permutations(units, options.permutations, context);
  if (permutations.size() == 0) throw InputError("no unit can be exchanged, so that nothing can be tested");
  const Labels labels = labels_of(permutations);
  Index total = 0;
  for (const Unit& unit : units.units) total += static_cast<Index>(unit.samples.size());
  const UnitWeights weights(units, sampling_, total);
  const std::vector<Index> samples = effective_samples(weights, labels);
  const std::vector<Index> unit_of_row = rows_of(units);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    context.progress("sets", static_cast<double>(s) / static_cast<double>(sets.size()));
    std::vector<Index> kept;
    std::vector<std::int8_t> sign;
    find_members(sets[s], kept, sign);
    const auto size = static_cast<Index>(kept.size());
    if (size < std::max<Index>(2, options.min_members)) {
      result.not_tested.push_back(static_cast<Index>(s));
      continue;
    }
    const Matrix connections =
        connections_of_set({values_, unit_of_row}, kept, sign, weights, labels, conditions_, context);
    for (const Index target : targets_) {
      SetTest& test = result.tests.emplace_back(judge(connections, target, size, samples));
      test.set = static_cast<Index>(s);
      for (const Index column : kept) test.features.push_back(kept_[at(column)]);
    }
  }
  std::vector<std::pair<double, double*>> tests;
  for (SetTest& test : result.tests) tests.emplace_back(test.p, &test.q);
  adjust_for_all(std::move(tests));
  std::ranges::stable_sort(result.tests, {},
                           [](const SetTest& test) { return std::pair(test.p, -std::abs(test.statistic)); });
  result.permutations = permutations.size();
  result.exact = permutations.are_all();
  const Index same = permutations.are_all() && conditions_ <= 6 ? permutations.mirror_images(conditions_) : 1;
  result.min_p = static_cast<double>(same) / static_cast<double>(labels.cols());
  result.units = static_cast<Index>(units.units.size());
  result.samples_are_units = units.samples_are_units;
  result.sampling = sampling_;
  return result;
}

std::vector<Index> SetTester::State::columns_of(std::span<const std::string> members,
                                                std::vector<std::string>& found) const {
  std::vector<Index> columns;
  for (const std::string& member : members) {
    const auto column = column_.find(member);
    if (column == column_.end()) continue;
    columns.push_back(column->second);
    found.push_back(member);
  }
  return columns;
}

std::vector<Matrix> SetTester::State::correlations(std::span<const Index> columns) const {
  const std::vector<Index> unit_of_row = rows_of(units_);
  const UnitWeights weights(units_, sampling_, values_.rows());
  std::vector<Matrix> result;
  for (std::size_t m = 0; m < first_row_.size(); ++m) {
    const Index first = first_row_[m];
    const Index rows = (m + 1 < first_row_.size() ? first_row_[m + 1] : values_.rows()) - first;
    Vector weight(rows);
    for (Index i = 0; i < rows; ++i) {
      const Index unit = unit_of_row[at(first + i)];
      weight[i] = unit < 0 ? 0.0 : weights.factor[unit];
    }
    Matrix own(rows, static_cast<Index>(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j) {
      auto column = own.col(static_cast<Index>(j));
      column = values_.col(columns[j]).segment(first, rows).cast<double>();
      column.array() -= column.dot(weight) / weight.sum();
      column.array() *= weight.array().sqrt();
      const double length = column.norm();
      column *= length > 0 ? 1.0 / length : 0.0;
    }
    result.emplace_back(own.transpose() * own);
    result.back().diagonal().setOnes();
  }
  return result;
}

SetTester::SetTester(std::span<const Dataset> conditions, const FeatureMatch& match, const Design& design,
                     const TestOptions& options, std::span<const Index> keep, const Context& context)
    : state_(std::make_shared<const State>(conditions, match, design, options, keep, context)) {}

SetTests SetTester::test(std::span<const GivenSet> sets, const SetTestOptions& options, const Context& context) const {
  return state_->test(sets, options, context);
}

std::vector<Matrix> SetTester::correlations(std::span<const std::string> members,
                                            std::vector<std::string>& found) const {
  return state_->correlations(state_->columns_of(members, found));
}

const std::vector<std::string>& SetTester::features() const { return state_->features; }
const std::vector<UnitName>& SetTester::units() const { return state_->names; }

}  // namespace disc
