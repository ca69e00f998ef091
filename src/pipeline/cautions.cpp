#include "pipeline/cautions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "disc/io.hpp"
#include "graph/prepared_columns.hpp"
#include "stats/policy.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::string percent_of(double share) { return std::to_string(std::lround(100 * share)) + " %"; }

// ---- Labels -------------------------------------------------------------------------------------------------------------------

const std::vector<std::string>* values_of(const Dataset& condition, const std::string& label) {
  const auto found = std::ranges::find(condition.labels, label, &LabelColumn::name);
  return found == condition.labels.end() ? nullptr : &found->values;
}

// Labels that every condition has and the design does not use.
std::vector<std::string> free_labels(const Study& study, const DesignOptions& design) {
  std::vector<std::string> names;
  for (const LabelColumn& label : study.conditions.front().labels) {
    const std::array used{design.by,
                          design.unit,
                          design.strata,
                          design.within,
                          design.paired,
                          study.unit,
                          std::string("condition"),
                          std::string("file")};
    const bool is_used =
        std::ranges::any_of(used, [&](const std::string& name) { return name.starts_with(label.name); }) ||
        ("," + design.covariate + ",").find("," + label.name + ",") != std::string::npos;
    const bool is_everywhere = std::ranges::all_of(
        study.conditions, [&](const Dataset& condition) { return values_of(condition, label.name) != nullptr; });
    if (!is_used && is_everywhere) names.push_back(label.name);
  }
  return names;
}

// Samples of every value, per condition.
std::vector<std::map<std::string, Index>> counts_of(const Study& study, const std::string& label) {
  std::vector<std::map<std::string, Index>> counts;
  for (const Dataset& condition : study.conditions) {
    counts.emplace_back();
    for (const std::string& value : *values_of(condition, label)) ++counts.back()[value];
  }
  return counts;
}

// A name of things that several samples are taken of.
bool names_a_unit(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array words{"donor",  "patient",     "subject",   "individual", "orig.ident", "mouse",     "animal",
                             "person", "participant", "replicate", "specimen",   "biosample",  "sample_id", "library"};
  return std::ranges::any_of(words, [&](const char* word) { return name.find(word) != std::string::npos; });
}

// Every value in one stretch of one condition: as tables are put together from parts.
bool comes_in_stretches(const Study& study, const std::string& label) {
  std::set<std::string> seen;
  for (const Dataset& condition : study.conditions) {
    const std::vector<std::string>& values = *values_of(condition, label);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_new = i == 0 || values[i] != values[i - 1];
      if (is_new && !seen.insert(values[i]).second) return false;
    }
  }
  return seen.size() > study.conditions.size();
}

void warn_of_units(const Study& study, const Analysis& analysis, std::vector<std::string>& warnings) {
  if (!analysis.statistics->samples_are_units || analysis.statistics->sampling.block > 0) return;
  for (const std::string& label : free_labels(study, analysis.used.design)) {
    const auto counts = counts_of(study, label);
    const bool has_repeats = std::ranges::all_of(counts, [](const auto& values) {
      Index samples = 0;
      for (const auto& entry : values) samples += entry.second;
      return values.size() >= 2 && samples >= 2 * static_cast<Index>(values.size());
    });
    if (!has_repeats || (!names_a_unit(label) && !comes_in_stretches(study, label))) continue;
    warnings.push_back("every sample was taken as independent, but the label '" + label + "' (" +
                       std::to_string(counts.front().size()) + " values in " + study.conditions.front().name +
                       ") may say which belong together: then p-values are too small, and --unit " + label +
                       " gives the right ones");
    return;
  }
}

// ---- Scores of groups ---------------------------------------------------------------------------------------------------------

// Standardized values of some features, features x samples, as they enter correlations.
MatrixF standardized(const Dataset& condition, std::span<const Index> columns, const RunOptions& used,
                     const Context& context) {
  const PreparedColumns prepared(condition, columns, used.graph.distance.value_or(Distance::normal_scores), context);
  MatrixF values(prepared.features(), prepared.samples());
  prepared.fill_all(0, prepared.samples(), values.data());
  return values * std::sqrt(static_cast<float>(prepared.samples()));
}

struct GroupScores {
  std::string name;             // "STIM 1"
  std::vector<MatrixF> values;  // per condition: members x samples, flipped by their signs
  Index home = 0;               // where the members go together
  Vector score(Index condition) const { return values[at(condition)].colwise().mean().transpose().cast<double>(); }
};

Index home_of(const FeatureGroup& group, Index condition) {
  if (!group.is_lost() || group.evidence.mean_correlation.empty()) return condition;
  Index best = condition;
  for (std::size_t k = 0; k < group.evidence.mean_correlation.size(); ++k) {
    if (group.evidence.mean_correlation[k].value > group.evidence.mean_correlation[at(best)].value)
      best = static_cast<Index>(k);
  }
  return best;
}

GroupScores scores_of(const FeatureGroup& group, Index condition, const std::string& name, const Study& study,
                      const FeatureMatch& match, const RunOptions& used, const Context& context) {
  GroupScores scores{name, {}, home_of(group, condition)};
  for (std::size_t m = 0; m < study.conditions.size(); ++m) {
    std::vector<Index> columns;
    for (const Index j : group.features) columns.push_back(match.columns[m][at(j)]);
    scores.values.push_back(standardized(study.conditions[m], columns, used, context));
    for (std::size_t i = 0; i < group.sign.size(); ++i) {
      if (group.sign[i] < 0) scores.values.back().row(static_cast<Index>(i)) *= -1.0F;
    }
  }
  return scores;
}

// Share of the variance of a score that lies between the values of a label.
double share_explained(const Vector& score, const std::vector<std::string>& values) {
  std::map<std::string, std::pair<double, double>> sums;
  for (Index i = 0; i < score.size(); ++i) {
    auto& [sum, count] = sums[values[at(i)]];
    sum += score[i];
    count += 1;
  }
  const double mean = score.mean();
  double between = 0;
  for (const auto& [value, entry] : sums) between += entry.second * std::pow(entry.first / entry.second - mean, 2);
  const double all = (score.array() - mean).square().sum();
  // What as many values would explain by chance is taken off.
  const auto levels = static_cast<double>(sums.size());
  const auto samples = static_cast<double>(score.size());
  if (all <= 0 || samples <= levels) return 0;
  return std::max(0.0, 1.0 - (all - between) / (samples - levels) * (samples - 1) / all);
}

// Half the sum of differences between the shares of the values in two conditions.
double difference_of_composition(const std::map<std::string, Index>& a, const std::map<std::string, Index>& b,
                                 double samples_a, double samples_b) {
  std::set<std::string> values;
  for (const auto& entry : a) values.insert(entry.first);
  for (const auto& entry : b) values.insert(entry.first);
  double sum = 0;
  for (const std::string& value : values) {
    const auto in = [&](const std::map<std::string, Index>& counts) {
      const auto found = counts.find(value);
      return found == counts.end() ? 0.0 : static_cast<double>(found->second);
    };
    sum += std::abs(in(a) / samples_a - in(b) / samples_b);
  }
  return 0.5 * sum;
}

double largest_difference_of_composition(const Study& study, const std::string& label, Index home) {
  const auto counts = counts_of(study, label);
  double largest = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    largest = std::max(largest, difference_of_composition(counts[at(home)], counts[k],
                                                          static_cast<double>(study.conditions[at(home)].values.rows()),
                                                          static_cast<double>(study.conditions[k].values.rows())));
  }
  return largest;
}

void warn_of_labels(const GroupScores& group, const Study& study, const DesignOptions& design,
                    std::vector<std::string>& warnings) {
  std::string best;
  double most = policy::min_share_of_label;
  const Vector score = group.score(group.home);
  for (const std::string& label : free_labels(study, design)) {
    const auto counts = counts_of(study, label);
    const auto levels = static_cast<Index>(counts[at(group.home)].size());
    if (levels < 2 || levels > policy::max_values_of_label || 2 * levels > score.size()) continue;
    const double share = share_explained(score, *values_of(study.conditions[at(group.home)], label));
    if (share <= most) continue;
    most = share;
    best = label;
  }
  if (best.empty()) return;
  const double moved = largest_difference_of_composition(study, best, group.home);
  warnings.push_back("group " + group.name + " follows the label '" + best + "', which explains " + percent_of(most) +
                     " of its score" +
                     (moved >= policy::min_difference_of_composition
                          ? ", and " + percent_of(moved) +
                                " of the samples would have to change it for the conditions to have "
                                "the same composition: a change of composition can make such a group"
                          : ": it may tell these samples apart rather than act within them") +
                     "; --within " + best + " compares within each of its values, --covariate " + best +
                     " removes what the label explains");
}

// Whether the group follows what all other features share: depth, size factors, a global signal.
void warn_of_common_level(const GroupScores& group, const FeatureGroup& members, const Study& study,
                          const FeatureMatch& match, const RunOptions& used, const Context& context,
                          std::vector<std::string>& warnings) {
  if (used.prepare.remove_global_signal.value_or(false)) return;
  std::vector<Index> others;
  const auto features = static_cast<Index>(match.features.size());
  const Index step = std::max<Index>(1, features / policy::max_features_of_level);
  for (Index j = 0; j < features; j += step) {
    if (!std::ranges::binary_search(members.features, j)) others.push_back(match.columns[at(group.home)][at(j)]);
  }
  if (static_cast<Index>(others.size()) < policy::min_features_of_level) return;
  const Vector level =
      standardized(study.conditions[at(group.home)], others, used, context).colwise().mean().transpose().cast<double>();
  Vector score = group.score(group.home);
  score.array() -= score.mean();
  const Vector centered = level.array() - level.mean();
  const double r = score.dot(centered) / std::max(1e-12, score.norm() * centered.norm());
  // Where the level was taken out, what is left goes against the group by itself.
  if (r <= 0 || r * r < policy::min_share_of_level) return;
  warnings.push_back("group " + group.name + " follows the mean of all other features (correlation " +
                     format_number(std::round(100 * r) / 100) +
                     "): differences of depth, size factors or a global signal between samples make such groups; "
                     "--remove-global-signal yes takes that out");
}

// ---- Units --------------------------------------------------------------------------------------------------------------------

// Mean correlation within a group from sums over units, with each unit taken out in turn.
class WithoutUnit {
 public:
  WithoutUnit(const MatrixF& values, const std::vector<std::string>& units) {
    for (Index i = 0; i < values.cols(); ++i) {
      Sums& sums = of_unit_[units[at(i)]];
      const double total = static_cast<double>(values.col(i).sum());
      sums.square_of_sum += total * total;
      sums.sum_of_squares += static_cast<double>(values.col(i).squaredNorm());
      all_.square_of_sum += total * total;
      all_.sum_of_squares += static_cast<double>(values.col(i).squaredNorm());
    }
    size_ = static_cast<double>(values.rows());
  }
  double all() const { return mean({0, 0}); }
  /// The unit without which least is left, and what.
  std::pair<std::string, double> least() const {
    std::pair<std::string, double> result{"", all()};
    for (const auto& [unit, sums] : of_unit_) {
      if (of_unit_.size() > 1 && mean(sums) < result.second) result = {unit, mean(sums)};
    }
    return result;
  }

 private:
  struct Sums {
    double square_of_sum = 0, sum_of_squares = 0;
  };
  double mean(const Sums& without) const {
    const double variance = (all_.sum_of_squares - without.sum_of_squares) / size_;
    const double of_sum = all_.square_of_sum - without.square_of_sum;
    return (of_sum / std::max(1e-12, variance) / size_ - 1.0) / (size_ - 1.0);
  }
  std::map<std::string, Sums> of_unit_;
  Sums all_;
  double size_ = 0;
};

void warn_of_one_unit(const GroupScores& group, const Study& study, std::vector<std::string>& warnings) {
  const auto home = at(group.home);
  std::vector<std::string> units =
      study.design.units.empty() ? study.conditions[home].samples : study.design.units[home];
  if (units.empty()) return;
  const WithoutUnit here(group.values[home], units);
  double elsewhere = -1;
  for (std::size_t k = 0; k < group.values.size(); ++k) {
    if (k == home) continue;
    const std::vector<std::string>& names = study.conditions[k].samples;
    elsewhere = std::max(elsewhere, WithoutUnit(group.values[k], names).all());
  }
  const auto [unit, left] = here.least();
  const double gain = here.all() - elsewhere;
  if (unit.empty() || gain <= 0 || left - elsewhere >= policy::min_gain_without_unit * gain) return;
  const std::string word = study.design.units.empty() ? "sample" : "unit";
  warnings.push_back("group " + group.name + " rests on one " + word + ": without '" + unit +
                     "' its mean correlation falls from " + format_number(std::round(100 * here.all()) / 100) + " to " +
                     format_number(std::round(100 * left) / 100));
}

// ---- The run ------------------------------------------------------------------------------------------------------------------

void warn_of_run(const Analysis& analysis, std::vector<std::string>& warnings) {
  const Statistics& statistics = *analysis.statistics;
  const Statistics::Sampling& sampling = statistics.sampling;
  if (sampling.block > 0) {
    warnings.push_back(
        "consecutive samples correlate (" + format_number(std::round(100 * sampling.autocorrelation) / 100) +
        "), as in a time series: blocks of " + std::to_string(sampling.block) + " were taken as units" +
        (sampling.gap > 0 ? ", without the last " + std::to_string(sampling.gap) + " samples of each" : std::string()) +
        "; --block 0 takes every sample as independent");
  }
  if (sampling.matched) {
    Index samples = 0;
    for (const ConditionResult& condition : analysis.conditions) samples += condition.samples;
    warnings.push_back("units are larger in one condition than in another: " + std::to_string(sampling.samples_used) +
                       " of " + std::to_string(samples) + " samples were used, so that units are equally large in all");
  }
  if (statistics.permutations > 0 && statistics.exact && statistics.min_p > analysis.used.statistics.level) {
    warnings.push_back("the design allows " + std::to_string(statistics.permutations) +
                       (statistics.permutations == 1 ? " permutation of " : " permutations of ") +
                       std::to_string(statistics.units) + " units: no p-value can be below " +
                       format_number(std::round(1000 * statistics.min_p) / 1000) +
                       ", so nothing can be significant; more units are needed");
  }
}

void warn_of_size(const FeatureGroup& group, const std::string& name, Index features,
                  std::vector<std::string>& warnings) {
  const auto size = static_cast<Index>(group.features.size());
  if (static_cast<double>(size) <= policy::max_share_of_features * static_cast<double>(features)) return;
  warnings.push_back(
      "group " + name + " has " + std::to_string(size) + " of " + std::to_string(features) +
      " features: what so many share is mostly something that all samples differ in, such as depth, batch or kind");
}

}  // namespace

std::vector<std::string> cautions(const Study& study, const FeatureMatch& match, const Analysis& analysis,
                                  const Context& context) {
  std::vector<std::string> warnings;
  if (!analysis.statistics) return warnings;
  warn_of_run(analysis, warnings);
  warn_of_units(study, analysis, warnings);
  for (std::size_t m = 0; m < analysis.conditions.size(); ++m) {
    const ConditionResult& condition = analysis.conditions[m];
    Index number = 0;
    for (const FeatureGroup& group : condition.groups.groups) {
      if (group.parent >= 0) continue;
      const std::string name = condition.name + " " + std::to_string(++number);
      if (number > policy::max_groups_cautioned) break;
      const GroupScores scores = scores_of(group, static_cast<Index>(m), name, study, match, analysis.used, context);
      warn_of_size(group, name, static_cast<Index>(match.features.size()), warnings);
      warn_of_labels(scores, study, analysis.used.design, warnings);
      warn_of_common_level(scores, group, study, match, analysis.used, context, warnings);
      warn_of_one_unit(scores, study, warnings);
    }
  }
  return warnings;
}

}  // namespace disc
