#include "prepare/covariates.hpp"

#include <Eigen/QR>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace disc {
namespace {

// Whole numbers of at most so many different values, with at least so many samples each (mean), are levels of a factor.
constexpr std::size_t max_levels = 10;
constexpr double min_samples_per_level = 5;
constexpr Index min_degrees_left = 3;  // samples beyond the columns of the model

enum class Kind { number, factor };

std::optional<double> number_in(const std::string& cell) {
  double value = 0;
  const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (failure != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Kind kind_of(const Covariate& covariate) {
  std::set<double> values;
  std::size_t samples = 0;
  bool are_whole = true;
  for (const auto& cells : covariate.cells) {
    for (const std::string& cell : cells) {
      const std::optional<double> value = number_in(cell);
      if (!value) return Kind::factor;
      are_whole = are_whole && *value == std::floor(*value);
      values.insert(*value);
    }
    samples += cells.size();
  }
  const bool are_few = values.size() <= max_levels &&
                       static_cast<double>(samples) >= min_samples_per_level * static_cast<double>(values.size());
  return are_whole && are_few ? Kind::factor : Kind::number;
}

// Numbers as they are; a factor as one indicator per level but the first.
Matrix encode(const std::vector<std::string>& cells, Kind kind) {
  const auto samples = static_cast<Index>(cells.size());
  if (kind == Kind::number) {
    Matrix numbers(samples, 1);
    for (Index i = 0; i < samples; ++i) numbers(i, 0) = number_in(cells[static_cast<std::size_t>(i)]).value_or(0.0);
    return numbers;
  }
  const std::set<std::string> levels(cells.begin(), cells.end());
  Matrix indicators = Matrix::Zero(samples, static_cast<Index>(levels.size()) - 1);
  for (Index i = 0; i < samples; ++i) {
    const auto level = std::distance(levels.begin(), levels.find(cells[static_cast<std::size_t>(i)]));
    if (level > 0) indicators(i, level - 1) = 1.0;
  }
  return indicators;
}

void remove_model(Dataset& condition, const Matrix& model) {
  const Index samples = condition.values.rows();
  if (model.cols() == 0) return;
  if (samples < model.cols() + min_degrees_left) {
    throw InputError({.file = condition.source}, "condition '" + condition.name + "' has " + std::to_string(samples) +
                                                     " samples, too few to remove " + std::to_string(model.cols()) +
                                                     " columns of covariates");
  }
  std::vector<Index> all(static_cast<std::size_t>(condition.values.cols()));
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<Index>(j);
  RowMatrix values;
  condition.values.copy_rows(0, samples, all, values);
  const Eigen::ColPivHouseholderQR<Matrix> factors(model);
  const Matrix basis = factors.householderQ() * Matrix::Identity(samples, factors.rank());
  values -= basis * (basis.transpose() * values);
  condition.values = SampleMatrix(std::move(values));
}

}  // namespace

void remove_covariates(std::vector<Dataset>& conditions, std::span<const Covariate> covariates,
                       std::vector<PreparationStep>& steps) {
  std::vector<Matrix> models;
  for (const Dataset& condition : conditions) models.emplace_back(condition.values.rows(), 0);
  for (const Covariate& covariate : covariates) {
    const Kind kind = kind_of(covariate);
    for (std::size_t m = 0; m < conditions.size(); ++m) {
      const Matrix encoded = encode(covariate.cells[m], kind);
      models[m].conservativeResize(Eigen::NoChange, models[m].cols() + encoded.cols());
      models[m].rightCols(encoded.cols()) = encoded.rowwise() - encoded.colwise().mean();
      steps.push_back({"covariate " + covariate.name, conditions[m].name,
                       kind == Kind::factor ? "levels centered" : "slopes removed",
                       kind == Kind::factor ? encoded.cols() + 1 : encoded.cols()});
    }
  }
  for (std::size_t m = 0; m < conditions.size(); ++m) remove_model(conditions[m], models[m]);
}

bool can_be_centered(const Covariate& factor) {
  for (const auto& cells : factor.cells) {
    const std::set<std::string> levels(cells.begin(), cells.end());
    if (static_cast<double>(cells.size()) < min_samples_per_level * static_cast<double>(levels.size())) return false;
  }
  return true;
}

}  // namespace disc
