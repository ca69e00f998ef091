// Several files per condition: by list, by pattern, and by a table of files.
#include <algorithm>

#include "disc/manifest.hpp"
#include "support.hpp"

namespace disc::test {
namespace {

Dataset condition_of(const Manifest& manifest, std::size_t number = 0) {
  return read_conditions(manifest, {}, context_of(2)).at(number);
}

std::vector<std::string> label(const Dataset& data, const std::string& name) {
  const auto found = std::ranges::find(data.labels, name, &LabelColumn::name);
  return found == data.labels.end() ? std::vector<std::string>{"no such label"} : found->values;
}

std::string option_message(const std::vector<std::string>& texts) {
  try {
    manifest_of_conditions(texts);
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

class Manifests : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.file("s1.csv", "a,b,c\n1,2,3\n4,5,6\n");
    folder_.file("s2.csv", "c,a,b\n30,10,20\n");
    folder_.file("t1.csv", "a,b,c\n7,7,7\n8,8,9\n");
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  TemporaryFolder folder_;
};

TEST_F(Manifests, FilesAreStackedWithFeaturesMatchedByName) {
  const std::vector<std::string> texts{"A=" + path("s1.csv") + "," + path("s2.csv"), "B=" + path("t1.csv")};
  const Dataset a = condition_of(manifest_of_conditions(texts));
  EXPECT_EQ(a.name, "A");
  EXPECT_EQ(values_of(a), matrix(3, 3, {1, 2, 3, 4, 5, 6, 10, 20, 30}));
  EXPECT_EQ(a.samples, (Names{"s1:s1", "s1:s2", "s2:s1"}));
  EXPECT_EQ(label(a, "file"), (Names{"s1", "s1", "s2"}));
  EXPECT_EQ(label(condition_of(manifest_of_conditions(texts), 1), "file"), (Names{"t1", "t1"}));
}

TEST_F(Manifests, PatternsAndRepeatedConditions) {
  const Manifest pattern = manifest_of_conditions(std::vector<std::string>{"A=" + path("s?.csv")});
  ASSERT_EQ(pattern.rows.size(), 2U);
  EXPECT_EQ(pattern.rows[1].file.filename(), "s2.csv");
  const std::vector<std::string> twice{"A=" + path("s1.csv"), "B=" + path("t1.csv"), "A=" + path("s2.csv")};
  EXPECT_EQ(condition_of(manifest_of_conditions(twice)).values.rows(), 3);
}

TEST_F(Manifests, OneFileEachIsLeftAsItIs) {
  const std::vector<std::string> texts{"A=" + path("s1.csv"), "B=" + path("t1.csv")};
  const Dataset a = condition_of(manifest_of_conditions(texts));
  EXPECT_TRUE(a.labels.empty());
  EXPECT_EQ(a.samples, (Names{"s1", "s2"}));
}

TEST_F(Manifests, TableWithLabels) {
  for (const std::string separator : {"\t", ","}) {
    std::string text = "condition\tfile\tunit\tsex\nA\ts1.csv\tu1\tf\nB\tt1.csv\tu3\tm\r\nA\ts2.csv\tu1\tf\n";
    for (std::size_t at = 0; (at = text.find('\t', at)) != std::string::npos; ++at) text.replace(at, 1, separator);
    const Manifest manifest = read_manifest(folder_.file("manifest.tsv", text));
    const Dataset a = condition_of(manifest);
    EXPECT_EQ(a.values.rows(), 3);
    EXPECT_EQ(label(a, "unit"), (Names{"u1", "u1", "u1"}));
    EXPECT_EQ(label(a, "sex"), (Names{"f", "f", "f"}));
  }
}

TEST_F(Manifests, SparseFilesStaySparse) {
  const std::string start = "%%MatrixMarket matrix coordinate real general\n";
  folder_.file("x.mtx", start + "2 3 2\n1 1 5\n2 3 6\n");
  folder_.file("y.mtx", start + "1 3 1\n1 2 7\n");
  const Dataset data =
      condition_of(manifest_of_conditions(std::vector<std::string>{"A=" + path("x.mtx") + "," + path("y.mtx")}));
  EXPECT_TRUE(data.values.is_sparse());
  EXPECT_EQ(values_of(data), matrix(3, 3, {5, 0, 0, 0, 0, 6, 0, 7, 0}));
}

TEST_F(Manifests, WhatIsNotInAllFilesIsExcludedWithAWarning) {
  folder_.file("s3.csv", "b,d,c\n1,2,3\n");
  std::vector<std::string> warnings;
  const Context context(
      {.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = [&](LogLevel, std::string_view text) {
         warnings.emplace_back(text);
       }});
  const std::vector<std::string> texts{"A=" + path("s1.csv") + "," + path("s3.csv")};
  EXPECT_EQ(read_conditions(manifest_of_conditions(texts), {}, context)[0].features, (Names{"b", "c"}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("2 features are not in all"), std::string::npos);
}

TEST_F(Manifests, ErrorsOfTables) {
  const auto error = [&](const std::string& text) {
    const auto file = folder_.file("bad.tsv", text);
    return input_error([&] { read_manifest(file); });
  };
  EXPECT_TRUE(says(error("condition\tpath\nA\ts1.csv\n"), "has no column 'file'"));
  EXPECT_TRUE(says(error("condition\tfile\nA\tabsent.csv\n"), "bad.tsv:2: there is no file"));
  EXPECT_TRUE(
      says(error("condition\tfile\nA\ts1.csv\nB\t./s1.csv\n"), "bad.tsv:3: the file './s1.csv' is listed twice"));
  EXPECT_TRUE(says(error("condition\tfile\n\ts1.csv\n"), "both a file and a condition"));
  EXPECT_TRUE(says(error("condition\tfile\n"), "lists no files"));
}

TEST_F(Manifests, ErrorsOfTexts) {
  EXPECT_NE(option_message({"A"}).find("must be a name, =, and its files"), std::string::npos);
  EXPECT_NE(option_message({"=a.csv"}).find("must be a name"), std::string::npos);
  EXPECT_NE(option_message({"A=a.csv,,b.csv"}).find("empty file"), std::string::npos);
  EXPECT_NE(option_message({"A=" + path("q*.csv")}).find("no file fits"), std::string::npos);
}

TEST_F(Manifests, FilesWithoutCommonFeatures) {
  folder_.file("other.csv", "x,y\n1,2\n");
  folder_.file("u1.npy", encode_npy({"", {1, 2}, {1, 2}, {}}));
  folder_.file("u2.npy", encode_npy({"", {1, 3}, {1, 2, 3}, {}}));
  const auto error = [&](const std::string& one, const std::string& two) {
    const Manifest manifest = manifest_of_conditions(std::vector<std::string>{"A=" + path(one) + "," + path(two)});
    return input_error([&] { read_conditions(manifest, {}, context_of()); });
  };
  EXPECT_TRUE(says(error("s1.csv", "other.csv"), "no feature in common"));
  EXPECT_TRUE(says(error("u1.npy", "u2.npy"), "without names the numbers must agree"));
}

TEST(NamedSets, AreReadFromGmt) {
  const TemporaryFolder folder;
  const auto sets = read_gmt(folder.file("sets.gmt", "S1\thttp://x\tA\tB\r\nS2\t\tC\t\n\n"));
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].members, (Names{"A", "B"}));
  EXPECT_EQ(sets[1].members, (Names{"C"}));
  const auto bad = folder.file("bad.gmt", "S1\tx\tA\nS2\n");
  EXPECT_TRUE(says(input_error([&] { read_gmt(bad); }), "bad.gmt:2: the line has 1 cell;"));
}

}  // namespace
}  // namespace disc::test
