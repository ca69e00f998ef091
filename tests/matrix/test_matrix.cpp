#include <cblas.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "disc/matrix.hpp"
#include "matrix/blas.hpp"
#include "matrix/vector_exp.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(SampleMatrix, BlocksAreTheSameForEveryWayOfStoring) {
  RowMatrix values = normal_values(7, 5, 1);
  values(2, 3) = values(6, 0) = 0.0;
  const SampleMatrix dense(values);
  const SampleMatrix sparse(SparseMatrix(values.sparseView()));
  const Matrix column_major = values;
  const SampleMatrix view(column_major.data(), 7, 5, 1, 7, nullptr);
  const std::vector<Index> columns{4, 0, 3};
  for (const SampleMatrix& matrix : {dense, sparse, view}) {
    RowMatrix block;
    matrix.copy_rows(2, 3, columns, block);
    for (Index i = 0; i < 3; ++i) {
      for (Index j = 0; j < 3; ++j) EXPECT_EQ(block(i, j), values(2 + i, columns[static_cast<std::size_t>(j)]));
    }
    EXPECT_EQ(matrix.at(2, 3), 0.0);
  }
  EXPECT_TRUE(sparse.is_sparse());
  EXPECT_EQ(sparse.stored(), 33);
}

// Whole numbers that every type holds, in rows and in columns, with columns picked and side by side.
template <class Number>
void expect_same_blocks(const RowMatrix& values) {
  const Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = values.cast<Number>();
  const Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic> columns = values.cast<Number>();
  const Index n = values.rows(), p = values.cols();
  for (const SampleMatrix& matrix :
       {SampleMatrix(rows.data(), n, p, p, 1, nullptr), SampleMatrix(columns.data(), n, p, 1, n, nullptr)}) {
    EXPECT_EQ(matrix.at(3, 2), values(3, 2));
    for (const std::vector<Index>& picked : {std::vector<Index>{4, 0, 3}, std::vector<Index>{1, 2, 3}}) {
      RowMatrix block;
      matrix.copy_rows(2, 4, picked, block);
      for (Index j = 0; j < 3; ++j) {
        EXPECT_EQ(block.col(j), values.col(picked[static_cast<std::size_t>(j)]).segment(2, 4));
      }
    }
  }
}

TEST(SampleMatrix, BlocksAreTheSameForEveryTypeInPlace) {
  const RowMatrix values = (normal_values(7, 5, 1).array().abs() * 60).floor();
  expect_same_blocks<double>(values);
  expect_same_blocks<float>(values);
  expect_same_blocks<std::int16_t>(values);
  expect_same_blocks<std::uint16_t>(values);
  expect_same_blocks<std::uint8_t>(values);
}

TEST(SampleMatrix, OnlyDoublesAreHandedOutInPlace) {
  const RowMatrix values = normal_values(3, 4, 1);
  const RowMatrixF single = values.cast<float>();
  const std::vector<Index> columns{1, 2};
  EXPECT_NE(SampleMatrix(values.data(), 3, 4, 4, 1, nullptr).contiguous_row(0, columns), nullptr);
  EXPECT_EQ(SampleMatrix(single.data(), 3, 4, 4, 1, nullptr).contiguous_row(0, columns), nullptr);
}

Dataset named(const std::string& name, std::vector<std::string> features, RowMatrix values) {
  Dataset data = make_dataset(name, std::move(values));
  data.features = std::move(features);
  data.features_named = true;
  return data;
}

TEST(MatchFeatures, MatchesByNameInAnyOrderAndReportsTheRest) {
  const std::vector<Dataset> data{named("A", {"a", "b", "c", "only-a"}, normal_values(4, 4, 1)),
                                  named("B", {"c", "x", "a", "b"}, normal_values(5, 4, 2))};
  const FeatureMatch match = match_features(data, {}, Context());
  EXPECT_EQ(match.features, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(match.columns[0], (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(match.columns[1], (std::vector<Index>{2, 3, 0}));
  ASSERT_EQ(match.excluded.size(), 2U);
  EXPECT_EQ(match.excluded[0].feature, "only-a");
  EXPECT_EQ(match.excluded[0].reason, "not in condition B");
  EXPECT_EQ(match.excluded[1].reason, "not in condition A");
  EXPECT_EQ(match.total(), 5);
}

TEST(MatchFeatures, LeavesOutConstantFeaturesInAllConditions) {
  RowMatrix values = normal_values(4, 3, 1);
  values.col(1).setConstant(7.0);
  const std::vector<Dataset> data{make_dataset("A", normal_values(4, 3, 2)), make_dataset("B", values)};
  const FeatureMatch match = match_features(data, {}, Context());
  EXPECT_EQ(match.features, (std::vector<std::string>{"f1", "f3"}));
  ASSERT_EQ(match.excluded.size(), 1U);
  EXPECT_EQ(match.excluded[0].reason, "constant in condition B");
  EXPECT_EQ(match_features(data, {.keep_constant = true}, Context()).features.size(), 3U);
}

TEST(MatchFeatures, NamesTheFirstValueThatIsNotFinite) {
  RowMatrix values = normal_values(4, 3, 1);
  values(2, 1) = nan;
  values(3, 0) = std::numeric_limits<double>::infinity();
  const std::vector<Dataset> data{make_dataset("A", normal_values(4, 3, 2)), make_dataset("B", values)};
  try {
    match_features(data, {}, Context());
    FAIL() << "accepted NaN";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("NaN at sample 's3' (row 3), feature 'f2'"), std::string::npos)
        << error.what();
  }
  const FeatureMatch match = match_features(data, {.missing = Missing::drop_features}, Context());
  EXPECT_EQ(match.features, (std::vector<std::string>{"f3"}));
  EXPECT_EQ(match.excluded[0].reason, "not finite in condition B");
}

TEST(MatchFeatures, RefusesWhatCannotBeMatched) {
  const Dataset a = named("A", {"a", "b"}, normal_values(4, 2, 1));
  const Dataset b = named("B", {"x", "y"}, normal_values(4, 2, 1));
  const Dataset twice = named("C", {"a", "a"}, normal_values(4, 2, 1));
  const Dataset one_sample = named("D", {"a", "b"}, normal_values(1, 2, 1));
  const auto match = [](std::vector<Dataset> data) { match_features(data, {}, Context()); };
  EXPECT_THROW(match({a, b}), InputError);
  EXPECT_THROW(match({a, twice}), InputError);
  EXPECT_THROW(match({a, one_sample}), InputError);
  EXPECT_THROW(match({a}), InputError);
  EXPECT_THROW(match({make_dataset("A", normal_values(4, 3, 1)), make_dataset("B", normal_values(4, 2, 1))}),
               InputError);
}

TEST(VectorExp, AgreesWithTheStandardLibrary) {
  double worst = 0;
  for (double x = 0; x > -700; x -= 0.0137) worst = std::max(worst, std::abs(exp_not_positive(x) / std::exp(x) - 1.0));
  EXPECT_LT(worst, 6e-16);
  EXPECT_EQ(exp_not_positive(0.0), 1.0);
  EXPECT_EQ(exp_not_positive(-800.0), 0.0);
  EXPECT_EQ(exp_not_positive(-std::numeric_limits<double>::infinity()), 0.0);
}

#if defined(__x86_64__)
TEST(Blas, DoesNotUseKernelsOf2004WhereTheProcessorCanDoMore) {
  prepare_blas();
  if (std::getenv("OPENBLAS_CORETYPE") || !__builtin_cpu_supports("avx2"))
    GTEST_SKIP() << "chosen from outside, or old";
  EXPECT_STRNE(openblas_get_corename(), "Prescott");
}
#endif

TEST(Blas, ProductsAreRight) {
  prepare_blas();
  const Matrix a = normal_values(37, 300, 1), b = normal_values(300, 41, 2);
  Matrix product = Matrix::Zero(37, 41), square = Matrix::Zero(37, 37);
  multiply(Op::plain, Op::plain, 1.0, tile_of(a), tile_of(b), 0.0, tile_of(product));
  multiply_self(tile_of(a), 0.0, tile_of(square));
  EXPECT_LT((product - a.lazyProduct(b)).cwiseAbs().maxCoeff(), 1e-11);  // sums of 300 products of order 1
  const Matrix expected = a.lazyProduct(a.transpose());
  EXPECT_LT((square - expected).triangularView<Eigen::Lower>().toDenseMatrix().cwiseAbs().maxCoeff(), 1e-11);
}

}  // namespace
}  // namespace disc
