#include "pipeline/sample_columns.hpp"

#include <algorithm>

#include "disc/spelling.hpp"

namespace disc {
namespace {

std::optional<std::size_t> find_column(const TextTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name);
  if (found == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns.begin());
}

// "subject:_" is the part of `subject` before its last '_': 309_1, 309_2 are 309.
struct PartOfLabel {
  std::string name;
  char end = 0;  // 0: the whole
};

PartOfLabel part_of_label(const std::string& column) {
  const std::size_t size = column.size();
  const bool has_end =
      size > 2 && column[size - 2] == ':' && std::string_view("_-.:/ ").find(column.back()) != std::string_view::npos;
  return has_end ? PartOfLabel{column.substr(0, size - 2), column.back()} : PartOfLabel{column};
}

std::vector<std::string> labels_of(const Dataset& dataset) {
  std::vector<std::string> names;
  for (const LabelColumn& label : dataset.labels) names.push_back(label.name);
  return names;
}

[[noreturn]] void refuse_unknown(const Dataset& dataset, const std::string& column, const std::string& option) {
  const std::vector<std::string> labels = labels_of(dataset);
  if (labels.empty()) {
    throw OptionError(option, column,
                      "the data have no labels; give a table of the samples, --metadata FILE" +
                          std::string(std::ranges::find(dataset.features, column) == dataset.features.end()
                                          ? ""
                                          : "; or is it a column of the file? Then say so: --labels " + column));
  }
  std::string known;
  for (const std::string& label : labels) known += (known.empty() ? "" : ", ") + label;
  throw InputError({.file = dataset.source, .value = column}, "has no label '" + column + "'; there are " + known +
                                                                  ", or give a table, --metadata FILE" +
                                                                  did_you_mean(column, labels));
}

}  // namespace

SampleColumns::SampleColumns(const std::string& table, bool by_condition) : file_(table) {
  if (file_.empty()) return;
  table_ = read_tsv(file_);
  const std::size_t sample = find_column(table_, "sample").value_or(0);
  const std::optional<std::size_t> condition = find_column(table_, "condition");
  by_condition_ = by_condition && condition;
  for (std::size_t row = 0; row < table_.rows.size(); ++row) {
    const auto& cells = table_.rows[row];
    if (!row_of_.try_emplace({by_condition_ ? cells[*condition] : "", cells[sample]}, row).second) {
      throw InputError(
          {.file = file_, .line = static_cast<Index>(row) + 2, .value = cells[sample]},
          "sample '" + cells[sample] + "' is listed twice; a column 'condition' tells samples of one name apart");
    }
  }
}

std::vector<std::string> SampleColumns::of(const Dataset& dataset, const std::string& column, const std::string& option,
                                           bool every_sample) const {
  const PartOfLabel part = part_of_label(column);
  if (part.end == 0) return whole(dataset, column, option, every_sample);
  std::vector<std::string> values = whole(dataset, part.name, option, every_sample);
  for (std::string& value : values) value = value.substr(0, value.rfind(part.end));
  return values;
}

void SampleColumns::add_labels(Dataset& dataset) const {
  const std::size_t sample = find_column(table_, "sample").value_or(0);
  for (std::size_t column = 0; column < table_.columns.size(); ++column) {
    const std::string& name = table_.columns[column];
    if (column == sample || std::ranges::find(dataset.labels, name, &LabelColumn::name) != dataset.labels.end())
      continue;
    dataset.labels.push_back({name, whole(dataset, name, "metadata", false)});
  }
}

std::vector<std::string> SampleColumns::whole(const Dataset& dataset, const std::string& column,
                                              const std::string& option, bool every_sample) const {
  const auto label = std::ranges::find(dataset.labels, column, &LabelColumn::name);
  const bool in_table = find_column(table_, column).has_value();
  if (!in_table && label != dataset.labels.end()) return label->values;
  if (!in_table && column == "sample") return dataset.samples;
  if (file_.empty()) refuse_unknown(dataset, column, option);
  const auto index = static_cast<std::size_t>(table_.column(column, file_));
  std::vector<std::string> values;
  for (const std::string& name : dataset.samples) {
    const auto found = row_of_.find({by_condition_ ? dataset.name : "", name});
    if (found == row_of_.end() && every_sample) {
      throw InputError({.file = file_, .value = name},
                       "there is no row for sample '" + name + "' of condition '" + dataset.name + "'");
    }
    values.push_back(found == row_of_.end() ? "" : table_.rows[found->second][index]);
  }
  return values;
}

}  // namespace disc
