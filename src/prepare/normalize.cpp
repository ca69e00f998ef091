// Values on another scale, value by value or feature by feature.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "prepare/steps.hpp"

namespace disc {
namespace {

SampleMatrix square_roots(const Dataset& condition) {
  return changed(condition.values, [&](Index i, Index j, double value) {
    if (value >= 0 || std::isnan(value)) return std::sqrt(value);
    throw InputError({.file = condition.source, .value = std::to_string(value)},
                     "sample '" + condition.samples[static_cast<std::size_t>(i)] + "', feature '" +
                         condition.features[static_cast<std::size_t>(j)] + "' is " + std::to_string(value) +
                         "; --normalize sqrt needs values of at least 0");
  });
}

// Ranks 1 .. n of `values`, equal values share their mean rank; what is not a number stays.
void replace_by_ranks(std::vector<double>& values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    const double rank = 1.0 + 0.5 * static_cast<double>(first + last);
    for (std::size_t k = first + 1; k <= last; ++k) values[order[k]] = rank;
    values[order[first]] = rank;
    first = last + 1;
  }
}

SampleMatrix dense_ranks(const SampleMatrix& values, const Context& context) {
  RowMatrix ranks = dense_copy(values);
  for_column_blocks(ranks.cols(), context, [&](Index first, Index count) {
    for (Index j = first; j < first + count; ++j) {
      std::vector<double> column(ranks.col(j).begin(), ranks.col(j).end());
      replace_by_ranks(column);
      ranks.col(j) = Eigen::Map<const Vector>(column.data(), ranks.rows());
    }
  });
  return SampleMatrix(std::move(ranks));
}

// Zeros stay zeros: every rank is taken relative to theirs, which changes no correlation.
SampleMatrix sparse_ranks(const SparseMatrix& values, const Context& context) {
  Eigen::SparseMatrix<double, Eigen::ColMajor, Index> by_feature = values;
  for_column_blocks(by_feature.cols(), context, [&](Index first, Index count) {
    for (Index j = first; j < first + count; ++j) {
      double* const begin = by_feature.valuePtr() + by_feature.outerIndexPtr()[j];
      double* const end = by_feature.valuePtr() + by_feature.outerIndexPtr()[j + 1];
      std::vector<double> column(begin, end);
      const auto zeros = static_cast<double>(by_feature.rows()) - static_cast<double>(column.size());
      const auto negative = static_cast<double>(std::ranges::count_if(column, [](double value) { return value < 0; }));
      const auto stored_zeros = static_cast<double>(std::ranges::count(column, 0.0));
      const std::vector<double> given = column;
      replace_by_ranks(column);  // among the stored values: those above zero are preceded by the other zeros too
      const double rank_of_zero = negative + 0.5 * (zeros + stored_zeros + 1);
      for (std::size_t k = 0; k < column.size(); ++k) {
        begin[k] = given[k] == 0 ? 0 : column[k] + (given[k] > 0 ? zeros : 0) - rank_of_zero;
      }
    }
  });
  SparseMatrix ranks = by_feature;
  return SampleMatrix(std::move(ranks));
}

struct Moments {
  Vector mean, deviation;
};

Moments moments_of(const SampleMatrix& values) {
  const auto samples = static_cast<double>(values.rows());
  Vector mean = Vector::Zero(values.cols());
  for_each_stored(values, [&](Index, Index j, double value) { mean[j] += value / samples; });
  // Values that are not stored are as far from the mean as zero is.
  Vector squares = samples * mean.cwiseAbs2();
  for_each_stored(values, [&](Index, Index j, double value) {
    squares[j] += (value - mean[j]) * (value - mean[j]) - mean[j] * mean[j];
  });
  return {mean, (squares / samples).cwiseMax(0.0).cwiseSqrt()};
}

SampleMatrix zscores(const SampleMatrix& values) {
  const Moments moments = moments_of(values);
  const bool centered = !values.is_sparse();
  return changed(values, [&](Index, Index j, double value) {
    if (moments.deviation[j] == 0) return value;  // constant: excluded later
    return (value - (centered ? moments.mean[j] : 0.0)) / moments.deviation[j];
  });
}

const char* name_of(Normalization rule) {
  switch (rule) {
    case Normalization::log_cpm:
      return "log-cpm";
    case Normalization::square_root:
      return "sqrt";
    case Normalization::rank:
      return "rank";
    case Normalization::zscore:
      return "zscore";
    case Normalization::none:
      break;
  }
  return "none";
}

}  // namespace

void normalize(Preparation& work, Normalization rule, const Context& context) {
  if (rule == Normalization::none) return;
  if (rule == Normalization::log_cpm) work.conditions = normalize_counts(work.conditions, context);
  for (Dataset& condition : work.conditions) {
    SampleMatrix& values = condition.values;
    if (rule == Normalization::square_root) values = square_roots(condition);
    if (rule == Normalization::zscore) values = zscores(values);
    if (rule == Normalization::rank) {
      values = values.is_sparse() ? sparse_ranks(*values.sparse(), context) : dense_ranks(values, context);
    }
    work.steps.push_back(
        {std::string("normalize ") + name_of(rule), condition.name, "samples normalized", values.rows()});
  }
}

}  // namespace disc
