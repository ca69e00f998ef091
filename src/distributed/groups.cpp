#include "distributed/groups.hpp"

#include <numeric>

#include "stats/extend.hpp"

namespace disc::distributed {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

struct Member {
  Index group, feature;
  double score;
};

// What joined in all processes, in the first one. The features of the processes follow each other, so that they stay ascending.
Joined to_first(const Joined& own, const Partition& partition, const MpiTeam& team) {
  std::vector<std::vector<Member>> members(at(team.size()));
  for (std::size_t g = 0; g < own.features.size(); ++g) {
    for (std::size_t i = 0; i < own.features[g].size(); ++i) {
      members[0].push_back({static_cast<Index>(g), partition.first + own.features[g][i], own.scores[g][i]});
    }
  }
  Joined all{std::vector<std::vector<Index>>(own.features.size()),
             std::vector<std::vector<double>>(own.features.size())};
  for (const Member& member : team.exchange(members)) {
    all.features[at(member.group)].push_back(member.feature);
    all.scores[at(member.group)].push_back(member.score);
  }
  return all;
}

}  // namespace

TestResult test_groups(const SharedStudy& shared, const TestOptions& given, const MpiTeam& team,
                       const Context& context) {
  const Study& study = shared.study;
  if (!shared.is_divided) return disc::test_groups(study.conditions, shared.match, study.design, given, context);
  const Index features = shared.partition.total();
  TestOptions options = given;
  options.statistics = resolved(given.statistics);
  std::vector<Index> drawn = features_to_test(features, options.graph, context);
  if (drawn.empty()) {
    drawn.resize(at(features));
    std::iota(drawn.begin(), drawn.end(), Index{0});
  }
  // Values of the features drawn, in every process: places among them are their columns.
  const std::vector<Dataset> tested = gather_features(shared, drawn, team);
  FeatureMatch match;
  std::vector<Index> places(drawn.size());
  std::iota(places.begin(), places.end(), Index{0});
  for (const Index j : drawn) match.features.push_back(shared.match.features[at(j)]);
  match.columns.assign(tested.size(), places);
  TestResult result = disc::test_groups(tested, match, study.design, options, context);

  std::vector<bool> is_drawn(at(shared.partition.count), false);
  for (const Index j : drawn) {
    const Index own = j - shared.partition.first;
    if (own >= 0 && own < shared.partition.count) is_drawn[at(own)] = true;
  }
  for (std::size_t m = 0; m < tested.size(); ++m) {
    renumber_rest(result.conditions[m], drawn);
    std::vector<FeatureGroup>& groups = result.conditions[m].groups;
    if (groups.empty()) continue;
    const Distance distance = *options.graph.distance;
    const PreparedColumns of_tested(tested[m], places, distance, context);
    const GroupDirections directions = directions_of(of_tested, groups, places, features);
    const std::vector<Index> columns = shared.own_columns(static_cast<Index>(m));
    const PreparedColumns own(study.conditions[m], columns, distance, context, false);
    take_joined(groups, drawn, to_first(join_groups(own, is_drawn, directions, context), shared.partition, team));
  }
  return result;
}

}  // namespace disc::distributed
