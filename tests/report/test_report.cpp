// The data of the report, and how they get into the page.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "disc/options.hpp"
#include "report/report_data.hpp"
#include "support/data.hpp"

namespace disc {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;
using report::Json;

std::vector<Dataset> two_conditions(Index features = 40) {
  return {make_dataset("A", grouped_values(100, features, {{10, 8}}, 1, 2.0)),
          make_dataset("B", normal_values(100, features, 2))};
}

Analysis small_analysis(const std::map<std::string, std::string>& more = {}, Index features = 40) {
  std::map<std::string, std::string> given = {{"permutations", "39"}, {"bootstraps", "5"}};
  given.insert(more.begin(), more.end());
  return run(two_conditions(features), make_options("", given), threads(2));
}

RunRecord record() { return {{}, {{"a.npy", "0123"}}, 0, 1, {}}; }

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("disc_report_" + std::to_string(getpid()) + "_" + test->name());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

void replace(std::vector<OutputFile>& files, const std::string& name, const std::string& bytes) {
  for (OutputFile& file : files) {
    if (file.name == name) file.bytes = bytes;
  }
}

TEST(ReportData, HoldsGroupsVectorsAndWeights) {
  const Analysis analysis = small_analysis();
  const Json data = report::report_data(encode_outputs(analysis, record()));
  ASSERT_EQ(data["groups"].size(), 1U);
  EXPECT_EQ(data["groups"][0]["size"], 8);
  EXPECT_EQ(data["groups"][0]["condition"], 0);
  EXPECT_EQ(data["features"]["names"].size(), 40U);
  EXPECT_EQ(data["weights"]["lines"].size(), 40U);
  EXPECT_EQ(data["weights"]["conditions"][0].size(), 40U * 41 / 2);
  EXPECT_EQ(data["weights"]["lines"][0]["groups"], Json({0}));
  EXPECT_TRUE(data["weights"]["lines"][39]["groups"].empty());
  EXPECT_EQ(data["samples"][0]["metaFeatures"].size(), 1U);
  EXPECT_NEAR(data["conditions"][0]["vectors"][0][12].get<double>(), analysis.conditions[0].vectors.vectors(12, 0),
              1e-4);
  EXPECT_TRUE(data["images"].is_null());
  EXPECT_EQ(data["summary"]["conditions"][0]["groups"][0]["p"], analysis.conditions[0].groups.groups[0].p);
}

TEST(ReportData, ShowsWhatChangedWithinAGroup) {
  const Json data = report::report_data(encode_outputs(small_analysis(), record()));
  const Json& graph = data["graphs"][0];
  ASSERT_EQ(graph["features"].size(), 8U);
  ASSERT_EQ(graph["correlations"].size(), 2U);
  EXPECT_EQ(graph["correlations"][0][0], 1);
  EXPECT_GT(graph["coreCorrelation"][0].get<double>(), 0.6);
  EXPECT_LT(graph["coreCorrelation"][1].get<double>(), 0.2);
  EXPECT_GT(graph["correlations"][0][1].get<double>(), graph["correlations"][1][1].get<double>());
  ASSERT_GE(data["values"]["features"].size(), 8U);
  for (const Json& condition : data["values"]["conditions"]) {
    EXPECT_EQ(condition["samples"].size(), 100U);
    EXPECT_EQ(condition["levels"].size(), data["values"]["features"].size());
    EXPECT_EQ(condition["levels"][0].size(), 100U);
  }
  EXPECT_EQ(data["partners"][0].size(), 40U);
  EXPECT_EQ(data["partners"][0][12].size(), 10U);  // five features with their weights
}

// What summary.json says of groups in its other form: everything beside the group, names instead of numbers, parts.
TEST(ReportData, GroupsWithPartsBecomeOneForm) {
  std::vector<OutputFile> files = encode_outputs(small_analysis(), record());
  Json summary;
  for (const OutputFile& file : files) {
    if (file.name == "summary.json") summary = Json::parse(file.bytes);
  }
  const Json interval = {{"value", 0.7}, {"low", 0.6}, {"high", 0.8}};
  const Json group = {{"id", "A-1"},
                      {"level", 1},
                      {"parent", nullptr},
                      {"size", 8},
                      {"p", 0.01},
                      {"direction", "lost"},
                      {"significant", true},
                      {"mean_correlation", {interval, interval}},
                      {"core", {"f11", "f12"}},
                      {"edges", {{{"a", "f11"}, {"b", "f12"}, {"here", 0.1}, {"elsewhere", 0.9}}}}};
  Json part = group;
  part["id"] = "A-1.1";
  part["parent"] = "A-1";
  part["level"] = 2;
  Json chance = group;
  chance["id"] = "A-2";
  chance["significant"] = false;
  summary["conditions"][0]["groups"] = {group, part, chance};
  replace(files, "summary.json", summary.dump());
  std::string table = "condition\tgroup\tlevel\tparent\tfeature\tweight\tsign\tcore\tstability\tp\tq\tdirection\n";
  for (int j = 11; j <= 18; ++j) {
    table += "A\tA-1\t1\t\tf" + std::to_string(j) + "\t1\t1\t" + (j < 13 ? "yes" : "no") + "\t1\t0.01\t0.01\tlost\n";
  }
  table += "A\tA-1.1\t2\tA-1\tf11\t1\t1\tyes\t1\t0.01\t0.01\tlost\n";
  replace(files, "groups.tsv", table);
  std::erase_if(files, [](const OutputFile& file) { return file.name == "figure_data.npz"; });
  const Json data = report::report_data(files);
  const Json& listed = data["summary"]["conditions"][0]["groups"];
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0]["label"], "A-1");
  EXPECT_EQ(listed[0]["direction"], "lost");
  EXPECT_EQ(listed[0]["core_size"], 2);
  EXPECT_EQ(listed[0]["conditions"][1]["mean_correlation_high"], 0.8);
  EXPECT_EQ(listed[0]["edges"][0]["elsewhere"], 0.9);
  EXPECT_EQ(listed[1]["parent"], "A-1");
  EXPECT_EQ(data["summary"]["conditions"][0]["candidates"].back()["label"], "A-2");
  EXPECT_EQ(data["groups"][1]["number"], 2);
  EXPECT_EQ(data["conditions"][0]["group"][10], 0);  // a group counts before its parts
}

TEST(ReportData, SetsAreComparedWithTheCoreToo) {
  std::vector<OutputFile> files = encode_outputs(small_analysis(), record());
  std::erase_if(files,
                [](const OutputFile& file) { return file.name == "enrichment.tsv" || file.name == "groups.tsv"; });
  std::string groups = "condition\tgroup\tfeature\tweight\tstability\tcore\n";
  for (int j = 11; j <= 18; ++j) groups += "A\t1\tf" + std::to_string(j) + "\t1\t1\t" + (j < 15 ? "yes" : "no") + "\n";
  files.push_back({"groups.tsv", groups});
  files.push_back({"enrichment.tsv",
                   "condition\tgroup\tset\tdescription\tshared\tgroup_size\tset_size\ttested\tp\tq\tfeatures\n"
                   "A\t1\tcore set\t\t4\t8\t4\t40\t0.000766\t0.00766\tf11,f12,f13,f14\n"
                   "A\t1\tother\t\t1\t8\t10\t40\t0.92\t1\tf16\n"});
  const Json enrichment = report::report_data(files)["enrichment"];
  const auto column = std::ranges::find(enrichment["columns"], "core_q") - enrichment["columns"].begin();
  const auto index = static_cast<std::size_t>(column);
  // All four of four in a core of four: one of C(40, 4) = 91,390 draws; ten comparisons were made (q / p).
  EXPECT_NEAR(std::stod(enrichment["rows"][0][index].get<std::string>()), 10.0 / 91390, 1e-6);
  EXPECT_EQ(enrichment["rows"][0][index - 1], "4");
  EXPECT_EQ(enrichment["rows"][1][index - 1], "0");
}

TEST_F(Folder, MultiQcGetsARowPerGroup) {
  OutputFolder output(folder_);
  RunRecord with_title = record();
  with_title.given["title"] = "a <b> run";
  write_files(small_analysis(), with_title, output);
  const Json table = Json::parse(multiqc_json(output));
  EXPECT_EQ(table["plot_type"], "table");
  ASSERT_EQ(table["data"].size(), 1U);
  const auto row = table["data"].items().begin();
  EXPECT_EQ(row.key().find("a &lt;b&gt; run: A"), 0U);
  EXPECT_EQ(row.value()["features"], 8);
  EXPECT_GT(row.value()["here"].get<double>(), row.value()["elsewhere"].get<double>());
}

TEST_F(Folder, ComparedRunsShareTheirGroups) {
  const auto write = [&](const std::string& name, const std::string& groups) {
    fs::create_directories(folder_ / name);
    std::ofstream features(folder_ / name / "features.tsv");
    features << "feature\tused\treason\n";
    for (int j = 1; j <= 10; ++j) features << "f" << j << "\t" << (name == "two" && j == 10 ? "no" : "yes") << "\t\n";
    std::ofstream(folder_ / name / "groups.tsv") << "condition\tgroup\tfeature\n" << groups;
  };
  write("one", "A\t1\tf1\nA\t1\tf2\nA\t1\tf3\nA\t1\tf10\nA\t2\tf5\nA\t2\tf6\nB\t1\tf8\n");
  write("two", "A\t1\tf5\nA\t1\tf7\nA\t1\tf9\nA\t2\tf1\nA\t2\tf2\nA\t2\tf3\nA\t3\tf8\n");
  const RunComparison comparison = compare_runs(folder_ / "one", folder_ / "two");
  EXPECT_EQ(comparison.features_both, 9);
  ASSERT_EQ(comparison.matches.size(), 4U);
  EXPECT_EQ(comparison.matches[0].second, "2");
  EXPECT_EQ(comparison.matches[0].jaccard, 1.0);  // f10 took no part in the second run
  EXPECT_EQ(verdict(comparison.matches[0]), "same");
  EXPECT_EQ(comparison.matches[1].second, "1");
  EXPECT_EQ(comparison.matches[1].jaccard, 0.25);
  EXPECT_EQ(verdict(comparison.matches[1]), "changed");
  EXPECT_EQ(verdict(comparison.matches[2]), "gone");  // f8 is in a group of another condition
  EXPECT_EQ(verdict(comparison.matches[3]), "new");
  EXPECT_NE(comparison_tsv(comparison).find("A\t1\t2\tsame\t1\t3\t3\t3\n"), std::string::npos);
  EXPECT_THROW(compare_runs(folder_ / "one", folder_ / "none"), InputError);
}

TEST(ReportData, FindsConditionsWhoseNamesTablesWriteOtherwise) {
  std::vector<Dataset> conditions = two_conditions();
  conditions[0].name = "with\ttab";
  conditions[1].name = "two\nlines";
  const RunOptions options = make_options("", {{"permutations", "39"}, {"bootstraps", "0"}});
  const Json data = report::report_data(encode_outputs(run(conditions, options, threads(2)), record()));
  ASSERT_EQ(data["groups"].size(), 1U);
  EXPECT_EQ(data["groups"][0]["condition"], 0);
}

TEST(ReportData, ImagesPutFeaturesWhereTheirPixelsAre) {
  const Json data = report::report_data(encode_outputs(small_analysis({{"shape", "4x10"}}), record()));
  const Json& groups = data["images"]["conditions"][0]["groups"];
  ASSERT_EQ(groups.size(), 40U);
  for (std::size_t pixel = 0; pixel < 40; ++pixel) EXPECT_EQ(groups[pixel], pixel >= 10 && pixel < 18 ? 1 : 0) << pixel;
  EXPECT_EQ(data["images"]["width"], 10);
}

TEST(ReportData, ManyFeaturesAreReducedAndCounted) {
  constexpr int features = 100'000;
  Json summary = {{"settings", {{"used", Json::object()}}},
                  {"features", {{"excluded", Json::array()}}},
                  {"conditions", {{{"name", "A"}, {"key", "A"}}}}};
  for (int j = 0; j < 5000; ++j) summary["features"]["excluded"].push_back({{"feature", "x"}, {"reason", "constant"}});
  std::string table = "feature\tused\treason\tenergy_A\tgroup_A\n";
  std::string groups = "condition\tgroup\tfeature\tweight\tstability\tcore\n";
  NamedArray names{"features", {features}, {}, {}};
  NamedArray vectors{"V_A", {features, 1}, std::vector<double>(features, 0.5), {}};
  for (int j = 0; j < features; ++j) {
    const std::string name = "gene" + std::to_string(j);
    table += name + "\tyes\t\t0.001\t\n";
    names.texts.push_back(name);
    if (j >= 99'990) groups += "A\t1\t" + name + "\t" + std::to_string(j) + "\t1\tyes\n";
  }
  groups += "A\t2\tgene0\t1\t1\t\nA\t2\tgene1\t1\t1\t\n";  // too large a group to know its core
  const Json data = report::report_data({{"summary.json", summary.dump()},
                                         {"features.tsv", table},
                                         {"groups.tsv", groups},
                                         {"vectors.npz", encode_npz({names, vectors})}});
  EXPECT_EQ(data["features"]["total"], features);
  EXPECT_EQ(data["features"]["names"].size(), 4000U);
  EXPECT_EQ(data["features"]["names"].back(), "gene99999");  // in a group, so it is shown
  EXPECT_EQ(data["groups"][0]["features"][0], "gene99999");  // the largest weight first
  EXPECT_EQ(data["conditions"][0]["group"].front(), 1);
  EXPECT_EQ(data["conditions"][0]["group"].back(), 0);
  EXPECT_EQ(data["conditions"][0]["group"][10], -1);
  EXPECT_EQ(data["groups"][0]["core"].size(), 10U);
  EXPECT_TRUE(data["groups"][1]["core"].is_null());
  EXPECT_EQ(data["summary"]["features"]["excluded"].size(), 2000U);
  EXPECT_EQ(data["summary"]["features"]["excluded_total"], 5000U);
  EXPECT_TRUE(data["weights"].is_null());
}

TEST(ReportData, OfLargeGroupsTheMostTypicalFeaturesAreShown) {
  constexpr int features = 50'000;
  const Json summary = {{"settings", {{"used", Json::object()}}},
                        {"features", {{"excluded", Json::array()}}},
                        {"conditions", {{{"name", "A"}, {"key", "A"}}}}};
  std::string table = "feature\tused\treason\tenergy_A\tgroup_A\n";
  std::string groups = "condition\tgroup\tfeature\tweight\tstability\tcore\n";
  NamedArray names{"features", {features}, {}, {}};
  const NamedArray vectors{"V_A", {features, 1}, std::vector<double>(features, 0.5), {}};
  for (int j = 0; j < features; ++j) {
    const std::string name = "f" + std::to_string(j);
    names.texts.push_back(name);
    table += name + "\tyes\t\t" + std::to_string(j % 100) + "\t\n";
    const std::string group = j < features / 2 ? "1" : "2";
    groups += "A\t" + group + "\t" + name + "\t" + std::to_string(j % 20'000) + "\t1\t\n";
  }
  const Json data = report::report_data({{"summary.json", summary.dump()},
                                         {"features.tsv", table},
                                         {"groups.tsv", groups},
                                         {"vectors.npz", encode_npz({names, vectors})}});
  const auto shown = data["features"]["names"].get<std::vector<std::string>>();
  EXPECT_EQ(shown.size(), 4000U);
  const auto group_of = data["conditions"][0]["group"].get<std::vector<int>>();
  EXPECT_GE(std::ranges::count(group_of, 0), 1000);
  EXPECT_GE(std::ranges::count(group_of, 1), 1000);
  EXPECT_EQ(std::ranges::count(group_of, -1), 0);
  for (std::size_t g = 0; g < 2; ++g) {
    const auto typical = data["groups"][g]["features"].get<std::vector<std::string>>();
    for (std::size_t i = 0; i < 1000; ++i) EXPECT_NE(std::ranges::find(shown, typical[i]), shown.end()) << typical[i];
  }
}

TEST(ReportData, TablesOfSetsAndPairsAreCutPerGroupAndCondition) {
  std::vector<OutputFile> files = encode_outputs(small_analysis(), record());
  std::erase_if(files,
                [](const OutputFile& file) { return file.name == "enrichment.tsv" || file.name == "pairs.tsv"; });
  std::string sets = "condition\tgroup\tset\tq\n";
  std::string pairs = "condition\tfeature_a\tfeature_b\tq\n";
  for (int i = 0; i < 40; ++i) sets += "A\t1\tset" + std::to_string(i) + "\t0.01\n";
  for (int i = 0; i < 600; ++i) pairs += "B\tf1\tf2\t0.01\n";
  files.push_back({"enrichment.tsv", sets + "B\t1\tother\t0.5\n"});
  files.push_back({"pairs.tsv", pairs + "A\tf3\tf4\t0.5\n"});
  const Json data = report::report_data(files);
  EXPECT_EQ(data["enrichment"]["rows"].size(), 31U);
  EXPECT_EQ(data["enrichment"]["rows"].back()[2], "other");
  EXPECT_EQ(data["pairs"]["rows"].size(), 501U);
  EXPECT_EQ(data["pairs"]["total"], 601U);
}

TEST(ReportData, DamagedFilesAreInputErrors) {
  const std::vector<OutputFile> good = encode_outputs(small_analysis(), record());
  EXPECT_NO_THROW(report::report_data(good));
  const std::pair<const char*, const char*> damages[] = {
      {"summary.json", "{"},
      {"summary.json", "{}"},
      {"summary.json", "[]"},
      {"groups.tsv", "condition\tgroup\tfeature\tweight\nC\t1\tf1\t1\n"},
      {"groups.tsv", "condition\tgroup\tfeature\tweight\nA\t1\tnobody\t1\n"},
      {"groups.tsv", "condition\tgroup\tfeature\tweight\tcore\nA\t7\tf1\t1\t\n"},
      {"features.tsv", "feature\tused\n"},
      {"features.tsv", "feature\tused\treason\tenergy_A\tenergy_B\nf1\tyes\t\t1\t1\n"},
      {"samples.tsv", "condition\tsample\n"},
      {"vectors.npz", "PK"},
      {"figure_data.npz", ""}};
  for (const auto& [name, bytes] : damages) {
    std::vector<OutputFile> files = good;
    replace(files, name, bytes);
    EXPECT_THROW(report::report_data(files), InputError) << name << ": " << bytes;
  }
}

TEST_F(Folder, ThePageOfAFolderIsThatOfTheRun) {
  ASSERT_TRUE(has_report_page()) << "tools/build_report.sh makes the page";
  const Analysis analysis = small_analysis();
  const std::vector<OutputFile> files = encode_outputs(analysis, record());
  OutputFolder output(folder_);
  write_outputs(files, output);
  EXPECT_EQ(report_html(folder_), report_html(files));
}

TEST_F(Folder, FilesWrittenOneByOneAreThoseOfTheRun) {
  const Analysis analysis = small_analysis();
  OutputFolder output(folder_);
  write_files(analysis, record(), output);
  EXPECT_FALSE(fs::exists(folder_ / "vectors.npz"));
  const std::string page = report_html(output);
  output.commit();
  EXPECT_EQ(page, report_html(folder_));
  for (const OutputFile& file : encode_outputs(analysis, record())) {
    if (file.name == "summary.json") continue;  // has the memory used so far
    std::ifstream stream(folder_ / file.name, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), file.bytes) << file.name;
  }
}

TEST_F(Folder, AFolderWithoutARunIsAnInputError) {
  EXPECT_THROW(report_html(folder_), InputError);
  fs::create_directories(folder_);
  EXPECT_THROW(report_html(folder_), InputError);
}

TEST(ReportHtml, NothingInNamesCanEndTheDataBlock) {
  std::vector<Dataset> data = two_conditions(20);
  data[0].features[0] = data[1].features[0] = "</script><script>alert(1)</script>";
  data[0].features[1] = data[1].features[1] = "<!--&\"'";
  data[0].name = "<img src=x onerror=alert(1)>";
  const Analysis analysis = run(data, make_options("", {{"permutations", "9"}, {"bootstraps", "0"}}), threads(1));
  const std::string html = report_html(analysis, record());
  const std::size_t begin = html.find("type=\"application/json\">") + 24;
  const std::string block = html.substr(begin, html.find("</script>", begin) - begin);
  EXPECT_EQ(block.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
  const Json read = Json::parse(block);
  EXPECT_EQ(read["features"]["names"][0], "</script><script>alert(1)</script>");
  EXPECT_EQ(read["summary"]["conditions"][0]["name"], "<img src=x onerror=alert(1)>");
}

}  // namespace
}  // namespace disc
