// Where the samples lie: meta-features and principal components. method (9)
#include <algorithm>
#include <numeric>
#include <set>

#include "io/embedding.hpp"
#include "pipeline/figure_data.hpp"
#include "spectral/symmetric_dense.hpp"

namespace disc {
namespace {

constexpr Index max_component_features = 300;
constexpr Index rows_at_a_time = 32;  // of a group of very many features they stay near the processor

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Calls f(condition, first row, values) for all samples, some rows at a time, with the given features as columns.
template <class F>
void for_each_block(std::span<const Dataset> conditions, const FeatureMatch& match, std::span<const Index> features,
                    const Context& context, F&& f) {
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    std::vector<Index> columns;
    for (const Index feature : features) columns.push_back(match.columns[m][at(feature)]);
    RowMatrix values;
    for (Index first = 0; first < conditions[m].values.rows(); first += rows_at_a_time) {
      context.check_stop();
      const Index count = std::min(rows_at_a_time, conditions[m].values.rows() - first);
      conditions[m].values.copy_rows(first, count, columns, values);
      f(m, first, values);
    }
  }
}

// Mean and one over the standard deviation of each feature over the samples of all conditions.
struct Scale {
  Eigen::RowVectorXd mean, factor;
  void apply(RowMatrix& values) const {
    values = ((values.rowwise() - mean).array().rowwise() * factor.array()).matrix();
  }
};

Scale scale_of(std::span<const Dataset> conditions, const FeatureMatch& match, std::span<const Index> features,
               const Context& context) {
  const Index count = static_cast<Index>(features.size());
  Scale scale{Eigen::RowVectorXd::Zero(count), Eigen::RowVectorXd::Zero(count)};
  double samples = 0;
  for_each_block(conditions, match, features, context, [&](std::size_t, Index, const RowMatrix& values) {
    scale.mean += values.colwise().sum();
    samples += static_cast<double>(values.rows());
  });
  scale.mean /= samples;
  for_each_block(conditions, match, features, context, [&](std::size_t, Index, const RowMatrix& values) {
    scale.factor += (values.rowwise() - scale.mean).array().square().matrix().colwise().sum();
  });
  const auto variance = scale.factor.array() / samples;
  scale.factor = (variance > 0).select(variance.rsqrt(), 0.0).matrix().eval();
  return scale;
}

}  // namespace

std::vector<Index> features_with_most_energy(const Analysis& analysis) {
  Vector energy = Vector::Zero(static_cast<Index>(analysis.features.size()));
  for (const ConditionResult& condition : analysis.conditions) {
    if (condition.groups.energy.size() == energy.size()) energy = energy.cwiseMax(condition.groups.energy);
  }
  std::vector<Index> features(analysis.features.size());
  std::iota(features.begin(), features.end(), Index{0});
  std::ranges::stable_sort(features, std::greater<>(), [&](Index j) { return energy[j]; });
  features.resize(std::min(features.size(), at(max_component_features)));
  std::ranges::sort(features);
  return features;
}

void add_components(std::span<const Dataset> conditions, const FeatureMatch& match, std::span<const Index> features,
                    FigureData& figure_data, const Context& context) {
  const Scale scale = scale_of(conditions, match, features, context);
  const Index count = static_cast<Index>(features.size());
  figure_data.component_features = count;
  Matrix covariance = Matrix::Zero(count, count);
  for_each_block(conditions, match, features, context, [&](std::size_t, Index, RowMatrix& values) {
    scale.apply(values);
    covariance.selfadjointView<Eigen::Lower>().rankUpdate(values.transpose());
  });
  Matrix axes = small_symmetric_eigen(std::move(covariance)).vectors.rightCols(2).rowwise().reverse();
  for (Index k = 0; k < axes.cols(); ++k) {
    Index largest = 0;
    axes.col(k).cwiseAbs().maxCoeff(&largest);
    if (axes(largest, k) < 0) axes.col(k) = -axes.col(k);
  }
  for_each_block(conditions, match, features, context, [&](std::size_t m, Index first, RowMatrix& values) {
    scale.apply(values);
    figure_data.samples[m].components.middleRows(first, values.rows()) = values * axes;
  });
}

void add_meta_feature(std::span<const Dataset> conditions, const FeatureMatch& match, std::span<const Index> members,
                      const Vector& weights, Index column, FigureData& figure_data, const Context& context) {
  const Scale scale = scale_of(conditions, match, members, context);
  for_each_block(conditions, match, members, context, [&](std::size_t m, Index first, RowMatrix& values) {
    scale.apply(values);
    figure_data.samples[m].meta_features.block(first, column, values.rows(), 1) = values * weights;
  });
}

namespace {

// A label of the samples can be drawn where it has a few different values; a name for every sample says nothing. Places of samples are
// drawn whatever they are.
std::vector<std::string> labels_to_draw(std::span<const Dataset> conditions) {
  constexpr std::size_t max_values = 24;
  constexpr std::size_t max_labels = 8;
  std::vector<std::string> names, places;
  for (const LabelColumn& label : conditions.front().labels) {
    std::set<std::string> values;
    bool everywhere = true;
    for (const Dataset& condition : conditions) {
      const auto own = std::ranges::find(condition.labels, label.name, &LabelColumn::name);
      everywhere = everywhere && own != condition.labels.end();
      if (everywhere) values.insert(own->values.begin(), own->values.end());
    }
    if (everywhere && io::is_embedding_label(label.name)) {
      places.push_back(label.name);
    } else if (everywhere && values.size() > 1 && values.size() <= max_values && names.size() < max_labels) {
      names.push_back(label.name);
    }
  }
  names.insert(names.end(), places.begin(), places.end());
  return names;
}

}  // namespace

void begin_samples(std::span<const Dataset> conditions, const Analysis& analysis, FigureData& figure_data) {
  const auto groups = static_cast<Index>(drawn_groups(analysis).size());
  const std::vector<std::string> drawn = labels_to_draw(conditions);
  for (const Dataset& condition : conditions) {
    const Index samples = condition.values.rows();
    std::vector<LabelColumn> labels;
    for (const std::string& name : drawn) {
      labels.push_back(*std::ranges::find(condition.labels, name, &LabelColumn::name));
    }
    figure_data.samples.push_back(
        {condition.samples, std::move(labels), RowMatrix::Zero(samples, 2), RowMatrix::Zero(samples, groups)});
  }
}

void add_samples(std::span<const Dataset> conditions, const FeatureMatch& match, const Analysis& analysis,
                 FigureData& figure_data, const Context& context) {
  begin_samples(conditions, analysis, figure_data);
  add_components(conditions, match, features_with_most_energy(analysis), figure_data, context);
  const std::vector<DrawnGroup> all = drawn_groups(analysis);
  context.parallel_for(static_cast<Index>(all.size()), [&](Index column) {
    const std::vector<Index>& members = all[at(column)].members;
    Vector weights = Vector::Constant(static_cast<Index>(members.size()), 1.0 / static_cast<double>(members.size()));
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (all[at(column)].opposite.contains(members[i])) weights[static_cast<Index>(i)] *= -1.0;
    }
    add_meta_feature(conditions, match, members, weights, column, figure_data, context);
  });
}

}  // namespace disc
