// The data of a study as one of several processes has them, and the steps that start from them.
#pragma once

#include "disc/distributed.hpp"
#include "distributed/team.hpp"
#include "pipeline/study.hpp"

namespace disc::distributed {

/// Who has what: the values of all features, or, if divided, of own ones.
struct Sharing {
  Partition partition;              ///< which features are whose
  bool is_divided = false;          ///< no process has all values
  Partition in_files{};             ///< if divided: which features of the files are whose
  std::vector<FeatureMatch> own{};  ///< one: of own features, where the values are, if divided
};

/// Reads, and chooses the conditions. Up to 100,000 features every process has all values: the tests need them all. Of more, every
/// process of context.team() reads its own where format and options allow it.
Sharing read_study(const Inputs& inputs, const RunOptions& options, const Context& context, Study& study);

/// Where the values are divided: matches the features of all processes; the columns of the match are those of the files.
void match_divided(const RunOptions& options, const Context& context, Study& study, Sharing& sharing,
                   FeatureMatch& match);

/// Per condition: where the values of own features are.
std::vector<Index> own_columns(const FeatureMatch& match, const Sharing& sharing, Index condition);

/// Values of some features, ascending, in every process: one condition after the other, columns in this order.
std::vector<Dataset> gather_features(const Study& study, const Sharing& sharing, std::span<const Index> features,
                                     const Team& team);

/// As disc::make_figure_data, with the rows that every process has; the result is whole in the first one.
FigureData make_figure_data(const Study& study, const FeatureMatch& match, const Sharing& sharing,
                            std::span<const RandomWalk> walks, const Analysis& analysis, const Context& context);

}  // namespace disc::distributed
