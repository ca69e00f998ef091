// From candidates to p and q, by hand-made labellings and by counting.
#include "stats/step_down.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr double level = 0.05;

std::vector<Index> from(Index first, Index size) {
  std::vector<Index> features = all_of(size);
  for (Index& j : features) j += first;
  return features;
}

Candidate candidate(double statistic, std::vector<Index> features, Index view = 0, Index condition = 0) {
  return {condition, view, statistic, std::move(features), {}};
}

// What chance shows: one or two groups of ten anywhere among 100 features, in two views of different scale.
Labellings by_chance(Index permutations, std::uint64_t seed) {
  std::mt19937_64 random = random_stream(seed, "test/labellings");
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<Index> place(0, 90);
  Labellings all(1);
  for (Index b = 0; b < permutations; ++b) {
    all.push_back({candidate(3 + normal(random), from(place(random), 10)),
                   candidate(10 + 2 * normal(random), from(place(random), 10), 1)});
  }
  return all;
}

// Without parts.
std::vector<TestedCandidate> answers_of(const Labellings& all, Index views = 2) {
  std::vector<TestedCandidate> answers = step_down(all, views, 100, level);
  std::erase_if(answers, [](const TestedCandidate& tested) { return tested.parent >= 0; });
  return answers;
}

TEST(StepDown, OfTheOnlyLabellingIsOne) {
  const Labellings all{{candidate(20, from(0, 10)), candidate(15, from(50, 10), 1)}};
  for (const TestedCandidate& tested : answers_of(all)) {
    EXPECT_EQ(tested.p, 1.0);
    EXPECT_EQ(tested.q, 1.0);
  }
}

TEST(StepDown, OfAClearGroupIsOneOverTheLabellings) {
  Labellings all = by_chance(99, 1);
  all[0] = {candidate(30, from(20, 10))};
  const auto answers = answers_of(all);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_DOUBLE_EQ(answers[0].p, 0.01);
  EXPECT_DOUBLE_EQ(answers[0].q, 0.01);
}

TEST(StepDown, IsNeverBelowTheShareThatTiesWithTheTruth) {
  for (const Index ties : {1, 3, 10}) {
    Labellings all = by_chance(99, 2);
    all[0] = {candidate(30, from(20, 10))};
    for (Index b = 1; b <= ties; ++b) all[static_cast<std::size_t>(b)] = {candidate(30 * (1 + 1e-7), from(3 * b, 10))};
    EXPECT_GE(answers_of(all)[0].p, static_cast<double>(ties + 1) / 100.0);
  }
}

// A view whose chance is large must not hide a group that another shows.
TEST(StepDown, EveryViewIsOnAScaleOfItsOwn) {
  Labellings all = by_chance(199, 3);
  all[0] = {candidate(9, from(0, 10)), candidate(12, from(50, 10), 1)};  // 6 deviations above chance, and 1
  const auto answers = answers_of(all);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].candidate.view, 0);
  EXPECT_DOUBLE_EQ(answers[0].p, 1.0 / 200.0);
  EXPECT_GT(answers[1].p, level);
}

TEST(StepDown, PIsMonotoneAndQIsAtMostOneAndMonotone) {
  for (std::uint64_t seed = 10; seed < 30; ++seed) {
    Labellings all = by_chance(59, seed);
    const Labellings more = by_chance(12, seed + 1000);
    for (const auto& candidates : more) all[0].insert(all[0].end(), candidates.begin(), candidates.end());
    all[0].push_back(candidate(25, from(40, 10)));
    const auto answers = answers_of(all);
    ASSERT_FALSE(answers.empty());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      EXPECT_GE(answers[i].p, 1.0 / 60.0);
      EXPECT_LE(answers[i].p, 1.0);
      EXPECT_GT(answers[i].q, 0.0);
      EXPECT_LE(answers[i].q, 1.0);
      if (i == 0) continue;
      EXPECT_GE(answers[i].p, answers[i - 1].p);
      EXPECT_GE(answers[i].q, answers[i - 1].q);
    }
  }
}

TEST(StepDown, AnswersAreOfOtherFeaturesThanThoseBefore) {
  Labellings all = by_chance(99, 5);
  all[0] = {candidate(40, from(0, 10)), candidate(39, from(1, 10)), candidate(38, from(9, 10))};
  const auto answers = answers_of(all);
  ASSERT_EQ(answers.size(), 2U);  // the second shares nine of its features with the first, the third one
  EXPECT_EQ(answers[0].candidate.features, from(0, 10));
  EXPECT_EQ(answers[1].candidate.features, from(9, 10));
}

TEST(StepDown, APartHasAParentAndAPOfItsOwn) {
  Labellings all = by_chance(99, 6);
  all[0] = {candidate(40, from(0, 30)), candidate(30, from(0, 12)), candidate(4, from(15, 10)),
            candidate(35, from(60, 10))};
  const auto tested = step_down(all, 2, 100, level);
  ASSERT_EQ(tested.size(), 4U);
  EXPECT_EQ(tested[0].parent, -1);
  EXPECT_EQ(tested[1].parent, -1);
  EXPECT_EQ(tested[1].candidate.features, from(60, 10));
  for (const std::size_t part : {2U, 3U}) EXPECT_EQ(tested[part].parent, 0);
  EXPECT_EQ(tested[2].candidate.features, from(0, 12));
  EXPECT_DOUBLE_EQ(tested[2].p, 0.01);
  EXPECT_EQ(tested[3].candidate.features, from(15, 10));
  EXPECT_GT(tested[3].p, 0.05);  // 4 is nothing that chance does not show
}

TEST(StepDown, APieceThatIsNoPartIsNotListed) {
  Labellings all = by_chance(99, 6);
  all[0] = {candidate(40, from(0, 30)), candidate(30, from(0, 12)), candidate(29, from(15, 10))};
  Judgement judgement;
  judgement.is_part = [](const Candidate& whole, const Candidate& part) {
    EXPECT_EQ(whole.features, from(0, 30));
    return part.features == from(15, 10);
  };
  const auto tested = step_down(all, 2, 100, level, judgement);
  ASSERT_EQ(tested.size(), 2U);
  EXPECT_EQ(tested[1].candidate.features, from(15, 10));
}

TEST(StepDown, APartIsOfTheSameConditionAndClearlySmaller) {
  Labellings all = by_chance(99, 7);
  all[0] = {candidate(40, from(0, 30)), candidate(30, from(0, 12), 0, 1), candidate(30, from(0, 25))};
  EXPECT_EQ(step_down(all, 2, 100, level).size(), 1U);
}

TEST(StepDown, IsHopelessWhereMoreThanTenLabellingsAreAsGood) {
  for (const Index as_good : {9, 10}) {  // and the truth itself
    Labellings all(40, {candidate(5, from(0, 10))});
    all[0] = {candidate(8, from(0, 10))};
    for (Index b = 1; b <= as_good; ++b) all[static_cast<std::size_t>(b)] = {candidate(8, from(0, 10))};
    EXPECT_EQ(is_hopeless(all, 1), as_good == 10);
  }
  Labellings nothing(2);
  nothing[1] = {candidate(5, from(0, 10))};
  EXPECT_TRUE(is_hopeless(nothing, 1));
}

// The truth is one of all labellings: uniform p.
TEST(StepDown, OfALabellingLikeAllOthersIsUniform) {
  Index below = 0;
  constexpr Index tries = 400;
  for (std::uint64_t seed = 0; seed < tries; ++seed) {
    Labellings all = by_chance(40, 5000 + seed);
    all.erase(all.begin());  // the first of chance stands for the truth
    const auto answers = answers_of(all);
    below += answers[0].p <= 0.1 ? 1 : 0;
  }
  EXPECT_GE(below, 20);  // 40 are expected, give or take 6
  EXPECT_LE(below, 60);
}

}  // namespace
}  // namespace disc
