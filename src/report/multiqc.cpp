// The groups of a run as MultiQC shows them: a table of "custom content", https://docs.seqera.io/multiqc/custom_content
#include <algorithm>

#include "base/markup.hpp"
#include "io/text_table.hpp"
#include "report/images.hpp"
#include "report/run_data.hpp"

namespace disc {
namespace report {
namespace {

std::string title_of(const Json& summary) {
  const Json& given = summary.at("settings").value("given", Json::object());
  if (given.contains("title") && given["title"].is_string()) return given["title"];
  std::string title;
  for (const Json& condition : summary.at("conditions")) {
    title += (title.empty() ? "" : " vs ") + condition.at("name").get<std::string>();
  }
  return title;
}

Json headers() {
  const auto column = [](const char* title, const char* description, const char* format) {
    return Json{{"title", title}, {"description", description}, {"format", format}};
  };
  return {{"condition", {{"title", "Condition"}, {"description", "in which the group is found"}}},
          {"features", column("Features", "members of the group", "{:,.0f}")},
          {"core", column("Core", "members whose connections with each other are new", "{:,.0f}")},
          {"p", column("p", "permutation p-value, corrected for all groups and conditions", "{:.2g}")},
          {"stability", column("Stability", "mean Jaccard index over bootstraps", "{:.2f}")},
          {"here", column("r here", "mean correlation within the group, in its condition", "{:.2f}")},
          {"elsewhere", column("r elsewhere", "the largest of the other conditions", "{:.2f}")}};
}

Json row_of(const Json& group, const std::string& condition) {
  Json row = {{"condition", escape_markup(condition)}, {"features", group.at("size")}};
  for (const auto& [name, field] : {std::pair{"core", "core_size"}, {"p", "p"}, {"stability", "stability"}}) {
    if (group.contains(field) && group[field].is_number()) row[name] = group[field];
  }
  const Json& evidence = group.value("conditions", Json(nullptr));
  if (!evidence.is_array()) return row;
  for (const Json& one : evidence) {
    if (!one.at("mean_correlation").is_number()) continue;
    const double value = one["mean_correlation"];
    if (one.at("condition") == condition) {
      row["here"] = rounded(value, 3);
    } else if (!row.contains("elsewhere") || row["elsewhere"].get<double>() < value) {
      row["elsewhere"] = rounded(value, 3);
    }
  }
  return row;
}

Json table_of(Run run) {
  normalize_groups(run.summary, read_groups(run));
  const std::string title = escape_markup(title_of(run.summary));
  Json data = Json::object();
  for (const Json& condition : run.summary.at("conditions")) {
    for (const Json& group : condition.at("groups")) {
      data[title + ": " + escape_markup(group.at("label").get<std::string>())] = row_of(group, condition.at("name"));
    }
  }
  if (data.empty()) data[title + ": no group"] = {{"features", 0}};
  return {{"id", "disc_groups"},
          {"section_name", "DiSC"},
          {"description", "groups of features that are connected in one condition and not in the others"},
          {"plot_type", "table"},
          {"pconfig", {{"id", "disc_groups_table"}, {"title", "DiSC: groups of features"}, {"namespace", "DiSC"}}},
          {"headers", headers()},
          {"data", std::move(data)}};
}

}  // namespace
}  // namespace report

std::string multiqc_json(const OutputFolder& files) {
  using report::Json;
  return report::table_of(report::Run(report::files_written(files)))
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace disc
