#include "pipeline/encode.hpp"

#include <cmath>

namespace disc {
namespace {

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
      const std::string line = encode_tsv({cells, {}});  // line by line: there may be very many samples
      if (m == 0 && i == 0) text.reserve(text.size() + samples * (line.size() + line.size() / 16));
      text += line;
    }
  }
  return text;
}

std::string figure_data_npz(const Analysis& analysis, const std::vector<std::string>& keys) {
  const FigureData& figure_data = analysis.figure_data;
  std::vector<NamedArray> arrays = {column_of("order", figure_data.weights.order),
                                    column_of("line_begin", figure_data.weights.line_begin),
                                    column_of("column", figure_data.column)};
  for (std::size_t m = 0; m < figure_data.weights.weights.size(); ++m) {
    arrays.push_back(to_array("weights_" + keys[m], figure_data.weights.weights[m]));
  }
  for (const GroupFigure& group : figure_data.weights.groups) {
    const auto m = static_cast<std::size_t>(group.condition);
    const std::string name =
        keys[m] + "_" + group_name(analysis.conditions[m].groups, static_cast<std::size_t>(group.group));
    arrays.push_back(column_of("members_" + name, group.features));
    arrays.push_back(stacked("group_" + name, group.weights));
  }
  return encode_npz(std::move(arrays));
}

}  // namespace disc
