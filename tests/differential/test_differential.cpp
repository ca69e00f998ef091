#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "differential/alternatives.hpp"
#include "disc/differential.hpp"
#include "support/data.hpp"
#include "support/graphs.hpp"

namespace disc {
namespace {

using namespace testing_support;

struct Problem {
  std::vector<RandomWalk> walks;
  std::vector<Eigenpairs> pairs;
  std::vector<Matrix> eigenvectors;
  ConditionSpectra spectra() const { return {walks, pairs, eigenvectors}; }
};

// A: groups 0-29 (shared) and 30-59; B: groups 0-29 and 60-89; C: only 0-29. The rest is noise.
Problem make_problem(Index conditions, Index p = 150, Precision precision = Precision::full) {
  Problem problem;
  const std::vector<std::vector<std::pair<Index, Index>>> groups{{{0, 30}, {30, 30}}, {{0, 30}, {60, 30}}, {{0, 30}}};
  for (Index m = 0; m < conditions; ++m) {
    const auto i = static_cast<std::size_t>(m);
    const auto data = make_dataset("A", grouped_values(400, p, groups[i], 20 + static_cast<std::uint64_t>(m)));
    GraphOptions options;
    options.kernel = Kernel::self_tuning;
    options.precision = precision;
    problem.walks.push_back(make_walk(build_graph(data, all_of(p), options, Context()), Context()));
    problem.pairs.push_back(leading_eigenpairs(problem.walks.back(), 7, {}, Context()));
    problem.eigenvectors.push_back(walk_eigenvectors(problem.walks.back(), problem.pairs.back()));
  }
  return problem;
}

Matrix dense_walk(const RandomWalk& walk) {
  const Vector root = walk.degrees.cwiseSqrt();
  return root.cwiseInverse().asDiagonal() * dense_conjugate(walk) * root.asDiagonal();
}

TEST(Basis, SpansTheOthersAndIsOrthonormal) {
  const Problem problem = make_problem(3);
  const Basis basis = basis_of_others(problem.eigenvectors, 1);
  EXPECT_EQ(basis.stacked, 14);
  EXPECT_EQ(basis.vectors.cols(), 13);  // the constant vector is in both
  const Matrix& z = basis.vectors;
  EXPECT_LT((z.transpose() * z - Matrix::Identity(13, 13)).norm(), 1e-12);
  for (const std::size_t k : {0U, 2U}) {
    const Matrix& u = problem.eigenvectors[k];
    EXPECT_LT((u - z * (z.transpose() * u)).norm(), 1e-8);
  }
}

TEST(Operator, IsPTimesQAndItsTranspose) {
  const Problem problem = make_problem(2);
  const Basis basis = basis_of_others(problem.eigenvectors, 0);
  const DifferentialOperator op(problem.walks[0], basis.vectors);
  const Matrix q = Matrix::Identity(150, 150) - basis.vectors * basis.vectors.transpose();
  const Matrix dense = dense_walk(problem.walks[0]) * q;
  const Block x = normal_values(150, 5, 1);
  Block y;
  op.apply(x, y, Context());
  EXPECT_LT((y - dense * x).norm(), 1e-11);
  op.apply_transpose(x, y, Context());
  EXPECT_LT((y - dense.transpose() * x).norm(), 1e-11);
}

// The full SVD of the matrix written out is the oracle for both solvers. method (8)
TEST(SingularVectors, AreThoseOfPQ) {
  const Problem problem = make_problem(2, 450);
  const Basis basis = basis_of_others(problem.eigenvectors, 0);
  const Matrix q = Matrix::Identity(450, 450) - basis.vectors * basis.vectors.transpose();
  const Eigen::BDCSVD<Matrix> svd(dense_walk(problem.walks[0]) * q, Eigen::ComputeThinV);
  for (const Solver which : {Solver::lapack, Solver::lanczos}) {
    SolverOptions options;
    options.solver = which;
    const DifferentialVectors found = singular_vectors(problem.walks[0], basis, 6, options, Context());
    EXPECT_LT((found.sigma - svd.singularValues().head(6)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_NEAR(std::abs(found.vectors.col(0).dot(svd.matrixV().col(0))), 1.0, 1e-9);
    EXPECT_LT((basis.vectors.transpose() * found.vectors).norm(), 1e-8);
    EXPECT_EQ(found.basis_rank, basis.vectors.cols());
  }
}

TEST(SingularVectors, PointAtTheGroupOfTheCondition) {
  const Problem problem = make_problem(3);
  const DifferentialVectors a = differential_vectors(problem.spectra(), 0, {}, {}, Context());
  const DifferentialVectors b = differential_vectors(problem.spectra(), 1, {}, {}, Context());
  // Orthogonal to the constant vector, so at most 0.8 of the energy can lie on 30 of 150 features.
  EXPECT_GT(a.vectors.col(0).segment(30, 30).squaredNorm(), 0.6);
  EXPECT_GT(b.vectors.col(0).segment(60, 30).squaredNorm(), 0.6);
  for (const auto& result : {a, b}) {
    for (Index k = 0; k < result.vectors.cols(); ++k) {
      EXPECT_GT(result.vectors.col(k).maxCoeff(), -result.vectors.col(k).minCoeff() * (1 - 1e-8));  // sign rule
    }
  }
}

TEST(SingularVectors, EqualSigmaAreReportedAsOnePlane) {
  // Two equal, disconnected rings; the other condition knows the constant only. The walk on a ring has eigenvalues in pairs, and
  // the rings are alike: sigma = 1 once (one ring against the other), then four times the same.
  const Index half = 40;
  Matrix inside(half, half);
  for (Index i = 0; i < half; ++i) {
    for (Index j = 0; j < half; ++j) {
      const double apart = static_cast<double>(std::min((i - j + half) % half, (j - i + half) % half));
      inside(i, j) = std::exp(-apart * apart / 20.0);
    }
  }
  Matrix w = Matrix::Zero(2 * half, 2 * half);
  w.topLeftCorner(half, half) = w.bottomRightCorner(half, half) = inside;
  const RandomWalk walk = walk_from(w);
  Basis basis;
  basis.vectors = Matrix::Constant(2 * half, 1, 1.0 / std::sqrt(2.0 * half));
  const DifferentialVectors found = singular_vectors(walk, basis, 5, {}, Context());
  EXPECT_EQ(found.degenerate_subspace, (std::vector<Index>{0, 1, 1, 1, 1}));
}

TEST(SingularVectors, RefusesMoreThanThereAre) {
  const Problem problem = make_problem(2);
  const Basis basis = basis_of_others(problem.eigenvectors, 0);
  EXPECT_THROW(singular_vectors(problem.walks[0], basis, 149, {}, Context()), OptionError);
}

class Methods : public testing::TestWithParam<Method> {};

TEST_P(Methods, PointAtTheGroupOfTheCondition) {
  for (const Index conditions : {2, 3}) {
    const Problem problem = make_problem(conditions);
    DifferentialOptions options;
    options.method = GetParam();
    options.vectors = 3;
    const DifferentialVectors found = differential_vectors(problem.spectra(), 0, options, {}, Context());
    // Some leading vector separates features 30-59 from all others.
    double best = 0;
    for (Index k = 0; k < found.vectors.cols(); ++k) {
      const Vector v = found.vectors.col(k).cwiseAbs();
      const double inside = v.segment(30, 30).mean();
      const double outside = (v.sum() - v.segment(30, 30).sum()) / 120.0;
      best = std::max(best, inside / outside);
    }
    EXPECT_GT(best, 1.5) << conditions << " conditions";
    EXPECT_TRUE(found.vectors.allFinite());
    EXPECT_TRUE(found.sigma.allFinite());
  }
}

INSTANTIATE_TEST_SUITE_P(All, Methods,
                         testing::Values(Method::disc, Method::generalized, Method::regularized_inverse,
                                         Method::whitened, Method::diffusion_maps, Method::changing_data));

TEST(Generalized, SolvesItsEquation) {
  const Problem problem = make_problem(2);
  DifferentialOptions options;
  const DifferentialVectors found = generalized_vectors(problem.spectra(), 0, 4, options, Context());
  const auto laplacian = [](const RandomWalk& walk) -> Matrix {
    const Vector root = walk.degrees.cwiseSqrt();
    Matrix l = -(root.asDiagonal() * dense_conjugate(walk) * root.asDiagonal());
    l.diagonal() += walk.degrees;
    return l;
  };
  const Matrix own = laplacian(problem.walks[0]);
  Matrix others = laplacian(problem.walks[1]);
  others.diagonal().array() += options.epsilon * others.trace() / 150.0;
  for (Index k = 0; k < 4; ++k) {
    const Vector f = found.vectors.col(k);
    EXPECT_LT((own * f - found.sigma[k] * (others * f)).norm(), 1e-8);
    EXPECT_GT(found.sigma[k], 1e-6);
  }
}

TEST(RegularizedInverse, SolvesItsEquation) {
  const Problem problem = make_problem(2);
  const DifferentialVectors found = regularized_inverse_vectors(problem.spectra(), 0, 1, {}, Context());
  const Vector f = found.vectors.col(0);
  const Matrix system = Matrix::Identity(150, 150) + dense_walk(problem.walks[1]);
  EXPECT_LT((dense_walk(problem.walks[0]) * f - found.sigma[0] * (system * f)).norm(), 1e-9);
}

TEST(Whitened, IsTheDefinitionWhenAllPairsAreUsed) {
  Problem problem = make_problem(2);
  problem.pairs[1] = leading_eigenpairs(problem.walks[1], 150, {}, Context());
  DifferentialOptions options;
  options.whitening = 0.05;
  const DifferentialVectors found = whitened_vectors(problem.spectra(), 0, 3, options, {}, Context());
  const Matrix b = dense_conjugate(problem.walks[1]);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(b);
  const Vector root = (eigen.eigenvalues().array().cwiseMax(0.0) + 0.05).rsqrt();
  const Matrix whitening = eigen.eigenvectors() * root.asDiagonal() * eigen.eigenvectors().transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix> expected(whitening * dense_conjugate(problem.walks[0]) * whitening);
  EXPECT_LT((found.sigma - expected.eigenvalues().reverse().head(3)).cwiseAbs().maxCoeff(), 1e-8);
}

// method (13) with all pairs and t = 1 is the distance between the rows of S_A and S_B.
TEST(ChangingData, IsTheDistanceBetweenRowsWhenAllPairsAreUsed) {
  const Problem problem = make_problem(2);
  const Eigenpairs a = leading_eigenpairs(problem.walks[0], 150, {}, Context());
  const Eigenpairs b = leading_eigenpairs(problem.walks[1], 150, {}, Context());
  const Vector found = changing_data_distance(a, b, 2.0);
  const Matrix sa = dense_conjugate(problem.walks[0]);
  const Matrix sb = dense_conjugate(problem.walks[1]);
  const Vector expected = (sa * sa - sb * sb).rowwise().norm();
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(MetaFeatures, AreTheProductWithTheData) {
  const RowMatrix x = normal_values(600, 9, 40);
  const Matrix v = normal_values(4, 2, 41);
  const std::vector<Index> columns{8, 1, 0, 5};
  const Matrix found = meta_features(make_dataset("A", x), columns, v);
  for (Index i = 0; i < 600; ++i) {
    for (Index k = 0; k < 2; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < 4; ++j) sum += x(i, columns[j]) * v(static_cast<Index>(j), k);
      ASSERT_NEAR(found(i, k), sum, 1e-12);
    }
  }
}

// On a strip, the second mode along the long side is a function of the first; the mode across is not. (Dsilva et al. 2018)
TEST(Redundancy, TellsAHarmonicFromANewDirection) {
  constexpr Index count = 400;
  const RowMatrix noise = testing_support::normal_values(count, 2, 5);
  Matrix vectors(count, 3);
  for (Index i = 0; i < count; ++i) {
    const double along = static_cast<double>(i) / count;
    const double across = 0.5 * std::erfc(noise(i, 0));
    vectors(i, 0) = std::cos(3.14159265 * along);
    vectors(i, 1) = std::cos(2 * 3.14159265 * along);
    vectors(i, 2) = std::cos(3.14159265 * across);
  }
  vectors.colwise().normalize();
  const Vector residual = local_linear_residuals(vectors, Context());
  EXPECT_EQ(residual[0], 1.0);
  EXPECT_LT(residual[1], 0.1);
  EXPECT_GT(residual[2], 0.8);
}

}  // namespace
}  // namespace disc
