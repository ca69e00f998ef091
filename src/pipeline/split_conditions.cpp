// One file, several conditions: a label says which sample belongs to which.
#include <algorithm>

#include "disc/spelling.hpp"
#include "disc/where.hpp"
#include "pipeline/sample_columns.hpp"

namespace disc {
namespace {

// Those asked for, which must be there; or all.
std::vector<std::string> choose_values(const LabelColumn& column, std::span<const std::string> wanted) {
  constexpr std::size_t most = 50;
  const std::vector<std::string> all = distinct_values(column);
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 20); ++i) list += (i > 0 ? ", " : "") + all[i];
  if (all.size() > 20) list += ", ...";
  for (const std::string& value : wanted) {
    if (std::ranges::find(all, value) != all.end()) continue;
    throw OptionError("names", value,
                      "is not a value of '" + column.name + "', which has " + list + did_you_mean(value, all));
  }
  std::vector<std::string> values = wanted.empty() ? all : std::vector<std::string>(wanted.begin(), wanted.end());
  if (values.size() < 2) {
    throw OptionError("by", column.name,
                      "must have two values at least, to compare; there is " +
                          (list.empty() ? std::string("none") : "'" + list + "'"));
  }
  if (values.size() > most) {
    throw OptionError("by", column.name,
                      "has " + std::to_string(values.size()) + " values, " + list + "; choose at most " +
                          std::to_string(most) + " of them with --names");
  }
  return values;
}

}  // namespace

std::vector<Dataset> split_conditions(const Dataset& all, const DesignOptions& design,
                                      std::span<const std::string> wanted, const Context& context) {
  const Dataset dataset = std::move(select_where({all}, design, context).front());
  const SampleColumns columns(design.metadata, false);
  const LabelColumn label{design.by, columns.of(dataset, design.by, "by", false)};
  std::vector<Dataset> conditions;
  for (const std::string& value : choose_values(label, wanted)) {
    context.check_stop();
    std::vector<Index> rows;
    for (std::size_t i = 0; i < label.values.size(); ++i) {
      if (label.values[i] == value) rows.push_back(static_cast<Index>(i));
    }
    conditions.push_back(select_samples(dataset, rows));
    conditions.back().name = value;
  }
  const Index missing = std::ranges::count(label.values, "");
  if (missing > 0) {
    context.warn(std::to_string(missing) + " of " + std::to_string(label.values.size()) +
                 " samples have no value of '" + design.by + "' and are excluded");
  }
  return conditions;
}

}  // namespace disc
