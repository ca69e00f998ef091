#include "pipeline/within.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "matrix/normal_quantile.hpp"
#include "stats/policy.hpp"

namespace disc {
namespace {

using Rows = std::vector<Index>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::map<std::string, Rows> rows_by(const std::vector<std::string>& names) {
  std::map<std::string, Rows> rows;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) rows[names[i]].push_back(static_cast<Index>(i));
  }
  return rows;
}

// Kinds that every condition has, and their share of all samples in the condition where it is least.
std::map<std::string, double> shares_of(std::span<const std::map<std::string, Rows>> rows) {
  std::map<std::string, double> shares;
  for (const auto& [kind, first] : rows.front()) {
    const bool is_everywhere = std::ranges::all_of(rows, [&](const auto& own) {
      const auto found = own.find(kind);
      return found != own.end() && static_cast<Index>(found->second.size()) >= policy::min_samples_of_kind;
    });
    if (is_everywhere) shares[kind] = 1.0;
  }
  for (const auto& own : rows) {
    double total = 0;
    for (const auto& [kind, share] : shares) total += static_cast<double>(own.at(kind).size());
    for (auto& [kind, share] : shares) share = std::min(share, static_cast<double>(own.at(kind).size()) / total);
  }
  return shares;
}

std::string list_of(const std::set<std::string>& names) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (++count > 4) return text + ", ...";
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

void warn_of_dropped(std::span<const std::map<std::string, Rows>> rows, const std::map<std::string, double>& shares,
                     const std::string& label, const Context& context) {
  std::set<std::string> dropped;
  for (const auto& own : rows) {
    for (const auto& [kind, members] : own) {
      if (!shares.contains(kind)) dropped.insert(kind);
    }
  }
  if (dropped.empty()) return;
  context.warn("not every condition has " + std::to_string(policy::min_samples_of_kind) + " samples of each " + label +
               ": " + list_of(dropped) + (dropped.size() == 1 ? " takes" : " take") + " no part");
}

// Ranks of the values, or their normal scores; ties share the mean of their ranks.
void to_scores(Vector& values, Distance distance) {
  if (distance == Distance::correlation) return;
  Rows order(at(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index i) { return values[i]; });
  Vector scores(values.size());
  const double above = static_cast<double>(values.size()) + 1.0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = 0.5 * static_cast<double>(begin + end + 1);  // from 1
    const double score = distance == Distance::spearman ? rank / above : -normal_upper_quantile(rank / above);
    for (; begin < end; ++begin) scores[order[begin]] = score;
  }
  values = scores;
}

void center(RowMatrix& values, Index column, const Rows& rows) {
  double sum = 0;
  for (const Index i : rows) sum += values(i, column);
  for (const Index i : rows) values(i, column) -= sum / static_cast<double>(rows.size());
}

void score_column(RowMatrix& values, Index column, const Rows& rows, Distance distance) {
  Vector own(static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) own[static_cast<Index>(i)] = values(rows[i], column);
  to_scores(own, distance);
  for (std::size_t i = 0; i < rows.size(); ++i) values(rows[i], column) = own[static_cast<Index>(i)];
  center(values, column, rows);
  if (distance != Distance::correlation) return;
  // Values have the scale of their kind; scores have none, and a feature that hardly varies counts little.
  double squares = 0;
  for (const Index i : rows) squares += values(i, column) * values(i, column);
  if (squares <= 0) return;
  const double factor = std::sqrt(static_cast<double>(rows.size()) / squares);
  for (const Index i : rows) values(i, column) *= factor;
}

// Samples of one kind and unit, where there are enough of them.
std::vector<Rows> large_cells(const std::vector<std::string>& kinds, const std::vector<std::string>& units) {
  std::map<std::pair<std::string, std::string>, Rows> cells;
  for (std::size_t i = 0; i < units.size(); ++i) cells[{kinds[i], units[i]}].push_back(static_cast<Index>(i));
  std::vector<Rows> large;
  for (auto& [name, rows] : cells) {
    if (static_cast<double>(rows.size()) >= policy::min_size_to_center) large.push_back(std::move(rows));
  }
  return large;
}

}  // namespace

std::vector<std::vector<std::string>> balance_kinds(std::vector<Dataset>& conditions,
                                                    std::vector<std::vector<std::string>> kinds,
                                                    const std::string& label, std::vector<PreparationStep>& steps,
                                                    const Context& context) {
  std::vector<std::map<std::string, Rows>> rows;
  for (const auto& own : kinds) rows.push_back(rows_by(own));
  const std::map<std::string, double> shares = shares_of(rows);
  if (shares.empty()) {
    throw OptionError("within", label,
                      "no value of it has " + std::to_string(policy::min_samples_of_kind) +
                          " samples in every condition, so that nothing can be compared within one");
  }
  warn_of_dropped(rows, shares, label, context);
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    double total = 0;
    for (const auto& [kind, share] : shares) total += static_cast<double>(rows[m].at(kind).size());
    Rows kept;
    for (const auto& [kind, share] : shares) {
      Rows& own = rows[m].at(kind);
      // Which samples go does not depend on which condition comes first.
      std::mt19937_64 random =
          random_stream(context.seed(), "pipeline/within", digest_of(conditions[m].name + '\t' + kind));
      std::shuffle(own.begin(), own.end(), random);
      const auto wanted = std::clamp<Index>(std::lround(share * total), 1, static_cast<Index>(own.size()));
      kept.insert(kept.end(), own.begin(), own.begin() + wanted);
    }
    std::ranges::sort(kept);
    const Index excluded = conditions[m].values.rows() - static_cast<Index>(kept.size());
    if (excluded > 0) steps.push_back({"within " + label, conditions[m].name, "samples excluded", excluded});
    std::vector<std::string> left;
    for (const Index i : kept) left.push_back(std::move(kinds[m][at(i)]));
    kinds[m] = std::move(left);
    conditions[m] = select_samples(conditions[m], kept);
  }
  return kinds;
}

void score_within_kinds(std::vector<Dataset>& conditions, std::span<const std::vector<std::string>> kinds,
                        std::span<const std::vector<std::string>> units, Distance distance, const Context& context) {
  constexpr Index columns_at_once = 64;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    const std::map<std::string, Rows> cells = rows_by(kinds[m]);
    const std::vector<Rows> of_units = units.empty() ? std::vector<Rows>() : large_cells(kinds[m], units[m]);
    const SampleMatrix& given = conditions[m].values;
    Rows columns(at(given.cols()));
    std::iota(columns.begin(), columns.end(), Index{0});
    RowMatrix values;
    given.copy_rows(0, given.rows(), columns, values);
    context.parallel_for((values.cols() + columns_at_once - 1) / columns_at_once, [&](Index block) {
      const Index end = std::min(values.cols(), (block + 1) * columns_at_once);
      for (Index j = block * columns_at_once; j < end; ++j) {
        for (const auto& [kind, rows] : cells) score_column(values, j, rows, distance);
        for (const Rows& rows : of_units) center(values, j, rows);
      }
    });
    conditions[m].values = SampleMatrix(std::move(values));
  }
}

}  // namespace disc
