#include "pipeline/encode.hpp"

#include <algorithm>
#include <cmath>

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

NamedArray column_of(const std::string& name, const std::vector<Index>& values) {
  return {name, {static_cast<Index>(values.size()), 1}, {values.begin(), values.end()}, {}};
}

// The matrices of all conditions, one below the other.
NamedArray stacked(const std::string& name, const std::vector<RowMatrix>& matrices) {
  NamedArray array{name, {0, 0}, {}, {}};
  for (const RowMatrix& matrix : matrices) {
    array.shape = {array.shape[0] + matrix.rows(), matrix.cols()};
    array.numbers.insert(array.numbers.end(), matrix.data(), matrix.data() + matrix.size());
  }
  return array;
}

std::string cell(double value) { return std::isfinite(value) ? format_number(value) : ""; }

}  // namespace

std::string samples_tsv(const Analysis& analysis) {
  std::vector<std::string> columns{"condition", "sample", "component_1", "component_2"};
  for (const ConditionResult& condition : analysis.conditions) {
    for (std::size_t g = 0; g < condition.groups.groups.size(); ++g) {
      columns.push_back("group_" + condition.name + "_" + group_name(condition.groups, g));
    }
  }
  if (!analysis.figure_data.samples.empty()) {
    for (const LabelColumn& label : analysis.figure_data.samples.front().labels) {
      columns.push_back("label_" + label.name);
    }
  }
  std::string text = encode_tsv({columns, {}});
  std::size_t samples = 0;
  for (const SampleFigure& picture : analysis.figure_data.samples) samples += picture.names.size();
  for (std::size_t m = 0; m < analysis.figure_data.samples.size(); ++m) {
    const SampleFigure& picture = analysis.figure_data.samples[m];
    for (std::size_t i = 0; i < picture.names.size(); ++i) {
      const auto row = static_cast<Index>(i);
      std::vector<std::string> cells{analysis.conditions[m].name, picture.names[i], cell(picture.components(row, 0)),
                                     cell(picture.components(row, 1))};
      for (const double value : picture.meta_features.row(row)) cells.push_back(cell(value));
      for (const LabelColumn& label : picture.labels) cells.push_back(label.values[i]);
      const std::string line = encode_tsv({cells, {}});  // line by line: there may be very many samples
      if (m == 0 && i == 0) text.reserve(text.size() + samples * (line.size() + line.size() / 16));
      text += line;
    }
  }
  return text;
}

std::string units_tsv(const Analysis& analysis) {
  TextTable table{
      {"condition", "group", "unit_condition", "unit", "unit_size", "score", "variance", "mean_correlation"}, {}};
  Index column = 0;
  for (const ConditionResult& condition : analysis.conditions) {
    for (std::size_t g = 0; g < condition.groups.groups.size(); ++g, ++column) {
      for (const UnitFigure& unit : analysis.figure_data.units) {
        table.rows.push_back({condition.name, group_name(condition.groups, g),
                              analysis.conditions[at(unit.condition)].name, unit.name, std::to_string(unit.samples),
                              cell(unit.score[column]), cell(unit.variance[column]), cell(unit.correlation[column])});
      }
    }
  }
  return encode_tsv(table);
}

namespace {

void add_group(const GroupFigure& group, const std::string& name, std::vector<NamedArray>& arrays) {
  arrays.push_back(column_of("members_" + name, group.features));
  arrays.push_back(stacked("group_" + name, group.weights));
  if (group.correlations.empty()) return;
  arrays.push_back(stacked("correlations_" + name, group.correlations));
  arrays.push_back(
      {"core_correlation_" + name, {static_cast<Index>(group.core_correlation.size()), 1}, group.core_correlation, {}});
}

// Rows of different lengths as a matrix; -1 stands where a row has ended.
NamedArray padded(const std::string& name, const PartnerFigure& partners, bool of_weights) {
  std::size_t longest = 1;  // an array without a column could not be read
  for (const auto& row : partners.features) longest = std::max(longest, row.size());
  NamedArray array{name, {static_cast<Index>(partners.features.size()), static_cast<Index>(longest)}, {}, {}};
  array.numbers.assign(partners.features.size() * longest, -1.0);
  for (std::size_t j = 0; j < partners.features.size(); ++j) {
    for (std::size_t k = 0; k < partners.features[j].size(); ++k) {
      array.numbers[j * longest + k] =
          of_weights ? partners.weights[j][k] : static_cast<double>(partners.features[j][k]);
    }
  }
  return array;
}

// What is known only where one process has all values.
void add_details(const FigureData& figure_data, const std::vector<std::string>& keys, std::vector<NamedArray>& arrays) {
  if (!figure_data.values.features.empty()) {
    arrays.push_back(column_of("value_features", figure_data.values.features));
    for (std::size_t m = 0; m < keys.size(); ++m) {
      arrays.push_back(column_of("value_samples_" + keys[m], figure_data.values.samples[m]));
      arrays.push_back(to_array("values_" + keys[m], figure_data.values.values[m]));
    }
  }
  for (std::size_t m = 0; m < figure_data.partners.size(); ++m) {
    arrays.push_back(padded("partners_" + keys[m], figure_data.partners[m], false));
    arrays.push_back(padded("partner_weights_" + keys[m], figure_data.partners[m], true));
  }
  for (std::size_t m = 0; m < figure_data.means.size(); ++m) {
    arrays.push_back(to_array("means_" + keys[m], Matrix(figure_data.means[m])));
  }
}

}  // namespace

std::string figure_data_npz(const Analysis& analysis, const std::vector<std::string>& keys) {
  const FigureData& figure_data = analysis.figure_data;
  std::vector<NamedArray> arrays = {column_of("order", figure_data.weights.order),
                                    column_of("bin_start", figure_data.weights.bin_start),
                                    column_of("column", figure_data.column)};
  for (std::size_t m = 0; m < figure_data.weights.weights.size(); ++m) {
    arrays.push_back(to_array("weights_" + keys[m], figure_data.weights.weights[m]));
  }
  for (const GroupFigure& group : figure_data.weights.groups) {
    const std::size_t m = at(group.condition);
    add_group(group, keys[m] + "_" + group_name(analysis.conditions[m].groups, at(group.group)), arrays);
  }
  add_details(figure_data, keys, arrays);
  return encode_npz(std::move(arrays));
}

}  // namespace disc
