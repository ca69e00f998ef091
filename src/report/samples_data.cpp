// The samples of a run, values of single features in some of them, and the strongest connections of every feature.
#include <algorithm>
#include <cmath>

#include "report/images.hpp"
#include "report/run_data.hpp"

namespace disc::report {
namespace {

constexpr std::size_t max_samples = 1000;  // of one condition
constexpr double levels = 255;             // that a value is shown at
constexpr std::string_view label_prefix = "label_";

// Calls f(line, condition) for the lines below the header; the condition is that of the first cell, or past the last one.
template <class Function>
void for_each_sample(const Run& run, Function&& f) {
  const std::string_view text = run.files.text("samples.tsv");
  for (std::size_t begin = std::min(text.find('\n'), text.size() - 1) + 1; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const auto name = std::ranges::find(run.condition_names, line.substr(0, line.find('\t')));
    f(line, static_cast<std::size_t>(name - run.condition_names.begin()));
    begin = end + 1;
  }
}

// How many samples a condition has, and a table of some of them, evenly spaced. There may be very many: only these are taken apart.
struct SomeSamples {
  std::vector<std::size_t> total;
  TextTable table;
};

SomeSamples some_samples(const Run& run) {
  SomeSamples samples{std::vector<std::size_t>(run.condition_names.size() + 1), {}};
  for_each_sample(run, [&](std::string_view, std::size_t m) { ++samples.total[m]; });
  const std::string_view all = run.files.text("samples.tsv");
  std::string some(all.substr(0, all.find('\n')));
  some += '\n';
  std::vector<std::size_t> seen(samples.total.size()), kept(samples.total.size());
  for_each_sample(run, [&](std::string_view line, std::size_t m) {
    if (seen[m]++ != kept[m] * samples.total[m] / std::min(samples.total[m], max_samples)) return;
    ++kept[m];
    some.append(line) += '\n';
  });
  samples.table = decode_tsv(some, "samples.tsv");
  return samples;
}

// The columns of samples.tsv by what they hold.
struct SampleColumns {
  std::vector<std::size_t> groups, labels;
};

SampleColumns columns_of(const TextTable& table) {
  constexpr std::size_t columns_before_groups = 4;
  if (table.columns.size() < columns_before_groups) {
    throw InputError({.file = "samples.tsv"}, "has fewer than four columns");
  }
  SampleColumns columns;
  for (std::size_t k = columns_before_groups; k < table.columns.size(); ++k) {
    const bool is_label = table.columns[k].starts_with(label_prefix);
    if (is_label) columns.labels.push_back(k);
    if (!is_label && columns.groups.size() < max_drawn_groups) columns.groups.push_back(k);
  }
  return columns;
}

// Numbers, or texts, of one column in the rows of a condition.
Json column_of(const TextTable& table, const std::string& condition, std::size_t column, bool of_text) {
  Json list = Json::array();
  for (const auto& row : table.rows) {
    if (row[0] == condition) list.push_back(of_text ? Json(row[column]) : cell_number(row[column]));
  }
  return list;
}

// The names of some samples of every condition, by their places.
std::vector<Json> names_of_samples(const Run& run, const std::vector<std::vector<Index>>& places) {
  std::vector<Json> names(places.size(), Json::array());
  std::vector<Index> seen(places.size() + 1);
  for_each_sample(run, [&](std::string_view line, std::size_t m) {
    const Index place = seen[m]++;
    if (m == places.size() || !std::ranges::binary_search(places[m], place)) return;
    const std::size_t begin = line.find('\t') + 1;
    names[m].push_back(std::string(line.substr(begin, line.find('\t', begin) - begin)));
  });
  return names;
}

// Whole numbers between 0 and `levels`, from `low` to `high`: a picture needs no more.
Json to_levels(const Eigen::Ref<const Vector>& values, double low, double high) {
  Json list = Json::array();
  for (const double value : values) {
    const double share = high > low ? (value - low) / (high - low) : 0.0;
    list.push_back(std::isfinite(share) ? Json(static_cast<int>(std::lround(levels * share))) : Json(nullptr));
  }
  return list;
}

}  // namespace

Json describe_samples(const Run& run) {
  const SomeSamples samples = some_samples(run);
  const SampleColumns columns = columns_of(samples.table);
  Json list = Json::array();
  for (std::size_t m = 0; m < run.condition_names.size(); ++m) {
    const auto column = [&](std::size_t k, bool of_text) {
      return column_of(samples.table, run.condition_names[m], k, of_text);
    };
    Json meta_features = Json::array();
    for (const std::size_t k : columns.groups) meta_features.push_back(column(k, false));
    Json labels = Json::array();
    for (const std::size_t k : columns.labels) {
      labels.push_back({{"name", samples.table.columns[k].substr(label_prefix.size())}, {"values", column(k, true)}});
    }
    list.push_back({{"total", samples.total[m]},
                    {"names", column(1, true)},
                    {"x", column(2, false)},
                    {"y", column(3, false)},
                    {"metaFeatures", std::move(meta_features)},
                    {"labels", std::move(labels)}});
  }
  return list;
}

Json describe_values(const Run& run) {
  const std::string archive = "figure_data.npz";
  if (!run.files.has_array(archive, "value_features") || !run.files.has("samples.tsv")) return nullptr;
  const std::vector<Index> features = run.files.places(archive, "value_features", run.features());
  std::vector<RowMatrix> values;
  std::vector<std::vector<Index>> places;
  Vector low = Vector::Constant(static_cast<Index>(features.size()), HUGE_VAL);
  Vector high = -low;
  for (const std::string& key : run.keys) {
    values.push_back(run.files.array(archive, "values_" + key));
    places.push_back(run.files.places(archive, "value_samples_" + key, std::numeric_limits<int>::max()));
    if (values.back().cols() != low.size() || values.back().rows() != static_cast<Index>(places.back().size())) {
      throw InputError({.file = archive},
                       "array 'values_" + key + "' does not have the size of its features and samples");
    }
    if (values.back().rows() == 0) continue;
    low = low.cwiseMin(values.back().colwise().minCoeff().transpose());
    high = high.cwiseMax(values.back().colwise().maxCoeff().transpose());
  }
  const std::vector<Json> names = names_of_samples(run, places);
  Json conditions = Json::array();
  for (std::size_t m = 0; m < values.size(); ++m) {
    Json columns = Json::array();
    for (Index j = 0; j < low.size(); ++j) columns.push_back(to_levels(values[m].col(j), low[j], high[j]));
    conditions.push_back({{"samples", names[m]}, {"levels", std::move(columns)}});
  }
  Json list = Json::array();
  for (std::size_t j = 0; j < features.size(); ++j) {
    const auto k = static_cast<Index>(j);
    list.push_back({{"name", run.names[at(features[j])]}, {"low", rounded(low[k])}, {"high", rounded(high[k])}});
  }
  return {{"features", std::move(list)}, {"top", levels}, {"conditions", std::move(conditions)}};
}

Json describe_partners(const Run& run, const std::vector<Index>& shown) {
  const std::string archive = "figure_data.npz";
  if (!run.files.has_array(archive, "partners_" + run.keys.front())) return nullptr;
  Json conditions = Json::array();
  for (const std::string& key : run.keys) {
    const RowMatrix partners = run.files.array(archive, "partners_" + key);
    const RowMatrix weights = run.files.array(archive, "partner_weights_" + key);
    if (partners.rows() != run.features() || weights.rows() != partners.rows() || weights.cols() != partners.cols()) {
      throw InputError({.file = archive}, "array 'partners_" + key + "' does not belong to features.tsv");
    }
    Json list = Json::array();
    for (const Index j : shown) {
      Json one = Json::array();  // place, weight, place, weight, ...
      for (Index k = 0; k < partners.cols(); ++k) {
        const double partner = partners(j, k);
        if (!(partner >= 0 && partner < static_cast<double>(run.features()))) break;
        one.push_back(static_cast<Index>(partner));
        one.push_back(rounded(weights(j, k), 2));
      }
      list.push_back(std::move(one));
    }
    conditions.push_back(std::move(list));
  }
  return conditions;
}

}  // namespace disc::report
