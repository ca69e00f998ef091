#include <numeric>

#include "distributed/shared_study.hpp"
#include "stats/extend.hpp"

namespace disc::distributed {
namespace {

struct Member {
  Index group, feature;
  double score;
};

// What joined in all processes, in the first one. The features of the processes follow each other, so that they stay ascending.
Joined to_first(const Joined& own, const Partition& partition, const Team& team) {
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

// Features that are tested where no process has all values: those drawn, or all.
std::vector<Index> features_of_test(Index features, const TestOptions& options, const Context& context) {
  std::vector<Index> drawn = features_to_test(features, options.graph, context);
  if (drawn.empty()) {
    drawn.resize(at(features));
    std::iota(drawn.begin(), drawn.end(), Index{0});
  }
  return drawn;
}

TestOptions with_statistics(TestOptions options) {
  options.statistics = resolved(options.statistics);
  return options;
}

// The values of the features drawn are in every process; of the others every process has its own, which join at the end.
class DividedTest final : public GroupTest {
 public:
  DividedTest(const Study& study, const FeatureMatch& of_all, const Sharing& sharing, const TestOptions& given,
              const Context& context)
      : study_(study),
        of_all_(of_all),
        sharing_(sharing),
        options_(with_statistics(given)),
        divided_(context),
        context_(context.with(nullptr)),
        drawn_(features_of_test(sharing.partition.total(), options_, context_)),
        tested_(gather_features(study, sharing, drawn_, context.team())),
        places_(drawn_.size()) {
    std::iota(places_.begin(), places_.end(), Index{0});  // places among the features drawn are their columns
    for (const Index j : drawn_) match_.features.push_back(of_all.features[at(j)]);
    match_.columns.assign(tested_.size(), places_);
    test_ = disc::group_test(tested_, match_, study.design, options_, context_);
  }

  void analyze_truth() override { test_->analyze_truth(); }
  void permute() override { test_->permute(); }
  void compare_pairs() override { test_->compare_pairs(); }
  TestResult evidence() override {
    TestResult result = test_->evidence();
    for (std::size_t m = 0; m < tested_.size(); ++m) {
      renumber_rest(result.conditions[m], drawn_);
      if (!result.conditions[m].groups.empty()) join(static_cast<Index>(m), result.conditions[m].groups);
    }
    return result;
  }

 private:
  std::vector<bool> own_that_are_drawn() const {
    std::vector<bool> is_drawn(at(sharing_.partition.count), false);
    for (const Index j : drawn_) {
      if (sharing_.partition.is_own(j)) is_drawn[at(j - sharing_.partition.first)] = true;
    }
    return is_drawn;
  }
  void join(Index m, std::vector<FeatureGroup>& groups) const {
    const Distance distance = *options_.graph.distance;
    const PreparedColumns of_tested(tested_[at(m)], places_, distance, context_);
    const GroupDirections directions = directions_of(of_tested, groups, places_, sharing_.partition.total());
    const std::vector<Index> columns = own_columns(of_all_, sharing_, m);
    const PreparedColumns own(study_.conditions[at(m)], columns, distance, divided_);
    take_joined(
        groups, drawn_,
        to_first(join_groups(own, own_that_are_drawn(), directions, context_), sharing_.partition, divided_.team()));
  }

  const Study& study_;
  const FeatureMatch& of_all_;
  const Sharing& sharing_;
  const TestOptions options_;
  const Context divided_, context_;  // of all processes, and of this one
  const std::vector<Index> drawn_;
  const std::vector<Dataset> tested_;
  std::vector<Index> places_;
  FeatureMatch match_;
  std::unique_ptr<GroupTest> test_;
};

}  // namespace

std::unique_ptr<GroupTest> divided_test(const Study& study, const FeatureMatch& of_all, const Sharing& sharing,
                                        const TestOptions& options, const Context& context) {
  return std::make_unique<DividedTest>(study, of_all, sharing, options, context);
}

}  // namespace disc::distributed
