#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "disc/simulate.hpp"

namespace disc {
namespace {

Context context_with(int threads, std::uint64_t seed = 1) {
  Context::Settings settings;
  settings.threads = threads;
  settings.seed = seed;
  return Context(settings);
}

SimulateOptions options_for(const std::string& problem, Index samples) {
  SimulateOptions options;
  options.problem = problem;
  options.samples = samples;
  options.block_size = 30;
  return options;
}

RowMatrix dense(const Dataset& condition) {
  std::vector<Index> columns(static_cast<std::size_t>(condition.values.cols()));
  for (std::size_t j = 0; j < columns.size(); ++j) columns[j] = static_cast<Index>(j);
  RowMatrix values;
  condition.values.copy_rows(0, condition.values.rows(), columns, values);
  return values;
}

Matrix covariance(const Dataset& condition) {
  const RowMatrix values = dense(condition);
  const RowMatrix centered = values.rowwise() - values.colwise().mean();
  return centered.transpose() * centered / static_cast<double>(values.rows() - 1);
}

Matrix correlation(const Dataset& condition) {
  const Matrix full = covariance(condition);
  const Vector scale = full.diagonal().cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * full * scale.asDiagonal();
}

/// Mean correlation of different features of a range; and the largest across two ranges, in size.
double mean_within(const Matrix& r, Index first, Index size) {
  return (r.block(first, first, size, size).sum() - static_cast<double>(size)) / static_cast<double>(size * (size - 1));
}
double least_within(const Matrix& r, Index first, Index size) { return r.block(first, first, size, size).minCoeff(); }
double largest_across(const Matrix& r, Index first, Index size, Index other, Index other_size) {
  return r.block(first, other, size, other_size).cwiseAbs().maxCoeff();
}

/// "A1:f151-f175/25 ..." for contiguous groups: first, last, size.
std::string truth_text(const NamedGroups& truth) {
  std::string text;
  for (std::size_t i = 0; i < truth.rows.size();) {
    std::size_t end = i;
    while (end < truth.rows.size() && truth.rows[end].condition == truth.rows[i].condition &&
           truth.rows[end].group == truth.rows[i].group) {
      ++end;
    }
    text += (text.empty() ? "" : " ") + truth.rows[i].condition + truth.rows[i].group + ":" + truth.rows[i].feature +
            "-" + truth.rows[end - 1].feature + "/" + std::to_string(end - i);
    i = end;
  }
  return text;
}

TEST(Simulate, EveryProblemRunsSmall) {
  std::set<std::string> names;
  for (const SimulationProblem& problem : simulation_problems()) {
    EXPECT_TRUE(names.insert(problem.name).second);
    EXPECT_FALSE(problem.description.empty());
    const Simulation simulation = simulate(options_for(problem.name, 5), context_with(2));
    ASSERT_GE(simulation.conditions.size(), 2u);
    for (const Dataset& condition : simulation.conditions) {
      const Index features = condition.values.cols();
      EXPECT_EQ(condition.features, numbered_names("f", features));
      EXPECT_FALSE(condition.features_named);
      EXPECT_EQ(condition.values.rows(), simulation.precomputed ? features : 5);
      EXPECT_EQ(static_cast<Index>(condition.samples.size()), condition.values.rows());
      EXPECT_TRUE(dense(condition).allFinite());
    }
    EXPECT_EQ(simulation.precomputed, problem.name == "block-model");
    for (const NamedGroups::Row& row : simulation.truth.rows) {
      EXPECT_EQ(std::ranges::count(simulation.conditions, row.condition, &Dataset::name), 1);
      EXPECT_EQ(std::ranges::count(simulation.conditions[0].features, row.feature), 1);
    }
  }
}

TEST(Simulate, TruthOfThePapersProblems) {
  const auto truth = [](const std::string& problem, double partial = 0.5) {
    SimulateOptions options = options_for(problem, 2);
    options.partial = partial;
    return truth_text(simulate(options, context_with(1)).truth);
  };
  const std::string newly = "A1:f151-f175/25 A2:f176-f200/25 B1:f201-f225/25 B2:f226-f250/25";
  EXPECT_EQ(truth("newly-connected"), newly);
  EXPECT_EQ(truth("partial"), newly);
  EXPECT_EQ(truth("partial", 1), "B1:f201-f225/25 B2:f226-f250/25");
  EXPECT_EQ(truth("subsets"), "B1:f101-f125/25 B2:f126-f200/75");
  EXPECT_EQ(truth("both"), "A1:f1-f75/75 A2:f76-f100/25 B1:f101-f125/25 B2:f126-f200/75");
  EXPECT_EQ(truth("three"),
            "A1:f301-f325/25 A2:f326-f350/25 B1:f201-f225/25 B2:f226-f250/25 C1:f351-f375/25 C2:f376-f400/25");
}

TEST(Simulate, SameBitsForAnyNumberOfThreadsAndOtherForOtherSeeds) {
  for (const SimulationProblem& problem : simulation_problems()) {
    const SimulateOptions options = options_for(problem.name, 2100);
    const Simulation one = simulate(options, context_with(1));
    const Simulation four = simulate(options, context_with(4));
    const Simulation other = simulate(options, context_with(1, 2));
    for (std::size_t m = 0; m < one.conditions.size(); ++m) {
      EXPECT_TRUE(dense(one.conditions[m]) == dense(four.conditions[m])) << problem.name;
      EXPECT_FALSE(dense(one.conditions[m]) == dense(other.conditions[m])) << problem.name;
    }
  }
}

TEST(Simulate, ConditionsAndChunksAreIndependent) {
  const Simulation simulation = simulate(options_for("newly-connected", 2000), context_with(2));
  const RowMatrix a = dense(simulation.conditions[0]);
  const RowMatrix b = dense(simulation.conditions[1]);
  const auto cosine = [](const auto& x, const auto& y) { return x.cwiseProduct(y).sum() / (x.norm() * y.norm()); };
  EXPECT_LT(std::abs(cosine(a.leftCols(100), b.leftCols(100))), 0.02);
  EXPECT_LT(std::abs(cosine(a.block(0, 0, 1000, 100), a.block(1000, 0, 1000, 100))), 0.02);
  EXPECT_LT(std::abs(cosine(a.middleCols(100, 25), b.middleCols(100, 25))), 0.2);
}

TEST(Simulate, NewlyConnectedHasItsBlocks) {
  const Simulation simulation = simulate(options_for("newly-connected", 10000), context_with(2));
  const Matrix a = correlation(simulation.conditions[0]);
  const Matrix b = correlation(simulation.conditions[1]);
  for (const Index first : {100, 125}) {
    EXPECT_GT(least_within(a, first, 25), 0.3);
    EXPECT_GT(least_within(b, first, 25), 0.3);
  }
  EXPECT_GT(least_within(a, 150, 25), 0.3);
  EXPECT_GT(least_within(b, 200, 25), 0.3);
  EXPECT_LT(largest_across(a, 100, 25, 125, 25), 0.06);
  EXPECT_LT(largest_across(a, 150, 25, 175, 25), 0.06);
  EXPECT_LT(largest_across(a, 150, 50, 200, 50), 0.06);
  EXPECT_NEAR(mean_within(a, 200, 50), 0, 0.01);
  EXPECT_NEAR(mean_within(b, 150, 50), 0, 0.01);
  EXPECT_NEAR(mean_within(a, 0, 100), 0, 0.01);
  // Noise: N(0, 1) times 0.8 c, c = 0.005.
  EXPECT_NEAR(covariance(simulation.conditions[0]).diagonal().head(100).mean(), 0.004 * 0.004, 0.02 * 0.004 * 0.004);
}

TEST(Simulate, SharedBlocksHaveTheSameCovarianceAndOthersNot) {
  const Simulation simulation = simulate(options_for("newly-connected", 20000), context_with(2));
  const Matrix a = covariance(simulation.conditions[0]);
  const Matrix b = covariance(simulation.conditions[1]);
  const auto difference = [&](Index first, Index other) {
    const Matrix block = a.block(first, first, 25, 25);
    return (block - b.block(other, other, 25, 25)).norm() / block.norm();
  };
  EXPECT_LT(difference(100, 100), 0.05);
  EXPECT_LT(difference(125, 125), 0.05);
  EXPECT_GT(difference(100, 125), 0.1);
  EXPECT_GT(difference(150, 150), 0.5);
}

TEST(Simulate, CovarianceIsTheSquareOfAnEntrywisePositiveMatrix) {
  // C = |V diag V'|, so the covariance C C' (without c^2) has only positive entries.
  const Simulation simulation = simulate(options_for("newly-connected", 20000), context_with(2));
  const Matrix block = covariance(simulation.conditions[0]).block(100, 100, 25, 25) / (0.005 * 0.005);
  EXPECT_GT(block.minCoeff(), 0);
  Vector eigenvalues = (-Vector::LinSpaced(25, 0, 24)).array().exp();
  eigenvalues *= 25 / eigenvalues.sum();
  // trace(C C') = |C|^2 = |V diag V'|^2: taking absolute values does not change the Frobenius norm.
  EXPECT_NEAR(block.trace(), eigenvalues.squaredNorm(), 0.05 * eigenvalues.squaredNorm());
}

TEST(Simulate, SplitBlocksKeepTheirOwnCovariance) {
  for (const std::string problem : {"subsets", "both"}) {
    const Simulation simulation = simulate(options_for(problem, 20000), context_with(2));
    const Matrix a = covariance(simulation.conditions[0]);
    const Matrix b = covariance(simulation.conditions[1]);
    const auto difference = [&](Index first, Index size) {
      return (a.block(first, first, size, size) - b.block(first, first, size, size)).norm() /
             a.block(first, first, size, size).norm();
    };
    EXPECT_LT(difference(100, 25), 0.06);
    EXPECT_LT(difference(125, 75), 0.06);
    const Matrix ra = correlation(simulation.conditions[0]);
    const Matrix rb = correlation(simulation.conditions[1]);
    EXPECT_GT(least_within(ra, 100, 100), 0.3);
    EXPECT_GT(least_within(rb, 100, 25), 0.3);
    EXPECT_GT(least_within(rb, 125, 75), 0.3);
    EXPECT_LT(largest_across(rb, 100, 25, 125, 75), 0.05);
    EXPECT_GT(least_within(rb, 0, 100), 0.3);
    if (problem == "both") {
      EXPECT_LT(largest_across(ra, 0, 75, 75, 25), 0.05);
      EXPECT_GT(least_within(ra, 0, 75), 0.3);
    } else {
      EXPECT_GT(least_within(ra, 0, 100), 0.3);
    }
  }
}

TEST(Simulate, ThreeConditionsHaveTheirBlocks) {
  const Simulation simulation = simulate(options_for("three", 5000), context_with(2));
  const std::vector<std::string> present{"ABC", "ABC", "AC", "AC", "B", "B", "BC", "BC", "A", "A", "C", "C"};
  for (const Dataset& condition : simulation.conditions) {
    const Matrix r = correlation(condition);
    for (std::size_t block = 0; block < present.size(); ++block) {
      const double mean = mean_within(r, 100 + 25 * static_cast<Index>(block), 25);
      if (present[block].find(condition.name) != std::string::npos) {
        EXPECT_GT(mean, 0.4) << condition.name << block;
      } else {
        EXPECT_NEAR(mean, 0, 0.02) << condition.name << block;
      }
    }
  }
}

TEST(Simulate, PartialGoesFromNoConnectionToAllOfIt) {
  double before = -0.02;
  for (const double t : {0.0, 0.1, 0.3, 1.0}) {
    SimulateOptions options = options_for("partial", 5000);
    options.partial = t;
    const Simulation simulation = simulate(options, context_with(2));
    const double in_b = mean_within(correlation(simulation.conditions[1]), 150, 25);
    EXPECT_GT(in_b, before);
    before = in_b;
    if (t == 0.0) {
      EXPECT_NEAR(in_b, 0, 0.01);
    }
    if (t == 1.0) {
      EXPECT_NEAR(in_b, mean_within(correlation(simulation.conditions[0]), 150, 25), 0.02);
    }
  }
}

TEST(Simulate, BlockModelHasItsProbabilities) {
  SimulateOptions options = options_for("block-model", 2);
  options.block_size = 300;
  options.block_exponent = 0.75;
  const Simulation simulation = simulate(options, context_with(2));
  const Index small = 72;  // 300^0.75 = 72.08
  EXPECT_EQ(truth_text(simulation.truth), "B1:f601-f672/72");
  ASSERT_EQ(simulation.conditions[0].values.cols(), 600 + small);
  const RowMatrix a = dense(simulation.conditions[0]);
  const RowMatrix b = dense(simulation.conditions[1]);
  for (const RowMatrix& w : {a, b}) {
    EXPECT_TRUE(w == w.transpose());
    EXPECT_TRUE((w.diagonal().array() == 1).all());
    EXPECT_TRUE((w.array() == 0 || w.array() == 1).all());
    EXPECT_NEAR(w.block(0, 300, 300, 300).mean(), 0.1, 0.01);
    EXPECT_NEAR(mean_within(w, 0, 300), 0.5, 0.015);
    EXPECT_NEAR(mean_within(w, 600, small), 0.5, 0.05);
  }
  EXPECT_NEAR(a.block(300, 600, 300, small).mean(), 0.5, 0.02);
  EXPECT_NEAR(b.block(300, 600, 300, small).mean(), 0.1, 0.02);
  EXPECT_FALSE(a.block(0, 0, 300, 300) == b.block(0, 0, 300, 300));
}

TEST(Simulate, RefusesOptionsOutOfRange) {
  const auto refused = [](auto change) {
    SimulateOptions options = options_for("newly-connected", 10);
    change(options);
    EXPECT_THROW(simulate(options, context_with(1)), OptionError);
  };
  refused([](SimulateOptions& options) { options.problem = "nonsense"; });
  refused([](SimulateOptions& options) { options.samples = 1; });
  refused([](SimulateOptions& options) { options.partial = 1.5; });
  refused([](SimulateOptions& options) { options.block_size = 9; });
  refused([](SimulateOptions& options) { options.block_exponent = 1; });
  refused([](SimulateOptions& options) { options.block_within = -0.1; });
  refused([](SimulateOptions& options) { options.block_between = 2; });
  refused([](SimulateOptions& options) { options.rho = 0; });
  refused([](SimulateOptions& options) { options.variant = "nonsense"; });
}

// More features: the problem several times side by side.
TEST(Simulate, MoreFeaturesRepeatTheProblem) {
  SimulateOptions options = options_for("newly-connected", 300);
  const Simulation once = simulate(options, context_with(1));
  options.features = 750;
  const Simulation thrice = simulate(options, context_with(2));
  ASSERT_EQ(thrice.conditions[0].values.cols(), 750);
  EXPECT_EQ(dense(once.conditions[0]), dense(thrice.conditions[0]).leftCols(250));
  EXPECT_NE(dense(once.conditions[0]), dense(thrice.conditions[0]).middleCols(250, 250));
  EXPECT_EQ(thrice.truth.rows.size(), 3 * once.truth.rows.size());
  const Matrix r = correlation(thrice.conditions[0]);
  EXPECT_GT(r.block(400, 400, 25, 25).mean(), 0.3);            // a group of the second copy
  EXPECT_LT(std::abs(r.block(150, 400, 25, 25).mean()), 0.1);  // and the same group of the first
}

TEST(Simulate, FeaturesMustBeAMultiple) {
  SimulateOptions options = options_for("both", 100);
  options.features = 300;
  EXPECT_THROW(simulate(options, Context()), OptionError);
  options.features = 100;
  EXPECT_THROW(simulate(options, Context()), OptionError);
}

TEST(Simulate, SceneHasAnObjectAtTheSecondDateOnly) {
  SimulateOptions options;
  options.problem = "scene";
  options.features = 2500;
  const Simulation scene = simulate(options, context_with(2, 3));
  EXPECT_EQ(scene.conditions[0].values.rows(), 124);
  EXPECT_EQ(scene.conditions[1].values.cols(), 2500);
  ASSERT_EQ(scene.truth.rows.size(), 9U);  // 3 x 3 pixels
  std::vector<Index> object;
  for (const NamedGroups::Row& row : scene.truth.rows) {
    EXPECT_EQ(row.condition, "B");
    object.push_back(std::stol(row.feature.substr(1)) - 1);
  }
  const Matrix b = correlation(scene.conditions[1]);
  for (const Index i : object) {
    for (const Index j : object) EXPECT_GT(b(i, j), 0.8);
  }
  options.features = 2501;
  EXPECT_THROW(simulate(options, Context()), OptionError);
}

}  // namespace
}  // namespace disc
