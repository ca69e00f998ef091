// The numbers of an independent implementation that agrees with the authors' code to 5e-16. The files are beside the checkout
// (DISC_GOLDEN, else ../shared/golden); without them the tests are skipped by name.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "disc/io.hpp"
#include "disc/options.hpp"
#include "disc/pipeline.hpp"

namespace disc {
namespace {

namespace fs = std::filesystem;

fs::path golden_folder() {
  const char* given = std::getenv("DISC_GOLDEN");
  return given != nullptr ? fs::path(given) : fs::path(DISC_SOURCE_DIR) / ".." / "shared" / "golden";
}

struct Case {
  std::string problem, preset, solver;
};

class Golden : public testing::TestWithParam<Case> {};

Vector to_vector(const nlohmann::json& numbers) {
  const auto values = numbers.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// Vectors agree up to sign; where sigma repeats, the planes agree: each vector lies in the span of those that share its sigma.
void expect_vectors(const nlohmann::json& expected, const DifferentialVectors& found) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Vector vector = to_vector(expected[k]);
    Vector inside = Vector::Zero(vector.size());
    for (Index i = 0; i < found.vectors.cols(); ++i) {
      if (std::abs(found.sigma[i] - found.sigma[static_cast<Index>(k)]) > 1e-9) continue;
      inside += found.vectors.col(i) * found.vectors.col(i).dot(vector);
    }
    EXPECT_LT((inside - vector).cwiseAbs().maxCoeff(), 1e-6) << "vector " << k + 1;
  }
}

TEST_P(Golden, AgreesWithTheAuthorsCode) {
  const Case& test = GetParam();
  const fs::path folder = golden_folder() / test.problem;
  if (!fs::exists(folder)) GTEST_SKIP() << "no golden values at " << folder;
  const auto golden = nlohmann::json::parse(std::ifstream(folder / (test.preset + ".json")));
  const Context context;
  std::vector<Dataset> conditions;
  for (const auto& [name, values] : golden["conditions"].items()) {
    conditions.push_back(read_dataset(folder / ("X_" + name + ".npy"), {}, context));
    conditions.back().name = name;
  }
  const RunOptions options = make_options(test.preset, {{"neighbors", std::to_string(golden["neighbors"].get<int>())},
                                                        {"eigenvectors", std::to_string(golden["eigenvectors"].get<int>())},
                                                        {"vectors", "12"},
                                                        {"solver", test.solver}});
  const Analysis analysis = run(conditions, options, context);
  for (const ConditionResult& result : analysis.conditions) {
    SCOPED_TRACE("condition " + result.name);
    const auto& expected = golden["conditions"][result.name];
    const Vector eigenvalues = to_vector(expected["eigenvalues"]);
    ASSERT_EQ(result.pairs.values.size(), eigenvalues.size());
    EXPECT_LT((result.pairs.values - eigenvalues).cwiseAbs().maxCoeff(), 1e-9);
    const Vector sigma = to_vector(expected["sigma"]);
    ASSERT_EQ(result.vectors.sigma.size(), sigma.size());
    EXPECT_LT((result.vectors.sigma - sigma).cwiseAbs().maxCoeff(), 1e-9);
    expect_vectors(expected["vectors"], result.vectors);
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* problem : {"small", "newly-connected", "three"}) {
    for (const char* preset : {"paper-code", "paper-text"}) {
      for (const char* solver : {"lapack", "block"}) cases.push_back({problem, preset, solver});
    }
  }
  return cases;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.problem + "_" + info.param.preset + "_" + info.param.solver;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace disc
