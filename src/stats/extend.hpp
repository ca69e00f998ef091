// Groups of some features, extended to all.
#pragma once

#include "disc/stats.hpp"
#include "disc/team.hpp"
#include "graph/prepared_columns.hpp"

namespace disc {

/// Where the values of features are: those of this process, of the features that the processes of a team have.
struct OwnFeatures {
  std::span<const Dataset> conditions;
  std::span<const std::vector<Index>> columns;  ///< per condition
  Partition partition;
};

std::vector<PreparedColumns> prepare_all(const OwnFeatures& features, Distance distance, const Context& context);

/// From groups of some features, numbered as in `drawn`, to groups of all: every feature joins the group that it correlates with best in
/// the group's condition, if any passes as a member's would. `tested` are the values of the features drawn. Of a team the first process gets
/// all members, the others those that were drawn.
void extend_groups(const OwnFeatures& tested, const OwnFeatures& own, std::span<const Index> drawn,
                   const TestOptions& options, TestResult& result, const Context& context);

}  // namespace disc
