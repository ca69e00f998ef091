#include "pipeline/sample_columns.hpp"

#include <algorithm>

namespace disc {
namespace {

std::optional<std::size_t> find_column(const TextTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name);
  if (found == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns.begin());
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
  const auto label = std::ranges::find(dataset.labels, column, &LabelColumn::name);
  if (!find_column(table_, column) && label != dataset.labels.end()) return label->values;
  if (file_.empty()) {
    if (dataset.labels.empty()) {
      throw OptionError(option, column, "needs a table of the samples, --metadata FILE: the data have no labels");
    }
    std::string known;
    for (const LabelColumn& other : dataset.labels) known += (known.empty() ? "" : ", ") + other.name;
    throw InputError({.file = dataset.source, .value = column},
                     "has no label '" + column + "'; there are " + known + ", or give a table, --metadata FILE");
  }
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
