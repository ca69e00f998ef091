// How every unit shows every group: one dot per donor and condition.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "graph/prepared_columns.hpp"
#include "pipeline/figure_data.hpp"

namespace disc {
namespace {

constexpr Index min_samples_to_correlate = 3;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The units of a condition in the order in which they first appear, with the rows of their samples.
std::vector<std::pair<std::string, std::vector<Index>>> units_of(const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::vector<Index>>> units;
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [found, is_new] = place.try_emplace(names[i], units.size());
    if (is_new) units.emplace_back(names[i], std::vector<Index>());
    units[found->second].second.push_back(static_cast<Index>(i));
  }
  return units;
}

RowMatrix values_of(const Dataset& condition, const std::vector<Index>& match, const std::vector<Index>& members) {
  std::vector<Index> columns;
  for (const Index j : members) columns.push_back(match[at(j)]);
  RowMatrix values;
  condition.values.copy_rows(0, condition.values.rows(), columns, values);
  return values;
}

// Every member standardized over the samples of all conditions.
void standardize(std::vector<RowMatrix>& values) {
  for (Index j = 0; j < values.front().cols(); ++j) {
    double sum = 0, squares = 0, count = 0;
    for (const RowMatrix& own : values) {
      sum += own.col(j).sum();
      count += static_cast<double>(own.rows());
    }
    for (RowMatrix& own : values) {
      own.col(j).array() -= sum / count;
      squares += own.col(j).squaredNorm();
    }
    const double factor = squares > 0 ? std::sqrt(count / squares) : 0.0;
    for (RowMatrix& own : values) own.col(j) *= factor;
  }
}

// Mean over the pairs of columns that vary, by the variance of the sum of the standardized columns.
double mean_correlation(Matrix values) {
  if (values.rows() < min_samples_to_correlate) return unknown;
  Index varying = 0;
  Vector sum = Vector::Zero(values.rows());
  for (auto column : values.colwise()) {
    column.array() -= column.mean();
    const double length = column.norm();
    if (length <= 1e-9) continue;
    sum += column / length;
    ++varying;
  }
  if (varying < 2) return unknown;
  const auto count = static_cast<double>(varying);
  return (sum.squaredNorm() - count) / (count * (count - 1));
}

Distance scores_of(const Analysis& analysis) {
  const Distance distance = analysis.used.graph.distance.value_or(Distance::correlation);
  const bool is_ranked = distance == Distance::normal_scores || distance == Distance::spearman;
  return is_ranked ? distance : Distance::correlation;
}

}  // namespace

void add_units(const Study& study, const FeatureMatch& match, const Analysis& analysis, FigureData& figure_data,
               const Context& context) {
  if (study.design.units.empty()) return;
  const std::vector<DrawnGroup> groups = drawn_groups(analysis);
  const auto count = static_cast<Index>(groups.size());
  std::vector<std::vector<std::vector<Index>>> rows(study.conditions.size());
  std::vector<std::size_t> first_unit;
  for (std::size_t m = 0; m < study.conditions.size(); ++m) {
    first_unit.push_back(figure_data.units.size());
    for (auto& [name, own] : units_of(study.design.units[m])) {
      const Vector empty = Vector::Constant(count, unknown);
      figure_data.units.push_back({static_cast<Index>(m), static_cast<Index>(own.size()), name, empty, empty, empty});
      rows[m].push_back(std::move(own));
    }
  }
  for (Index g = 0; g < count; ++g) {
    context.check_stop();
    const std::vector<Index>& members = groups[at(g)].members;
    Vector sign = Vector::Ones(static_cast<Index>(members.size()));
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (groups[at(g)].opposite.contains(members[i])) sign[static_cast<Index>(i)] = -1.0;
    }
    std::vector<RowMatrix> values;
    for (std::size_t m = 0; m < study.conditions.size(); ++m) {
      values.push_back(values_of(study.conditions[m], match.columns[m], members));
    }
    standardize(values);
    for (std::size_t m = 0; m < study.conditions.size(); ++m) {
      std::vector<Index> columns;
      for (const Index j : members) columns.push_back(match.columns[m][at(j)]);
      const PreparedColumns prepared(study.conditions[m], columns, scores_of(analysis), context);
      Matrix scored(prepared.samples(), prepared.features());
      prepared.fill_points(scored, 0, context);
      const Vector score = values[m] * sign / static_cast<double>(members.size());
      context.parallel_for(static_cast<Index>(rows[m].size()), [&](Index u) {
        UnitFigure& unit = figure_data.units[first_unit[m] + at(u)];
        const std::vector<Index>& own = rows[m][at(u)];
        const Vector here = score(own);
        unit.score[g] = here.mean();
        if (own.size() > 1)
          unit.variance[g] = (here.array() - here.mean()).square().sum() / static_cast<double>(own.size() - 1);
        unit.correlation[g] = mean_correlation(scored(own, Eigen::all) * sign.asDiagonal());
      });
    }
  }
}

}  // namespace disc
