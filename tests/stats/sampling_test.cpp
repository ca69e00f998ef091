// How samples depend on each other, on data made to depend so.
#include "stats/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/policy.hpp"
#include "support/data.hpp"
#include "support/prepared.hpp"

namespace disc {
namespace {

using namespace testing_support;

// Every feature is a process x(t) = f x(t - 1) + noise, of variance 1.
RowMatrix autoregressive(Index samples, Index features, double f, std::uint64_t seed) {
  RowMatrix values = normal_values(samples, features, seed);
  for (Index t = 1; t < samples; ++t) values.row(t) = f * values.row(t - 1) + std::sqrt(1 - f * f) * values.row(t);
  return values;
}

// Donors of `size` samples each, whose features share a part `similarity` of their variance.
RowMatrix of_donors(Index donors, Index size, Index features, double similarity, std::uint64_t seed) {
  const RowMatrix own = normal_values(donors, features, seed + 900);
  RowMatrix values = std::sqrt(1 - similarity) * normal_values(donors * size, features, seed);
  for (Index i = 0; i < values.rows(); ++i) values.row(i) += std::sqrt(similarity) * own.row(i / size);
  return values;
}

struct Looked {
  Sampling sampling;
  Units units;
};

Looked look_at(const std::vector<RowMatrix>& values, const Design& design = {}, const StatisticsOptions& options = {}) {
  std::vector<Dataset> conditions;
  for (std::size_t m = 0; m < values.size(); ++m) {
    conditions.push_back(make_dataset(std::string(1, static_cast<char>('A' + m)), values[m]));
  }
  const FeatureMatch match = match_features(conditions, {}, Context());
  Looked looked;
  looked.units = make_units(conditions, design, 100'000, Context());
  looked.sampling =
      look_at_samples(prepared_columns(conditions, match, Distance::correlation), options, looked.units, Context());
  return looked;
}

Design design_of(const std::vector<Index>& samples, Index size) {
  Design design{std::vector<std::vector<std::string>>(samples.size()), {}};
  for (std::size_t m = 0; m < samples.size(); ++m) {
    for (Index i = 0; i < samples[m]; ++i) design.units[m].push_back("d" + std::to_string(i / size));
  }
  return design;
}

TEST(Sampling, MeasuresAutocorrelation) {
  for (const double f : {0.0, 0.5, 0.9}) {
    const Looked looked = look_at({autoregressive(600, 40, f, 1), autoregressive(600, 40, f, 2)});
    EXPECT_NEAR(looked.sampling.autocorrelation, f, 0.05);
  }
}

TEST(Sampling, MakesBlocksOfSamplesThatDependOnTheirNeighbors) {
  for (const double f : {0.5, 0.9}) {
    const Looked looked = look_at({autoregressive(600, 40, f, 3), autoregressive(500, 40, f, 4)});
    const double measured = looked.sampling.autocorrelation;
    const double length = policy::block_in_correlation_times * (1 + measured * measured) / (1 - measured * measured);
    EXPECT_EQ(looked.sampling.block, static_cast<Index>(std::ceil(length)));
    EXPECT_FALSE(looked.units.samples_are_units);
    EXPECT_LT(looked.sampling.effective_share, 0.7);
    EXPECT_EQ(looked.sampling.gap,
              static_cast<Index>(std::ceil((1 + measured * measured) / (1 - measured * measured))));
    // Blocks follow each other after a gap, as many as there is room for, the last to the last sample, and equally long,
    // give or take one.
    const Index gap = looked.sampling.gap;
    const std::vector<Index> samples{600, 500};
    std::vector<Index> next{0, 0};
    for (const Unit& unit : looked.units.units) {
      const auto m = static_cast<std::size_t>(unit.condition);
      const Index shortest = (samples[m] + gap) / (samples[m] / looked.sampling.block) - gap;
      EXPECT_GE(static_cast<Index>(unit.samples.size()), shortest);
      EXPECT_LE(static_cast<Index>(unit.samples.size()), shortest + 1);
      for (const Index i : unit.samples) EXPECT_EQ(i, next[m]++);
      next[m] += gap;
    }
    EXPECT_EQ(next, (std::vector<Index>{600 + gap, 500 + gap}));
  }
}

TEST(Sampling, MakesNoBlocksOfIndependentSamples) {
  const Looked looked = look_at({normal_values(300, 40, 5), normal_values(200, 40, 6)});
  EXPECT_EQ(looked.sampling.block, 0);
  EXPECT_EQ(looked.sampling.effective_share, 1.0);
  EXPECT_TRUE(looked.units.samples_are_units);
  EXPECT_EQ(looked.units.units.size(), 500U);
}

TEST(Sampling, MakesBlocksAsLongAsAsked) {
  StatisticsOptions options;
  options.block = 20;
  const Looked asked = look_at({normal_values(200, 20, 7), normal_values(200, 20, 8)}, {}, options);
  EXPECT_EQ(asked.sampling.block, 20);
  EXPECT_EQ(asked.units.units.size(), 20U);
  EXPECT_EQ(asked.sampling.effective_share, 1.0);  // the samples themselves are independent
  options.block = 0;
  const Looked none = look_at({autoregressive(200, 20, 0.9, 7), autoregressive(200, 20, 0.9, 8)}, {}, options);
  EXPECT_EQ(none.sampling.block, 0);
  EXPECT_EQ(none.units.units.size(), 400U);
}

TEST(Sampling, LeavesSomethingToExchange) {
  const Looked looked = look_at({autoregressive(64, 20, 0.98, 9), autoregressive(64, 20, 0.98, 10)});
  EXPECT_EQ(looked.units.units.size(), 16U);  // eight blocks per condition at least
}

TEST(Sampling, OfNamedUnitsAreNoBlocksAndPairsWithinUnitsCount) {
  // Neighbours within a donor are alike, and the donors differ in nothing: next to each other are samples of one donor only.
  const std::vector<Index> samples{240, 240};
  const Looked looked =
      look_at({autoregressive(240, 40, 0.5, 11), autoregressive(240, 40, 0.5, 12)}, design_of(samples, 30));
  EXPECT_EQ(looked.sampling.block, 0);
  EXPECT_EQ(looked.units.units.size(), 16U);
  EXPECT_NEAR(looked.sampling.autocorrelation, 0.5, 0.1);
}

TEST(Sampling, MeasuresTheIntraclassCorrelationOfDonors) {
  for (const double similarity : {0.0, 0.2, 0.6, 0.9}) {
    const Looked looked =
        look_at({of_donors(40, 6, 60, similarity, 13), of_donors(40, 6, 60, similarity, 14)}, design_of({240, 240}, 6));
    ASSERT_TRUE(looked.sampling.similarity);
    EXPECT_NEAR(*looked.sampling.similarity, similarity, 0.06);
  }
}

TEST(Sampling, CentresWithinDonorsUnlessTheirSamplesAreRepeats) {
  const auto centered = [](double similarity, Index donors, Index size) {
    return look_at({of_donors(donors, size, 40, similarity, 15), of_donors(donors, size, 40, similarity, 16)},
                   design_of({donors * size, donors * size}, size))
        .sampling.centered;
  };
  EXPECT_TRUE(centered(0.2, 12, 20));
  EXPECT_FALSE(centered(0.8, 12, 20));
  EXPECT_FALSE(centered(0.2, 40, 5));  // too few samples each
}

// Repeated measures say little more than one: 1 / (1 + (n - 1) s) of what independent samples would.
TEST(Sampling, CountsRepeatsAsFew) {
  const Looked looked =
      look_at({of_donors(40, 5, 60, 0.9, 17), of_donors(40, 5, 60, 0.9, 18)}, design_of({200, 200}, 5));
  EXPECT_NEAR(looked.sampling.effective_share, 1 / (1 + 4 * 0.9), 0.03);
}

TEST(Sampling, UnitsOfUnequalSizeCountAlike) {
  const auto weighted = [](Index of_last) {
    Design design{{{}, {}}, {}};
    for (auto& names : design.units) {
      for (Index d = 0; d < 4; ++d)
        names.insert(names.end(), static_cast<std::size_t>(d < 3 ? 20 : of_last), std::to_string(d));
    }
    return look_at({normal_values(60 + of_last, 20, 19), normal_values(60 + of_last, 20, 20)}, design)
        .sampling.weighted;
  };
  EXPECT_FALSE(weighted(20));
  EXPECT_FALSE(weighted(24));
  EXPECT_TRUE(weighted(30));
}

}  // namespace
}  // namespace disc
