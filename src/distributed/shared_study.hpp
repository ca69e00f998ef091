// The data of a study as one of several processes has them.
#pragma once

#include "disc/distributed.hpp"
#include "distributed/team.hpp"
#include "pipeline/study.hpp"

namespace disc::distributed {

struct SharedStudy {
  Study study;                      ///< the values are those of all features, or, if divided, of own ones
  FeatureMatch match;               ///< of all features; columns are those of the files
  Partition partition;              ///< which features are whose
  bool is_divided = false;          ///< no process has all values
  Partition in_files{};             ///< if divided: which features of the files are whose
  std::vector<FeatureMatch> own{};  ///< one: of own features, where the values are, if divided
  /// Per condition: where the values of own features are.
  std::vector<Index> own_columns(Index condition) const;
};

/// Reads, and chooses the conditions. Up to 100,000 features every process has all values: the tests need them all. Of more, every
/// process reads its own where format and options allow it.
SharedStudy read_study(const Inputs& inputs, const RunOptions& options, const MpiTeam& team, const Context& context);
/// What prepare_study does: every process to its own features, if divided.
void prepare_shared(SharedStudy& shared, const RunOptions& options, const MpiTeam& team, const Context& context);
/// What design_study does; then the features are matched.
void design_shared(SharedStudy& shared, const RunOptions& options, const MpiTeam& team, const Context& context);

/// Values of some features, ascending, in every process: one condition after the other, columns in this order.
std::vector<Dataset> gather_features(const SharedStudy& shared, std::span<const Index> features, const MpiTeam& team);

}  // namespace disc::distributed
