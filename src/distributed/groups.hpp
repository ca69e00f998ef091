#pragma once

#include "distributed/shared_study.hpp"
#include "stats/group_test.hpp"

namespace disc::distributed {

/// As disc::group_test: every process has the values of the features that are tested and does its share of the permutations. Of more
/// features than are tested, each process lets its own join the groups found; the first process gets all members.
std::unique_ptr<GroupTest> group_test(const SharedStudy& shared, const TestOptions& options, const MpiTeam& team,
                                      const Context& context);

}  // namespace disc::distributed
