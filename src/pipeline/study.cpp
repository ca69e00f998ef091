#include "pipeline/study.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

namespace disc {
namespace {

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    const auto first = part.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    parts.push_back(part.substr(first, part.find_last_not_of(' ') - first + 1));
  }
  return parts;
}

std::size_t find_condition(std::span<const Dataset> conditions, const std::string& name, const std::string& contrast) {
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    if (conditions[m].name == name) return m;
  }
  std::string known;
  for (const Dataset& condition : conditions) known += (known.empty() ? "" : ", ") + condition.name;
  throw OptionError("contrast", contrast, "there is no condition '" + name + "'; there are " + known);
}

// "B, C vs A": the targets are before the word, what they are compared with after it.
void choose_conditions(std::span<const Dataset> conditions, const std::string& contrast, Study& study) {
  if (contrast.empty()) {
    study.conditions.assign(conditions.begin(), conditions.end());
    study.is_target.assign(conditions.size(), true);
    return;
  }
  const std::size_t middle = contrast.find(" vs ");
  const std::vector<std::string> targets = split_at(contrast.substr(0, middle), ',');
  const std::vector<std::string> others =
      middle == std::string::npos ? std::vector<std::string>() : split_at(contrast.substr(middle + 4), ',');
  if (targets.size() != 1 || others.empty()) {
    throw OptionError("contrast", contrast, "must be one condition, the word vs, and one or more others: \"B vs A,C\"");
  }
  std::set<std::size_t> taken;
  const auto take = [&](const std::string& name, bool is_target) {
    const std::size_t m = find_condition(conditions, name, contrast);
    if (!taken.insert(m).second) throw OptionError("contrast", contrast, "names '" + name + "' twice");
    study.conditions.push_back(conditions[m]);
    study.is_target.push_back(is_target);
  };
  take(targets.front(), true);
  for (const std::string& name : others) take(name, false);
}

// The rows of the table that belong to the samples of each condition.
class SampleTable {
 public:
  SampleTable(const std::string& file, std::span<const Dataset> conditions) : file_(file), table_(read_tsv(file)) {
    const auto index_of = [&](const std::string& name) {
      return std::ranges::find(table_.columns, name) - table_.columns.begin();
    };
    const auto columns = static_cast<std::ptrdiff_t>(table_.columns.size());
    const std::ptrdiff_t sample = index_of("sample") < columns ? index_of("sample") : 0;
    const std::ptrdiff_t condition = index_of("condition");
    std::map<std::pair<std::string, std::string>, std::size_t> row_of;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const auto& cells = table_.rows[row];
      const std::string where = condition < columns ? cells[static_cast<std::size_t>(condition)] : "";
      const std::string& name = cells[static_cast<std::size_t>(sample)];
      if (!row_of.try_emplace({where, name}, row).second) {
        throw InputError({.file = file_, .line = static_cast<Index>(row) + 2, .value = name},
                         "sample '" + name + "' is listed twice; a column 'condition' tells samples of one name apart");
      }
    }
    for (const Dataset& data : conditions) {
      rows_.emplace_back();
      for (const std::string& name : data.samples) {
        const auto found = row_of.find({condition < columns ? data.name : "", name});
        if (found == row_of.end()) {
          throw InputError({.file = file_, .value = name},
                           "there is no row for sample '" + name + "' of condition '" + data.name + "'");
        }
        rows_.back().push_back(found->second);
      }
    }
  }

  std::vector<std::vector<std::string>> column(const std::string& name) const {
    const auto index = static_cast<std::size_t>(table_.column(name, file_));
    std::vector<std::vector<std::string>> cells;
    for (const auto& rows : rows_) {
      cells.emplace_back();
      for (const std::size_t row : rows) cells.back().push_back(table_.rows[row][index]);
    }
    return cells;
  }

 private:
  std::string file_;
  TextTable table_;
  std::vector<std::vector<std::size_t>> rows_;  // per condition and sample
};

// A column of numbers as it is; a column of words as one indicator per word but the first.
Matrix encode(const std::vector<std::string>& cells) {
  const auto samples = static_cast<Index>(cells.size());
  Matrix numbers(samples, 1);
  bool is_number = true;
  for (Index i = 0; i < samples && is_number; ++i) {
    const std::string& cell = cells[static_cast<std::size_t>(i)];
    const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), numbers(i, 0));
    is_number = failure == std::errc() && end == cell.data() + cell.size() && std::isfinite(numbers(i, 0));
  }
  if (is_number) return numbers;
  const std::set<std::string> words(cells.begin(), cells.end());
  Matrix indicators = Matrix::Zero(samples, static_cast<Index>(words.size()) - 1);
  for (Index i = 0; i < samples; ++i) {
    const auto word = std::distance(words.begin(), words.find(cells[static_cast<std::size_t>(i)]));
    if (word > 0) indicators(i, word - 1) = 1.0;
  }
  return indicators;
}

// What a linear model of the covariates does not explain, within one condition. Means stay.
void remove_covariates(Dataset& condition, const std::vector<std::vector<std::string>>& columns) {
  const Index samples = condition.values.rows();
  Matrix model = Matrix::Zero(samples, 0);
  for (const auto& cells : columns) {
    const Matrix encoded = encode(cells);
    model.conservativeResize(Eigen::NoChange, model.cols() + encoded.cols());
    model.rightCols(encoded.cols()) = encoded.rowwise() - encoded.colwise().mean();
  }
  if (model.cols() == 0) return;
  if (samples < model.cols() + 3) {
    throw InputError({.file = condition.source}, "condition '" + condition.name + "' has " + std::to_string(samples) +
                                                     " samples, too few to remove " + std::to_string(model.cols()) +
                                                     " covariates");
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

void require_table(const DesignOptions& options) {
  if (!options.samples.empty()) return;
  const std::pair<const char*, const std::string*> columns[] = {{"unit", &options.unit},
                                                                {"strata", &options.strata},
                                                                {"paired", &options.paired},
                                                                {"covariate", &options.covariate}};
  for (const auto& [name, value] : columns) {
    if (!value->empty()) throw OptionError(name, *value, "needs a table of the samples, --samples FILE");
  }
}

}  // namespace

Study make_study(std::span<const Dataset> conditions, const RunOptions& run_options, const Context& context) {
  const DesignOptions& options = run_options.design;
  Study study;
  choose_conditions(conditions, options.contrast, study);
  if (run_options.normalisation == Normalisation::log_cpm) {
    study.conditions = normalise_counts(study.conditions, context);
  }
  require_table(options);
  if (options.samples.empty()) return study;
  if (!options.paired.empty() && !options.unit.empty()) {
    throw OptionError("paired", options.paired, "cannot be combined with --unit: a pair's samples are its units");
  }
  const SampleTable table(options.samples, study.conditions);
  if (!options.unit.empty()) study.design.units = table.column(options.unit);
  if (!options.strata.empty()) study.design.strata = table.column(options.strata);
  if (!options.paired.empty()) {
    study.design.units = table.column(options.paired);
    const auto outer = study.design.strata;
    study.design.strata = study.design.units;
    for (std::size_t m = 0; m < outer.size(); ++m) {
      for (std::size_t i = 0; i < outer[m].size(); ++i) study.design.strata[m][i] += "\t" + outer[m][i];
    }
  }
  std::vector<std::vector<std::vector<std::string>>> columns;
  for (const std::string& name : split_at(options.covariate, ',')) columns.push_back(table.column(name));
  for (std::size_t m = 0; m < study.conditions.size(); ++m) {
    std::vector<std::vector<std::string>> own;
    own.reserve(columns.size());
    for (const auto& column : columns) own.push_back(column[m]);
    if (!own.empty()) remove_covariates(study.conditions[m], own);
  }
  return study;
}

}  // namespace disc
