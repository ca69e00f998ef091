// Directions and projections, against dense linear algebra in double precision.
#include "stats/projection.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "support/correlations.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr Index features = 40;
constexpr double tolerance = 2e-5;  // single precision

// Strong groups, so that all eigenvalues that matter lie apart.
Correlations here() { return correlations_of(grouped_values(300, features, {{0, 15}, {15, 9}, {30, 5}}, 1)); }
Correlations there() { return correlations_of(grouped_values(300, features, {{5, 14}, {22, 8}}, 2)); }

MatrixF leading(const Matrix& symmetric, Index count) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  return solver.eigenvectors().rightCols(count).rowwise().reverse().cast<float>();
}
MatrixF leading(const Correlations& correlations, Index count) {
  return leading(Matrix(correlations.values.cast<double>()), count);
}

// Q R Q with a unit diagonal, as it is written.
Matrix by_definition(const Correlations& correlations, const MatrixF& basis) {
  const Matrix z = basis.cast<double>();
  const Matrix q = Matrix::Identity(features, features) - z * z.transpose();
  const Matrix left = q * correlations.values.cast<double>() * q;
  const Vector scale = left.diagonal().cwiseMax(0.1).cwiseSqrt().cwiseInverse();
  Matrix result = scale.asDiagonal() * left * scale.asDiagonal();
  result.diagonal().setOnes();
  return result;
}

TEST(Directions, AreTheLeadingEigenvectors) {
  const Correlations r = here();
  const Directions found = leading_directions(r.values, random_directions(features, 8, 3), 30);
  const MatrixF expected = leading(r, 3);
  for (Index d = 0; d < 3; ++d) {
    EXPECT_NEAR(std::abs(found.vectors.col(d).dot(expected.col(d))), 1.0F, 1e-4F);
    const Vector v = expected.col(d).cast<double>();
    EXPECT_NEAR(static_cast<double>(found.values[d]), v.dot(r.values.cast<double>() * v), 1e-3);
  }
  const MatrixF gram = found.vectors.transpose() * found.vectors;
  EXPECT_TRUE(gram.isIdentity(1e-4F));
}

TEST(Directions, AboveNoiseAreAsManyAsGroups) {
  const Correlations r = here();
  EXPECT_EQ(leading_directions(r.values, random_directions(features, 8, 3), 30).above_noise(r.samples), 3);
  const Correlations noise = correlations_of(normal_values(300, features, 4));
  EXPECT_EQ(leading_directions(noise.values, random_directions(features, 8, 3), 30).above_noise(300), 0);
}

TEST(Directions, OrthonormalColumnsDropWhatIsExplained) {
  MatrixF columns = random_directions(features, 5, 5);
  columns.col(3) = 2.0F * columns.col(0) - columns.col(1);
  const MatrixF given = columns;
  orthonormalize(columns);
  ASSERT_EQ(columns.cols(), 4);
  EXPECT_TRUE((columns.transpose() * columns).isIdentity(1e-5F));
  EXPECT_LT((given - columns * (columns.transpose() * given)).norm(), 1e-4F);  // the same span
}

TEST(Projection, IsQRQWithAUnitDiagonal) {
  const Correlations r = here();
  for (const Index count : {1, 2, 5}) {
    const MatrixF basis = leading(there(), count);
    const MatrixF product = times(r, basis);
    const MatrixF found = ProjectedCorrelations(r, basis, product, count).matrix();
    EXPECT_LT((found.cast<double>() - by_definition(r, basis)).cwiseAbs().maxCoeff(), tolerance) << count;
    EXPECT_LT((found - found.transpose()).cwiseAbs().maxCoeff(), static_cast<float>(tolerance));
  }
}

TEST(Projection, WithoutDirectionsIsTheCorrelations) {
  const Correlations r = here();
  const MatrixF basis = leading(there(), 3);
  EXPECT_EQ(ProjectedCorrelations(r, basis, times(r, basis), 0).matrix(), r.values);
}

// Of a nested basis fewer columns are fewer directions: one product serves all.
TEST(Projection, OfFewerDirectionsIsThatOfTheirColumnsAlone) {
  const Correlations r = here();
  const MatrixF basis = leading(there(), 6);
  const MatrixF product = times(r, basis);
  for (const Index count : {1, 3, 6}) {
    const MatrixF part = basis.leftCols(count);
    const MatrixF found = ProjectedCorrelations(r, basis, product, count).matrix();
    EXPECT_LT((found.cast<double>() - by_definition(r, part)).cwiseAbs().maxCoeff(), tolerance);
  }
}

TEST(Projection, AmongSomeFeaturesIsThatPartOfTheMatrix) {
  const Correlations r = here();
  const MatrixF basis = leading(there(), 4);
  const MatrixF product = times(r, basis);
  const std::vector<Index> some{17, 3, 39, 22, 0};
  for (const Index count : {0, 4}) {
    const ProjectedCorrelations projected(r, basis, product, count);
    const MatrixF expected = projected.matrix()(some, some);
    const MatrixF found = projected.upper_among(some) - expected;
    EXPECT_LT(MatrixF(found.triangularView<Eigen::StrictlyUpper>()).cwiseAbs().maxCoeff(),
              static_cast<float>(tolerance));
  }
}

TEST(Projection, ConnectionIsTheSumOverThePairsOfTheSet) {
  const Correlations r = here();
  const MatrixF basis = leading(there(), 4);
  const MatrixF product = times(r, basis);
  const std::vector<Index> set{1, 4, 5, 20, 33, 38};
  const std::vector<std::int8_t> sign{1, -1, 1, 1, -1, -1};
  for (const Index count : {0, 1, 4}) {
    const ProjectedCorrelations projected(r, basis, product, count);
    const MatrixF matrix = projected.matrix();
    double sum = 0;
    double with_signs = 0;
    for (std::size_t a = 0; a < set.size(); ++a) {
      for (std::size_t b = 0; b < set.size(); ++b) {
        if (a == b) continue;
        sum += static_cast<double>(matrix(set[a], set[b]));
        with_signs += static_cast<double>(matrix(set[a], set[b])) * sign[a] * sign[b];
      }
    }
    EXPECT_NEAR(projected.connection(set), sum / 6, 1e-4) << count;
    EXPECT_NEAR(projected.connection(set, sign), with_signs / 6, 1e-4) << count;
  }
}

// A group of both conditions leaves nothing; one of this condition alone stays.
TEST(Projection, TakesOutWhatTheOtherHas) {
  const Correlations both = correlations_of(grouped_values(400, features, {{0, 12}, {20, 12}}, 7));
  const Correlations other = correlations_of(grouped_values(400, features, {{0, 12}}, 8));
  const MatrixF basis = leading(other, 1);
  const MatrixF product = times(both, basis);
  const ProjectedCorrelations projected(both, basis, product, 1);
  std::vector<Index> shared = all_of(12);
  std::vector<Index> own = all_of(12);
  for (Index& j : own) j += 20;
  EXPECT_LT(projected.connection(shared), 0.5);
  EXPECT_GT(projected.connection(own), 6.0);  // 11 pairs of .8 per feature before
}

}  // namespace
}  // namespace disc
