#include "distributed/shared_study.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <sstream>

#include "disc/parts.hpp"

namespace disc::distributed {
namespace {

// Of every condition one file, which can be read in parts and has so many features that no process should have them all. Returns
// their number; nothing where the data are not so.
std::optional<Index> features_to_divide(const Inputs& inputs, const RunOptions& options, const Context& context) {
  std::set<std::string> conditions;
  for (const ManifestRow& row : inputs.manifest.rows) conditions.insert(row.condition);
  const bool one_file_each = conditions.size() == inputs.manifest.rows.size() && inputs.manifest.label_names.empty();
  const bool possible = one_file_each && options.design.by.empty() && can_be_divided(options.prepare) &&
                        options.graph.kernel != Kernel::precomputed && options.graph.form != GraphForm::dense;
  if (!possible) return std::nullopt;
  std::optional<Index> features;
  for (const ManifestRow& row : inputs.manifest.rows) {
    const std::optional<Index> here = disc::features_to_divide(row.file, inputs.reading, context);
    if (!here || (features && *here != *features)) return std::nullopt;
    features = here;
  }
  return features && *features > inputs.divide_above ? features : std::nullopt;
}

// Lines of text of all processes, one after the other.
std::vector<std::string> gather_lines(const std::vector<std::string>& own, const Team& team) {
  std::string text;
  for (const std::string& line : own) text += line + '\n';
  const std::vector<char> all = team.gather_all<char>(text);
  std::istringstream stream(std::string(all.begin(), all.end()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Excluded> gather_excluded(const std::vector<Excluded>& own, const Team& team) {
  std::vector<std::string> lines;
  for (const Excluded& one : own) lines.insert(lines.end(), {one.feature, one.reason});
  lines = gather_lines(lines, team);
  std::vector<Excluded> all;
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) all.push_back({lines[i], lines[i + 1]});
  return all;
}

// Features and values were counted by every process for its own; samples were counted by all alike.
void add_up_steps(std::vector<PreparationStep>& steps, const Team& team) {
  for (PreparationStep& step : steps) {
    if (!step.changed.starts_with("samples")) step.count = std::lround(team.sum(static_cast<double>(step.count)));
  }
}

Sharing read_divided(const Inputs& inputs, Index features, const RunOptions& options, const Context& context,
                     Study& study) {
  const Partition own = context.team().even_partition(features);
  std::vector<Dataset> conditions;
  for (const ManifestRow& row : inputs.manifest.rows) {
    conditions.push_back(read_features(row.file, inputs.reading, own.first, own.count, context));
    conditions.back().name = row.condition;
  }
  study = choose_study(std::move(conditions), options, context, &context.team());
  return {{}, true, own};
}

}  // namespace

std::vector<Index> own_columns(const FeatureMatch& match, const Sharing& sharing, Index condition) {
  if (sharing.is_divided) return sharing.own.front().columns[at(condition)];
  const auto first = match.columns[at(condition)].begin() + sharing.partition.first;
  return {first, first + sharing.partition.count};
}

Sharing read_study(const Inputs& inputs, const RunOptions& options, const Context& context, Study& study) {
  const Context alone = context.with(nullptr);
  if (const std::optional<Index> features = features_to_divide(inputs, options, alone)) {
    return read_divided(inputs, *features, options, context, study);
  }
  std::vector<Dataset> conditions = read_conditions(inputs.manifest, inputs.reading, alone);
  if (!options.design.by.empty()) {
    conditions = split_conditions(conditions.front(), options.design, inputs.wanted, alone);
  }
  study = choose_study(std::move(conditions), options, alone);
  return {};
}

void match_divided(const RunOptions& options, const Context& context, Study& study, Sharing& sharing,
                   FeatureMatch& match) {
  const Team& team = context.team();
  const FeatureMatch own = match_features(study.conditions, {options.prepare.missing, false}, context);
  match.features = gather_lines(own.features, team);
  match.excluded = gather_excluded(own.excluded, team);
  study.preparation.excluded = gather_excluded(study.preparation.excluded, team);
  add_up_steps(study.preparation.steps, team);
  for (std::size_t m = 0; m < study.conditions.size(); ++m) {
    Dataset& condition = study.conditions[m];
    std::vector<Index> in_file;
    for (const Index column : own.columns[m]) {
      in_file.push_back(sharing.in_files.first + (condition.places.empty() ? column : condition.places[at(column)]));
    }
    match.columns.push_back(team.gather_all<Index>(in_file));
    condition.places.clear();  // the columns of the match are those of the files already
    condition.features_before = sharing.in_files.total();
  }
  sharing.partition = team.partition_of(static_cast<Index>(own.features.size()));
  sharing.own = {own};
}

std::vector<Dataset> gather_features(const Study& study, const Sharing& sharing, std::span<const Index> features,
                                     const Team& team) {
  std::vector<Index> own;
  for (const Index feature : features) {
    if (sharing.partition.owner(feature) == team.rank()) own.push_back(feature - sharing.partition.first);
  }
  std::vector<Dataset> gathered;
  for (std::size_t m = 0; m < study.conditions.size(); ++m) {
    const Dataset& condition = study.conditions[m];
    std::vector<Index> columns;
    columns.reserve(own.size());
    for (const Index feature : own) columns.push_back(sharing.own.front().columns[m][at(feature)]);
    RowMatrix rows;
    condition.values.copy_rows(0, condition.values.rows(), columns, rows);
    const Matrix picked = rows;
    rows.resize(0, 0);
    const auto values =
        std::make_shared<const std::vector<double>>(team.gather_all<double>({picked.data(), at(picked.size())}));
    Dataset part;
    part.name = condition.name;
    part.source = condition.source;
    part.samples = condition.samples;
    part.labels = condition.labels;
    const auto samples = condition.values.rows();
    part.values = SampleMatrix(values->data(), samples, static_cast<Index>(features.size()), 1, samples, values);
    gathered.push_back(std::move(part));
  }
  return gathered;
}

}  // namespace disc::distributed
