#include "distributed/shared_study.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <sstream>

#include "disc/parts.hpp"

namespace disc::distributed {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

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
std::vector<std::string> gather_lines(const std::vector<std::string>& own, const MpiTeam& team) {
  std::string text;
  for (const std::string& line : own) text += line + '\n';
  const std::vector<char> all = team.gather_all<char>(text);
  std::istringstream stream(std::string(all.begin(), all.end()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Excluded> gather_excluded(const std::vector<Excluded>& own, const MpiTeam& team) {
  std::vector<std::string> lines;
  for (const Excluded& one : own) lines.insert(lines.end(), {one.feature, one.reason});
  lines = gather_lines(lines, team);
  std::vector<Excluded> all;
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) all.push_back({lines[i], lines[i + 1]});
  return all;
}

// Features and values were counted by every process for its own; samples were counted by all alike.
void add_up_steps(std::vector<PreparationStep>& steps, const MpiTeam& team) {
  for (PreparationStep& step : steps) {
    if (!step.changed.starts_with("samples")) step.count = std::lround(team.sum(static_cast<double>(step.count)));
  }
}

SharedStudy read_divided(const Inputs& inputs, Index features, const RunOptions& options, const MpiTeam& team,
                         const Context& context) {
  SharedStudy shared;
  shared.is_divided = true;
  shared.in_files = team.even_partition(features);
  std::vector<Dataset> conditions;
  for (const ManifestRow& row : inputs.manifest.rows) {
    conditions.push_back(
        read_features(row.file, inputs.reading, shared.in_files.first, shared.in_files.count, context));
    conditions.back().name = row.condition;
  }
  shared.study = choose_study(std::move(conditions), options, context, &team);
  return shared;
}

// The features of all processes, one after the other.
void match_divided(SharedStudy& shared, const RunOptions& options, const MpiTeam& team, const Context& context) {
  const FeatureMatch own = match_features(shared.study.conditions, {options.prepare.missing, false}, context);
  shared.partition = team.partition_of(static_cast<Index>(own.features.size()));
  shared.match.features = gather_lines(own.features, team);
  shared.match.excluded = gather_excluded(own.excluded, team);
  shared.study.preparation.excluded = gather_excluded(shared.study.preparation.excluded, team);
  add_up_steps(shared.study.preparation.steps, team);
  for (std::size_t m = 0; m < shared.study.conditions.size(); ++m) {
    Dataset& condition = shared.study.conditions[m];
    std::vector<Index> in_file;
    for (const Index column : own.columns[m]) {
      in_file.push_back(shared.in_files.first + (condition.places.empty() ? column : condition.places[at(column)]));
    }
    shared.match.columns.push_back(team.gather_all<Index>(in_file));
    condition.places.clear();  // the columns of the match are those of the files already
    condition.features_before = shared.in_files.total();
  }
  shared.own.push_back(own);
}

}  // namespace

std::vector<Index> SharedStudy::own_columns(Index condition) const {
  if (is_divided) return own.front().columns[at(condition)];
  const auto first = match.columns[at(condition)].begin() + partition.first;
  return {first, first + partition.count};
}

SharedStudy read_study(const Inputs& inputs, const RunOptions& options, const MpiTeam& team, const Context& context) {
  if (const std::optional<Index> features = features_to_divide(inputs, options, context)) {
    return read_divided(inputs, *features, options, team, context);
  }
  std::vector<Dataset> conditions = read_conditions(inputs.manifest, inputs.reading, context);
  if (!options.design.by.empty()) {
    conditions = split_conditions(conditions.front(), options.design, inputs.wanted, context);
  }
  SharedStudy shared;
  shared.study = choose_study(std::move(conditions), options, context);
  return shared;
}

void prepare_shared(SharedStudy& shared, const RunOptions& options, const MpiTeam& team, const Context& context) {
  prepare_study(shared.study, options, context, shared.is_divided ? &team : nullptr);
}

void design_shared(SharedStudy& shared, const RunOptions& options, const MpiTeam& team, const Context& context) {
  design_study(shared.study, options, context);
  if (shared.is_divided) {
    match_divided(shared, options, team, context);
    return;
  }
  const MatchOptions matching{options.prepare.missing, options.graph.kernel == Kernel::precomputed};
  shared.match = match_features(shared.study.conditions, matching, context);
  shared.partition = team.even_partition(static_cast<Index>(shared.match.features.size()));
}

std::vector<Dataset> gather_features(const SharedStudy& shared, std::span<const Index> features, const MpiTeam& team) {
  std::vector<Index> own;
  for (const Index feature : features) {
    if (shared.partition.owner(feature) == team.rank()) own.push_back(feature - shared.partition.first);
  }
  std::vector<Dataset> gathered;
  for (std::size_t m = 0; m < shared.study.conditions.size(); ++m) {
    const Dataset& condition = shared.study.conditions[m];
    std::vector<Index> columns;
    columns.reserve(own.size());
    for (const Index feature : own) columns.push_back(shared.own.front().columns[m][at(feature)]);
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
