#include "support/team_checks.hpp"
#include "support/thread_team.hpp"

namespace disc {
namespace {

using test::work_together;

// Failures in other threads than the test's own count as well.
class Teams : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(OneToFour, Teams, testing::Values(1, 2, 3, 4));

TEST_P(Teams, SumOverAll) {
  work_together(GetParam(), [](const Context& context) { test::check_sums(context.team()); });
}
TEST_P(Teams, GatherEachPieceInOrder) {
  work_together(GetParam(), [](const Context& context) { test::check_gathering(context.team()); });
}
TEST_P(Teams, BringToEachWhatIsItsOwn) {
  work_together(GetParam(), [](const Context& context) { test::check_exchange(context.team()); });
}
TEST_P(Teams, CollectRowsAndGiveThemBack) {
  work_together(GetParam(), [](const Context& context) { test::check_rows(context.team()); });
}
TEST_P(Teams, VisitEverybodyInARing) {
  work_together(GetParam(), [](const Context& context) { test::check_ring(context.team()); });
}

TEST(Team, AContextWithoutOneIsAlone) {
  const Team& team = Context().team();
  EXPECT_EQ(team.size(), 1);
  test::check_rows(team);
  test::check_exchange(team);
  test::check_ring(team);
}

TEST(Team, AMemberThatFailsEndsAll) {
  EXPECT_THROW(work_together(3,
                             [](const Context& context) {
                               if (context.team().rank() == 1) throw InputError("of one");
                               context.team().sum(1.0);
                             }),
               Error);
}

}  // namespace
}  // namespace disc
