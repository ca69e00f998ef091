// The files of a run: their schema, and that they appear together or not at all.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "disc/io.hpp"
#include "disc/options.hpp"
#include "disc/pipeline.hpp"

namespace disc {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Outputs : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("disc_" + std::to_string(getpid()) + "_" + test->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    EXPECT_TRUE(file.is_open()) << name;
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  Json summary() const { return Json::parse(read("summary.json")); }
  // Rows of the arrays are features, so vectors play the part of samples.
  Dataset read_array(const std::string& name) const {
    ReadOptions options;
    options.samples_in = SamplesIn::columns;
    options.variable = name;
    return read_dataset(folder_ / "vectors.npz", options, Context());
  }

  fs::path folder_;
};

ConditionResult condition(const std::string& name, double first_energy) {
  ConditionResult result;
  result.name = name;
  result.samples = 12;
  result.pairs.values = Vector::LinSpaced(2, 1.0, 0.5);
  result.pairs.vectors = Matrix::Identity(4, 2);
  result.pairs.gap = 0.125;
  result.eigenvectors = Matrix::Identity(4, 2);
  result.vectors.vectors = Matrix::Identity(4, 3);
  result.vectors.vectors(1, 0) = 0.25;
  result.vectors.sigma = Vector::LinSpaced(3, 0.75, 0.25);
  result.vectors.leading = 2;
  result.vectors.degenerate_subspace = {0, 1, 1};
  result.groups.energy = Vector::LinSpaced(4, first_energy, first_energy - 3);
  result.groups.groups = {{{0, 2}}, {{1}}};
  result.groups.requested = 2;
  result.vectors.basis_rank = 2;
  return result;
}

Analysis small_analysis() {
  Analysis analysis;
  analysis.features = {"f1", "f2", "f3", "f4"};
  analysis.excluded = {{"f5", "constant in condition A"}};
  analysis.total_features = 5;
  analysis.conditions = {condition("A", 8), condition("B", 16)};
  analysis.timings = {{"graph", 0.5}};
  analysis.warnings = {"something to know"};
  return analysis;
}

RunRecord small_record() {
  return {.given = {{"bandwidth-neighbors", "7"},
                    {"preset", "paper-code"},
                    {"eigenvectors", "auto"},
                    {"drop-largest", "no"}},
          .inputs = {{"A.npy", "0123456789abcdef"}, {"B.npy", "fedcba9876543210"}},
          .seed = 3,
          .threads = 2,
          .date = {}};
}

TEST_F(Outputs, SummaryFollowsTheSchema) {
  write_outputs(small_analysis(), small_record(), folder_);
  const Json json = summary();
  EXPECT_EQ(json.at("version"), version());
  EXPECT_EQ(json.at("features").at("total"), 5);
  EXPECT_EQ(json.at("features").at("used"), 4);
  EXPECT_EQ(json.at("features").at("excluded"),
            Json::parse(R"([{"feature": "f5", "reason": "constant in condition A"}])"));
  EXPECT_EQ(json.at("seed"), 3);
  EXPECT_EQ(json.at("threads"), 2);
  EXPECT_EQ(json.at("converged"), true);
  EXPECT_EQ(json.at("warnings"), Json({"something to know"}));
  EXPECT_EQ(json.at("timings").at(0).at("stage"), "graph");
  EXPECT_EQ(json.at("timings").at(0).at("seconds"), 0.5);
  EXPECT_EQ(json.at("inputs").at(1).at("file"), "B.npy");
  EXPECT_EQ(json.at("inputs").at(1).at("digest"), "fedcba9876543210");
  EXPECT_GT(json.at("peak_memory_bytes").get<std::int64_t>(), 1'000'000);
  ASSERT_EQ(json.at("conditions").size(), 2u);
  const Json& first = json.at("conditions").at(0);
  EXPECT_EQ(first.at("name"), "A");
  EXPECT_EQ(first.at("samples"), 12);
  EXPECT_EQ(first.at("eigenvalues"), Json({1.0, 0.5}));
  EXPECT_EQ(first.at("eigenvectors_used"), 2);
  EXPECT_EQ(first.at("eigenvalue_gap"), 0.125);
  EXPECT_EQ(first.at("components"), 1);
  EXPECT_EQ(first.at("sigma"), Json({0.75, 0.5, 0.25}));
  EXPECT_EQ(first.at("degenerate_subspace"), Json({0, 1, 1}));
  EXPECT_EQ(first.at("leading_vectors"), 2);
  EXPECT_EQ(first.at("basis_rank"), 2);
  EXPECT_EQ(first.at("convergence").at("eigenvectors").at("converged"), true);
  EXPECT_TRUE(first.at("convergence").at("vectors").contains("residual"));
  ASSERT_EQ(first.at("groups").size(), 2u);
  EXPECT_EQ(first.at("groups").at(0).at("id"), "1");
  EXPECT_EQ(first.at("groups").at(0).at("size"), 2);
  EXPECT_EQ(first.at("groups").at(0).at("mean_energy"), 7.0);  // energies 8 and 6
  EXPECT_EQ(first.at("groups").at(0).at("top_features"), Json({"f1", "f3"}));
}

TEST_F(Outputs, SettingsHaveTheirTypes) {
  Analysis analysis = small_analysis();
  analysis.used.graph.bandwidth_neighbors = 7;
  analysis.used.groups.drop_largest = false;
  write_outputs(analysis, small_record(), folder_);
  const Json given = summary().at("settings").at("given");
  EXPECT_EQ(
      given,
      Json::parse(
          R"({"bandwidth-neighbors": 7, "preset": "paper-code", "eigenvectors": "auto", "drop-largest": false})"));
  const Json used = summary().at("settings").at("used");
  EXPECT_EQ(used.size(), option_table().size());
  EXPECT_EQ(used.at("bandwidth-neighbors"), 7);
  EXPECT_TRUE(used.at("bandwidth-neighbors").is_number_integer());
  EXPECT_EQ(used.at("association-z"), 1.5);
  EXPECT_EQ(used.at("drop-largest"), false);
  EXPECT_EQ(used.at("solver"), "auto");         // one of its choices
  EXPECT_TRUE(used.at("bandwidth").is_null());  // unset: did not apply
}

TEST_F(Outputs, NumbersThatAreNotFiniteBecomeNull) {
  Analysis analysis = small_analysis();
  analysis.conditions[0].vectors.sigma[1] = std::numeric_limits<double>::quiet_NaN();
  analysis.conditions[0].pairs.gap = std::numeric_limits<double>::infinity();
  write_outputs(analysis, small_record(), folder_);
  const Json first = summary().at("conditions").at(0);
  EXPECT_TRUE(first.at("sigma").at(1).is_null());
  EXPECT_TRUE(first.at("eigenvalue_gap").is_null());
}

TEST_F(Outputs, GroupsTableHasOneRowPerMember) {
  write_outputs(small_analysis(), small_record(), folder_);
  EXPECT_EQ(
      read("groups.tsv"),
      "condition\tgroup\tlevel\tparent\tfeature\tweight\tsign\tcore\tstability\tp\tq\tdirection\n"
      "A\t1\t1\t\tf1\t8\t\t\t\t\t\tgained\nA\t1\t1\t\tf3\t6\t\t\t\t\t\tgained\nA\t2\t1\t\tf2\t7\t\t\t\t\t\tgained\n"
      "B\t1\t1\t\tf1\t16\t\t\t\t\t\tgained\nB\t1\t1\t\tf3\t14\t\t\t\t\t\tgained\nB\t2\t1\t\tf2\t15\t\t\t\t\t\tgained"
      "\n");
}

// Groups as a test leaves them: one with signs and a part, and one that is lost.
TEST_F(Outputs, GroupsTableNamesPartsSignsAndDirections) {
  Analysis analysis = small_analysis();
  FeatureGroup whole{.features = {0, 1, 2}, .weight = {5, 4, 3}, .sign = {1, -1, 1}, .p = 0.005, .q = 0.01};
  whole.evidence.core = {0};
  whole.evidence.stability = 0.5;
  const FeatureGroup part{.features = {0, 2}, .weight = {2, 1}, .parent = 0, .p = 0.25, .q = 1};
  const FeatureGroup lost{.features = {3}, .weight = {1}, .view = {ViewKind::lost, 0}, .p = 0.04, .q = 0.05};
  analysis.conditions[0].groups.groups = {whole, part, lost};
  analysis.conditions[1].groups.groups.clear();
  analysis.statistics = Statistics();
  analysis.statistics->permutations = 199;
  write_outputs(analysis, small_record(), folder_);
  const std::string table = read("groups.tsv");
  EXPECT_EQ(table.substr(table.find('\n') + 1),
            "A\t1\t1\t\tf1\t5\t+\tyes\t0.5\t0.005\t0.01\tgained\n"
            "A\t1\t1\t\tf2\t4\t-\tno\t0.5\t0.005\t0.01\tgained\n"
            "A\t1\t1\t\tf3\t3\t+\tno\t0.5\t0.005\t0.01\tgained\n"
            "A\t1.1\t2\t1\tf1\t2\t+\t\t0\t0.25\t1\tgained\n"
            "A\t1.1\t2\t1\tf3\t1\t+\t\t0\t0.25\t1\tgained\n"
            "A\t2\t1\t\tf4\t1\t+\t\t0\t0.04\t0.05\tlost\n");
  const Json groups = summary().at("conditions").at(0).at("groups");
  EXPECT_EQ(groups.at(1).at("id"), "1.1");
  EXPECT_EQ(groups.at(1).at("parent"), "1");
  EXPECT_EQ(groups.at(1).at("level"), 2);
  EXPECT_TRUE(groups.at(2).at("parent").is_null());
  EXPECT_EQ(groups.at(2).at("id"), "2");
  EXPECT_EQ(groups.at(2).at("direction"), "lost");
  EXPECT_NE(read("features.tsv").find("f1\tyes\t\t8\t1,1.1\t"), std::string::npos);
}

TEST_F(Outputs, FeaturesTableHasOneRowPerFeature) {
  write_outputs(small_analysis(), small_record(), folder_);
  EXPECT_EQ(read("features.tsv"),
            "feature\tused\treason\tenergy_A\tgroup_A\tenergy_B\tgroup_B\n"
            "f1\tyes\t\t8\t1\t16\t1\n"
            "f2\tyes\t\t7\t2\t15\t2\n"
            "f3\tyes\t\t6\t1\t14\t1\n"
            "f4\tyes\t\t5\t\t13\t\n"
            "f5\tno\tconstant in condition A\t\t\t\t\n");
}

TEST_F(Outputs, FeatureInSeveralGroupsListsThem) {
  Analysis analysis = small_analysis();
  analysis.conditions[0].groups.groups = {{{0, 2}}, {{0}}};
  write_outputs(analysis, small_record(), folder_);
  EXPECT_NE(read("features.tsv").find("f1\tyes\t\t8\t1,2\t"), std::string::npos);
}

TEST_F(Outputs, VectorsCanBeReadBack) {
  write_outputs(small_analysis(), small_record(), folder_);
  const Dataset vectors = read_array("V_A");
  EXPECT_EQ(vectors.features, small_analysis().features);
  ASSERT_EQ(vectors.values.rows(), 3);
  EXPECT_EQ(vectors.values.at(0, 1), 0.25);  // feature 2 of vector 1
  EXPECT_EQ(vectors.values.at(1, 0), 0.0);
  EXPECT_EQ(read_array("U_B").values.rows(), 2);
}

TEST_F(Outputs, NamesOfConditionsMayContainAnything) {
  Analysis analysis = small_analysis();
  analysis.conditions[0].name = "a/b";
  analysis.conditions[1].name = "a\\b";
  write_outputs(analysis, small_record(), folder_);
  const Json conditions = summary().at("conditions");
  EXPECT_EQ(conditions.at(0).at("name"), "a/b");
  EXPECT_EQ(conditions.at(0).at("key"), "a_b");
  EXPECT_EQ(conditions.at(1).at("name"), "a\\b");
  EXPECT_EQ(conditions.at(1).at("key"), "a_b_2");
  EXPECT_EQ(read_array("V_a_b_2").values.rows(), 3);
}

TEST_F(Outputs, NamesThatAreNotUtf8DoNotBreakTheSummary) {
  Analysis analysis = small_analysis();
  analysis.excluded[0].feature = "caf\xe9";
  write_outputs(analysis, small_record(), folder_);
  EXPECT_NO_THROW(summary());
}

TEST_F(Outputs, OnlyTheFilesOfTheRunAreLeft) {
  write_outputs(small_analysis(), small_record(), folder_);
  write_outputs(small_analysis(), small_record(), folder_);
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename().string());
  EXPECT_EQ(names, (std::set<std::string>{"features.tsv", "groups.tsv", "pairs.tsv", "figure_data.npz", "samples.tsv",
                                          "summary.json", "units.tsv", "vectors.npz"}));
}

TEST_F(Outputs, FileInPlaceOfTheFolderIsAnInputError) {
  std::ofstream(folder_) << "x";
  EXPECT_THROW(write_outputs(small_analysis(), small_record(), folder_), InputError);
  EXPECT_EQ(fs::file_size(folder_), 1u);
}

TEST_F(Outputs, AConditionWithoutGroupsIsStillThere) {
  Analysis analysis = small_analysis();
  analysis.conditions[1].groups.groups.clear();
  write_outputs(analysis, small_record(), folder_);
  EXPECT_TRUE(summary().at("conditions").at(1).at("groups").empty());
  EXPECT_EQ(read("groups.tsv").find("B\t"), std::string::npos);
  EXPECT_NE(read("features.tsv").find("energy_B"), std::string::npos);
}

}  // namespace
}  // namespace disc
