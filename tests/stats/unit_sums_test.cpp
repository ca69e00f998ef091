#include "stats/unit_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/data.hpp"
#include "support/prepared.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr Index no_limit = 100'000;
// Sums of up to about a thousand products are added in single precision: an error of a few times sqrt(1000) 6e-8 at most,
// and in fact less since they are added in blocks. Far below the noise of a correlation, 1 / sqrt(n).
constexpr double tolerance = 2e-6;

Matrix ranked(const Matrix& x) {
  Matrix ranks(x.rows(), x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.rows(); ++i) {
      ranks(i, j) = static_cast<double>((x.col(j).array() < x(i, j)).count()) +
                    0.5 * static_cast<double>((x.col(j).array() == x(i, j)).count());
    }
  }
  return ranks;
}

Matrix standardised(Matrix x) {
  x.rowwise() -= x.colwise().mean().eval();
  for (Index j = 0; j < x.cols(); ++j) x.col(j) /= std::sqrt(x.col(j).squaredNorm() / static_cast<double>(x.rows()));
  return x;
}

// The definition, in double.
Matrix correlations_of(const Matrix& x) {
  const Matrix z = standardised(x);
  return z.transpose() * z / static_cast<double>(x.rows());
}

GraphOptions by(Distance distance) {
  GraphOptions options;
  options.distance = distance;
  return options;
}

double difference(const Correlations& found, const Matrix& expected) {
  return (found.values.cast<double>() - expected).cwiseAbs().maxCoeff();
}

struct Problem {
  std::vector<Dataset> conditions;
  FeatureMatch match;
};

// Groups, features of different means and scales, and the second condition's columns in another order.
Problem make_problem(Index samples_a, Index samples_b, Index p = 30, std::uint64_t seed = 1) {
  RowMatrix a = grouped_values(samples_a, p, {{0, 8}}, seed);
  RowMatrix b = grouped_values(samples_b, p, {{4, 10}}, seed + 50);
  for (Index j = 0; j < p; ++j) a.col(j) = (3.0 + static_cast<double>(j)) * a.col(j).array() + 10.0;
  b.col(3) = b.col(3).array() - 40.0;
  Problem problem{{make_dataset("A", a), make_dataset("B", b.rowwise().reverse())}, {}};
  problem.conditions[0].features_named = problem.conditions[1].features_named = true;
  std::ranges::reverse(problem.conditions[1].features);
  problem.match = match_features(problem.conditions, {}, Context());
  return problem;
}

UnitSums sums_of(const Problem& problem, const GraphOptions& options, const Units& units,
                 const Context& context = Context(), const Sampling& sampling = {}) {
  return {prepared_columns(problem.conditions, problem.match, *options.distance), options, units, sampling, context};
}

// Samples x features in the order of the match.
Matrix values_of(const Problem& problem, std::size_t m) {
  RowMatrix rows;
  const SampleMatrix& values = problem.conditions[m].values;
  values.copy_rows(0, values.rows(), problem.match.columns[m], rows);
  return rows;
}

// The samples of the units, each as often as its unit's weight, out of the conditions' own rows.
Matrix repeated_rows(const std::vector<Matrix>& rows, const Units& units, const MatrixF& weights, Index column) {
  std::vector<Vector> picked;
  for (std::size_t u = 0; u < units.units.size(); ++u) {
    const Unit& unit = units.units[u];
    for (int copy = 0; copy < static_cast<int>(weights(static_cast<Index>(u), column)); ++copy) {
      for (const Index i : unit.samples) picked.emplace_back(rows[static_cast<std::size_t>(unit.condition)].row(i));
    }
  }
  Matrix result(static_cast<Index>(picked.size()), rows[0].cols());
  for (std::size_t i = 0; i < picked.size(); ++i) result.row(static_cast<Index>(i)) = picked[i].transpose();
  return result;
}

MatrixF weights_of(const std::vector<Index>& labels, Index conditions) {
  MatrixF weights = MatrixF::Zero(static_cast<Index>(labels.size()), conditions);
  for (std::size_t u = 0; u < labels.size(); ++u) weights(static_cast<Index>(u), labels[u]) = 1.0F;
  return weights;
}

// Both ways of keeping: rows of few samples, sums of many.
class BothWays : public testing::TestWithParam<Index> {
 protected:
  Index samples() const { return GetParam(); }
  Problem problem_ = make_problem(GetParam(), GetParam() + 20);
  std::vector<Matrix> rows_ = {values_of(problem_, 0), values_of(problem_, 1)};
  std::vector<Matrix> standard_rows_ = {standardised(rows_[0]), standardised(rows_[1])};
  UnitSums sums(const Units& units, Distance distance = Distance::correlation) const {
    return sums_of(problem_, by(distance), units, threads(2));
  }
};

INSTANTIATE_TEST_SUITE_P(Sizes, BothWays, testing::Values(Index{40}, Index{512} / 2 + 60),
                         [](const auto& tested) { return 2 * tested.param + 20 <= Index{512} ? "rows" : "sums"; });

TEST_P(BothWays, TrueLabelsGiveTheCorrelationsOfTheConditions) {
  for (const Index most : {no_limit, Index{12}}) {
    const Units units = make_units(problem_.conditions, {}, most, Context());
    const auto found = sums(units).combine(weights_of(Permutations(units, 1, Context()).labels(0), 2), Context());
    ASSERT_EQ(found.size(), 2U);
    for (std::size_t m = 0; m < 2; ++m) {
      EXPECT_LT(difference(found[m], correlations_of(rows_[m])), tolerance);
      EXPECT_EQ(found[m].samples, rows_[m].rows());
      EXPECT_TRUE((found[m].values.diagonal().array() == 1.0F).all());
      EXPECT_EQ(found[m].values, found[m].values.transpose().eval());
    }
  }
}

TEST_P(BothWays, PermutationsGiveTheCorrelationsOfThePermutedStandardisedRows) {
  for (const Index most : {no_limit, Index{12}}) {
    const Units units = make_units(problem_.conditions, {}, most, Context());
    const UnitSums kept = sums(units);
    const Permutations permutations(units, 6, Context());
    for (Index b = 1; b <= permutations.size(); ++b) {
      const MatrixF weights = weights_of(permutations.labels(b), 2);
      const auto found = kept.combine(weights, threads(2));
      for (Index m = 0; m < 2; ++m) {
        const Matrix rows = repeated_rows(standard_rows_, units, weights, m);
        EXPECT_LT(difference(found[static_cast<std::size_t>(m)], correlations_of(rows)), tolerance);
      }
    }
  }
}

TEST_P(BothWays, IntegerWeightsAreRepeatedRows) {
  const Units units = make_units(problem_.conditions, {}, 40, Context());
  const Index count = static_cast<Index>(units.units.size());
  std::mt19937_64 random = random_stream(3, "test/weights");
  std::uniform_int_distribution<int> draw(0, 3);
  MatrixF weights(count, 3);
  for (Index i = 0; i < weights.size(); ++i) weights.data()[i] = static_cast<float>(draw(random));
  const auto found = sums(units).combine(weights, threads(2));
  for (Index b = 0; b < 3; ++b) {
    const Matrix rows = repeated_rows(standard_rows_, units, weights, b);
    EXPECT_LT(difference(found[static_cast<std::size_t>(b)], correlations_of(rows)), tolerance);
  }
}

TEST_P(BothWays, TheNumberOfSamplesIsTheEffectiveOne) {
  const Units units = make_units(problem_.conditions, {}, no_limit, Context());
  const Index count = static_cast<Index>(units.units.size());
  MatrixF weights = MatrixF::Zero(count, 3);
  weights.col(0).setConstant(2.0F);          // everyone twice says no more than everyone once
  weights.col(1).head(count / 2).setOnes();  // half
  weights.col(2).setOnes();
  weights.col(2).head(count / 2).setConstant(3.0F);
  const auto found = sums(units).combine(weights, Context());
  EXPECT_EQ(found[0].samples, count);
  EXPECT_EQ(found[1].samples, count / 2);
  double sum = 0;
  double squares = 0;
  for (Index u = 0; u < count; ++u) {
    sum += static_cast<double>(weights(u, 2));
    squares += static_cast<double>(weights(u, 2)) * static_cast<double>(weights(u, 2));
  }
  EXPECT_EQ(found[2].samples, std::lround(sum * sum / squares));
}

TEST_P(BothWays, SpearmanIsTheCorrelationOfRanksWithinTheCondition) {
  const Units units = make_units(problem_.conditions, {}, no_limit, Context());
  const std::vector<Matrix> ranks = {standardised(ranked(rows_[0])), standardised(ranked(rows_[1]))};
  const UnitSums kept = sums(units, Distance::spearman);
  const Permutations permutations(units, 2, Context());
  for (Index b = 0; b <= 2; ++b) {
    const MatrixF weights = weights_of(permutations.labels(b), 2);
    const auto found = kept.combine(weights, Context());
    for (Index m = 0; m < 2; ++m) {
      const Matrix expected = correlations_of(repeated_rows(ranks, units, weights, m));
      EXPECT_LT(difference(found[static_cast<std::size_t>(m)], expected), tolerance);
    }
  }
}

// A change of mean or scale of a condition is no change of connection, whatever the labels.
TEST_P(BothWays, MeanAndScaleOfAConditionDoNotMatter) {
  Problem moved = problem_;
  RowMatrix values = values_of(problem_, 0);
  for (Index j = 0; j < values.cols(); ++j) {
    values.col(j) = values.col(j).array() * (0.01 + static_cast<double>(j)) - 7.0 * static_cast<double>(j);
  }
  moved.conditions[0] = make_dataset("A", values);
  moved.conditions[0].features_named = true;
  const Units units = make_units(problem_.conditions, {}, no_limit, Context());
  const MatrixF weights = weights_of(Permutations(units, 3, Context()).labels(2), 2);
  const auto before = sums(units).combine(weights, Context());
  const auto after = sums_of(moved, by(Distance::correlation), units).combine(weights, Context());
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_LT((before[m].values - after[m].values).cwiseAbs().maxCoeff(), static_cast<float>(tolerance));
  }
}

TEST_P(BothWays, NamedUnitsOfDifferentSizesCountTheirSamples) {
  Design design{{{}, {}}, {}};
  for (std::size_t m = 0; m < 2; ++m) {
    for (Index i = 0; i < rows_[m].rows(); ++i) {
      design.units[m].push_back("d" + std::to_string(std::lround(std::sqrt(static_cast<double>(i)))));
    }
  }
  const Units units = make_units(problem_.conditions, design, no_limit, Context());
  const MatrixF weights = weights_of(Permutations(units, 5, Context()).labels(4), 2);
  const auto found = sums(units).combine(weights, Context());
  for (Index m = 0; m < 2; ++m) {
    const Matrix rows = repeated_rows(standard_rows_, units, weights, m);
    EXPECT_LT(difference(found[static_cast<std::size_t>(m)], correlations_of(rows)), tolerance);
    EXPECT_EQ(found[static_cast<std::size_t>(m)].samples, rows.rows());
  }
}

// Of unequal units that count alike, a correlation is that of the units' samples, each weighted by one over its unit's size.
TEST_P(BothWays, UnitsOfUnequalSizeCountAlike) {
  Design design{{{}, {}}, {}};
  for (std::size_t m = 0; m < 2; ++m) {
    for (Index i = 0; i < rows_[m].rows(); ++i) design.units[m].push_back("d" + std::to_string(i % 5 > 0 ? i % 3 : 3));
  }
  const Units units = make_units(problem_.conditions, design, no_limit, Context());
  Sampling sampling;
  sampling.weighted = true;
  const MatrixF weights = weights_of(Permutations(units, 5, Context()).labels(4), 2);
  const auto found =
      sums_of(problem_, by(Distance::correlation), units, Context(), sampling).combine(weights, Context());
  for (Index m = 0; m < 2; ++m) {
    Vector mean = Vector::Zero(30);
    Matrix squares = Matrix::Zero(30, 30);
    double count = 0;
    for (std::size_t u = 0; u < units.units.size(); ++u) {
      if (weights(static_cast<Index>(u), m) == 0.0F) continue;
      const Unit& unit = units.units[u];
      const Matrix rows = standard_rows_[static_cast<std::size_t>(unit.condition)](unit.samples, Eigen::all);
      mean += rows.colwise().mean().transpose();
      squares += rows.transpose() * rows / static_cast<double>(rows.rows());
      ++count;
    }
    mean /= count;
    const Matrix covariance = squares / count - mean * mean.transpose();
    const Vector scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
    const Matrix expected = scale.asDiagonal() * covariance * scale.asDiagonal();
    EXPECT_LT(difference(found[static_cast<std::size_t>(m)], expected), 2 * tolerance);
  }
  EXPECT_EQ(found[0].samples, found[1].samples);  // whoever got the large ones
}

// What whole units differ in is no connection.
TEST_P(BothWays, CentredUnitsDoNotShowWhatLiesBetweenThem) {
  Design design{{{}, {}}, {}};
  Problem moved = problem_;
  for (std::size_t m = 0; m < 2; ++m) {
    Matrix rows = rows_[m];
    for (Index i = 0; i < rows.rows(); ++i) {
      design.units[m].push_back("d" + std::to_string(i % 4));
      rows.row(i).array() += 3.0 * static_cast<double>(i % 4);
    }
    moved.conditions[m] = make_dataset(m == 0 ? "A" : "B", rows);
    moved.match.columns[m] = all_of(30);
  }
  const Units units = make_units(moved.conditions, design, no_limit, Context());
  Sampling sampling;
  sampling.centered = true;
  const MatrixF truth = weights_of(Permutations(units, 1, Context()).labels(0), 2);
  const auto found = sums_of(moved, by(Distance::correlation), units, Context(), sampling).combine(truth, Context());
  for (std::size_t m = 0; m < 2; ++m) {
    Matrix centered = rows_[m];
    for (Index d = 0; d < 4; ++d) {
      std::vector<Index> own;
      for (Index i = d; i < centered.rows(); i += 4) own.push_back(i);
      const Vector mean = centered(own, Eigen::all).colwise().mean();
      for (const Index i : own) centered.row(i) -= mean.transpose();
    }
    EXPECT_LT(difference(found[m], correlations_of(centered)), 5 * tolerance);
    EXPECT_EQ(found[m].samples, rows_[m].rows() - 4);  // four means were taken out
  }
}

TEST_P(BothWays, SparseDataGiveTheSameBits) {
  Problem sparse = problem_;
  for (std::size_t m = 0; m < 2; ++m) {
    RowMatrix rows;
    const SampleMatrix& values = problem_.conditions[m].values;
    values.copy_rows(0, values.rows(), all_of(values.cols()), rows);
    sparse.conditions[m].values = SampleMatrix(SparseMatrix(rows.sparseView()));
  }
  const Units units = make_units(problem_.conditions, {}, 20, Context());
  const MatrixF weights = weights_of(Permutations(units, 3, Context()).labels(1), 2);
  const auto dense = sums(units).combine(weights, Context());
  const auto other = sums_of(sparse, by(Distance::correlation), units).combine(weights, Context());
  for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(dense[m].values, other[m].values);
}

// With 300 features the packed sums are cut into several pieces.
TEST(UnitSums, SameBitsForAnyNumberOfThreads) {
  for (const Index samples : {Index{60}, Index{512}}) {
    const Problem problem = make_problem(samples, samples, 300);
    const Units units = make_units(problem.conditions, {}, 16, Context());
    const MatrixF weights = weights_of(Permutations(units, 3, Context()).labels(1), 2);
    const auto combined = [&](int count) {
      const UnitSums sums = sums_of(problem, by(Distance::correlation), units, threads(count));
      return sums.combine(weights, threads(count));
    };
    const auto one = combined(1);
    for (const int count : {2, 4}) {
      const auto other = combined(count);
      for (std::size_t m = 0; m < 2; ++m) {
        EXPECT_EQ(one[m].values, other[m].values);
        EXPECT_EQ(one[m].samples, other[m].samples);
      }
    }
  }
}

// A selection does not depend on what else is combined in the same call.
TEST(UnitSums, SelectionsAtOnceAreSelectionsOneByOne) {
  for (const Index samples : {Index{60}, Index{512}}) {
    const Problem problem = make_problem(samples, samples);
    const Units units = make_units(problem.conditions, {}, 16, Context());
    const UnitSums sums = sums_of(problem, by(Distance::correlation), units);
    const Permutations permutations(units, 8, Context());
    MatrixF weights(static_cast<Index>(units.units.size()), 16);
    for (Index b = 0; b < 8; ++b) weights.middleCols(2 * b, 2) = weights_of(permutations.labels(b), 2);
    const auto together = sums.combine(weights, Context());
    for (Index b = 0; b < 16; ++b) {
      const auto alone = sums.combine(weights.col(b), Context());
      const MatrixF change = together[static_cast<std::size_t>(b)].values - alone[0].values;
      EXPECT_LT(change.cwiseAbs().maxCoeff(), static_cast<float>(tolerance));
    }
  }
}

// Of a labelling one condition is what the others leave, the same one whatever the conditions are called.
TEST(UnitSums, LabellingsAreSelectionsOneByOne) {
  for (const Index conditions : {Index{2}, Index{3}}) {
    const Problem problem = make_problem(40, 60);
    const Units units = make_units(problem.conditions, {}, no_limit, Context());
    const UnitSums sums = sums_of(problem, by(Distance::correlation), units);
    std::vector<Index> labels(100);
    for (std::size_t u = 0; u < labels.size(); ++u) labels[u] = static_cast<Index>(u / 7 + u % 5) % conditions;
    std::vector<Index> others;
    for (const Index label : labels) others.push_back((label + 1) % conditions);
    MatrixF weights(100, 2 * conditions);
    weights << weights_of(labels, conditions), weights_of(others, conditions);
    for (const std::vector<Index>& kept : {std::vector<Index>{}, std::vector<Index>{1, 4, 5, 17, 29}}) {
      const auto found = sums.combine_labellings(weights, conditions, Context(), kept);
      const auto expected = sums.combine(weights, Context(), kept);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t b = 0; b < found.size(); ++b) {
        EXPECT_EQ(found[b].samples, expected[b].samples);
        EXPECT_LT((found[b].values - expected[b].values).cwiseAbs().maxCoeff(), static_cast<float>(tolerance));
      }
      for (Index m = 0; m < conditions; ++m) {
        const auto renamed = static_cast<std::size_t>(conditions + (m + 1) % conditions);
        EXPECT_EQ(found[static_cast<std::size_t>(m)].values, found[renamed].values);
      }
    }
  }
}

// Without matrices: the same correlations from the samples themselves, whatever the units and weights.
TEST(UnitSums, TheFormOfNeighborsGivesTheSameCorrelations) {
  const Problem problem = make_problem(60, 80);
  for (const Index most : {no_limit, Index{12}}) {
    const Units units = make_units(problem.conditions, {}, most, Context());
    GraphOptions options = by(Distance::correlation);
    const UnitSums matrices = sums_of(problem, options, units);
    options.form = GraphForm::knn;
    const UnitSums values = sums_of(problem, options, units);
    EXPECT_FALSE(values.has_matrices());
    MatrixF weights(static_cast<Index>(units.units.size()), 2);
    for (Index u = 0; u < weights.rows(); ++u) weights.row(u) << static_cast<float>(u % 3), static_cast<float>(u % 2);
    const std::vector<Correlations> expected = matrices.combine(weights, Context());
    const std::vector<Correlations> found = values.combine(weights, Context());
    for (std::size_t b = 0; b < 2; ++b) {
      EXPECT_EQ(found[b].samples, expected[b].samples);
      double worst = 0;
      for (Index j = 0; j < 30; ++j) {
        for (Index i = 0; i < 30; ++i) worst = std::max(worst, std::abs(found[b](i, j) - expected[b](i, j)));
      }
      EXPECT_LT(worst, 10 * tolerance);
    }
  }
}

}  // namespace
}  // namespace disc
