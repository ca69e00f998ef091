#include "report/run_data.hpp"

#include <charconv>
#include <cmath>

#include "io/number.hpp"
#include "io/text_table.hpp"
#include "report/images.hpp"

namespace disc::report {

Json cell_number(const std::string& cell) {
  double value = 0;
  const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return failure == std::errc() && end == cell.data() + cell.size() ? rounded(value) : Json(nullptr);
}

Json lower_triangle(const RowMatrix& matrix) {
  Json values = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) values.push_back(rounded(matrix(i, j), 3));
  }
  return values;
}

namespace {

// Exactly, where cell_number() rounds for the page; 0 where there is none.
double energy_in(const std::string& cell) {
  double value = 0;
  return io::read_cell_number(cell, value) && std::isfinite(value) ? value : 0.0;
}

}  // namespace

Run::Run(RunFiles all) : files(std::move(all)), summary(files.json("summary.json")) {
  const TextTable features = files.table("features.tsv");
  const std::size_t name = at(features.column("feature", "features.tsv"));
  const std::size_t used = at(features.column("used", "features.tsv"));
  for (const auto& row : features.rows) {
    if (row[used] == "yes") names.push_back(row[name]);
  }
  for (const Json& condition : summary.at("conditions")) {
    condition_names.push_back(tsv_cell(condition.at("name")));
    keys.push_back(condition.at("key"));
    const std::size_t column = at(features.column("energy_" + condition_names.back(), "features.tsv"));
    energy.emplace_back();
    for (const auto& row : features.rows) {
      if (row[used] == "yes") energy.back().push_back(energy_in(row[column]));
    }
  }
  for (std::size_t j = 0; j < names.size(); ++j) place_of.emplace(names[j], static_cast<Index>(j));
}

}  // namespace disc::report
