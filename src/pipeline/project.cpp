// How strongly new samples show the groups of a run.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "disc/follow_up.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Each file by itself: how deeply others were sequenced is no matter of its samples.
std::vector<Dataset> prepared(std::span<const Dataset> data, std::optional<Normalization> normalization,
                              const Context& context) {
  std::vector<Dataset> result;
  for (const Dataset& one : data) {
    PrepareOptions options;
    options.normalization = normalization;
    options.missing = Missing::mean;
    options.select = FeatureSelection{};
    options.standardize_files = options.remove_global_signal = false;
    result.push_back(std::move(prepare({one}, options, context).conditions.front()));
  }
  return result;
}

using Places = std::unordered_map<std::string, Index>;

std::vector<Places> places_of(std::span<const Dataset> data) {
  std::vector<Places> places(data.size());
  for (std::size_t m = 0; m < data.size(); ++m) {
    for (std::size_t j = 0; j < data[m].features.size(); ++j)
      places[m].emplace(data[m].features[j], static_cast<Index>(j));
  }
  return places;
}

// Values of some features in all samples, one file below the other, standardized over them; zero where a feature does not vary.
Matrix standardized(std::span<const Dataset> data, std::span<const Places> places,
                    std::span<const std::string> features, Index samples) {
  Matrix values(samples, static_cast<Index>(features.size()));
  Index row = 0;
  RowMatrix part;
  for (std::size_t m = 0; m < data.size(); ++m) {
    std::vector<Index> columns;
    for (const std::string& feature : features) columns.push_back(places[m].at(feature));
    data[m].values.copy_rows(0, data[m].values.rows(), columns, part);
    values.middleRows(row, part.rows()) = part;
    row += part.rows();
  }
  for (auto column : values.colwise()) {
    column.array() -= column.mean();
    const double deviation = std::sqrt(column.squaredNorm() / static_cast<double>(samples));
    column *= deviation > 0 ? 1.0 / deviation : 0.0;
  }
  return values;
}

// Sum of the members, with their signs.
Vector sum_of(std::span<const Dataset> data, std::span<const Places> places, std::span<const std::string> members,
              const Vector& sign, Index samples) {
  constexpr std::size_t at_once = 64;
  Vector sum = Vector::Zero(samples);
  for (std::size_t first = 0; first < members.size(); first += at_once) {
    const auto some = members.subspan(first, std::min(at_once, members.size() - first));
    sum += standardized(data, places, some, samples) *
           sign.segment(static_cast<Index>(first), static_cast<Index>(some.size()));
  }
  return sum;
}

}  // namespace

Projection project(std::span<const Dataset> data, const FoundGroups& run, const Context& context) {
  const std::vector<RunGroup>& groups = run.groups;
  const std::vector<Dataset> ready = prepared(data, run.normalization, context);
  const std::vector<Places> places = places_of(ready);
  Index samples = 0;
  for (const Dataset& one : ready) samples += one.values.rows();
  if (samples < 2)
    throw InputError("there is one sample; at least 2 are needed, for members are standardized over them");
  Projection result;
  result.scores =
      Matrix::Constant(samples, static_cast<Index>(groups.size()), std::numeric_limits<double>::quiet_NaN());
  result.found.resize(groups.size());
  result.missing.resize(groups.size());
  context.parallel_for(static_cast<Index>(groups.size()), [&](Index g) {
    const RunGroup& group = groups[at(g)];
    std::vector<std::string> members;
    std::vector<double> sign;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const bool is_everywhere =
          std::ranges::all_of(places, [&](const Places& own) { return own.contains(group.members[i]); });
      (is_everywhere ? members : result.missing[at(g)]).push_back(group.members[i]);
      if (is_everywhere) sign.push_back(group.sign.empty() ? 1.0 : static_cast<double>(group.sign[i]));
    }
    const auto count = static_cast<Index>(members.size());
    result.found[at(g)] = count;
    if (count == 0) return;
    const Vector sum = sum_of(ready, places, members, Eigen::Map<const Vector>(sign.data(), count), samples);
    result.scores.col(g) = sum / static_cast<double>(count);
  });
  return result;
}

}  // namespace disc
