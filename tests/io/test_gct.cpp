// .gct tables with their .cls files, and comments in text tables (.1D).
#include "support.hpp"

namespace disc::test {
namespace {

const std::string table = "#1.2\n2\t3\nNAME\tDescription\ts1\ts2\ts3\ng1\tfirst gene\t1\t2\t3\ng2\tna\t4\t5.5\t-6\n";

TEST(Gct, GenesAreFeatures) {
  const Dataset data = read_text(table, "data.gct");
  EXPECT_EQ(data.features, (Names{"g1", "g2"}));
  EXPECT_EQ(data.samples, (Names{"s1", "s2", "s3"}));
  EXPECT_EQ(values_of(data), matrix(3, 2, {1, 4, 2, 5.5, 3, -6}));
  // The format says what is a sample, so the flag is not asked.
  EXPECT_EQ(values_of(read_text(table, "data.gct", {.samples_in = SamplesIn::columns})), values_of(data));
}

TEST(Gct, RepeatedGenesAreToldApart) {
  const std::string twice = "#1.2\n2\t2\nNAME\tDescription\ts1\ts2\ng\tx\t1\t2\ng\ty\t3\t4\n";
  EXPECT_EQ(read_text(twice, "data.gct").features, (Names{"g", "g-1"}));
}

TEST(Gct, ClassesBesideItOrNamed) {
  const TemporaryFolder folder;
  const auto data_file = folder.file("a.gct", table);
  EXPECT_TRUE(read_dataset(data_file, {}, context_of()).labels.empty());
  folder.file("a.cls", "3 2 1\n# ALL AML\nALL AML ALL\n");
  const Dataset beside = read_dataset(data_file, {}, context_of());
  ASSERT_EQ(beside.labels.size(), 1U);
  EXPECT_EQ(beside.labels[0].name, "class");
  EXPECT_EQ(beside.labels[0].values, (Names{"ALL", "AML", "ALL"}));
  const auto numbers = folder.file("other.cls", "3 2 1\r\n#tumor normal\r\n1 0 1\r\n");
  const Dataset named = read_dataset(data_file, {.classes = numbers.string()}, context_of());
  EXPECT_EQ(named.labels[0].values, (Names{"tumor", "normal", "tumor"}));
}

TEST(GctErrors, SayWhatIsWrongAndWhere) {
  EXPECT_TRUE(says(reading_error("#1.3\n2\t3\n", "data.gct"), "before the names"));
  EXPECT_TRUE(says(reading_error("#1.3\n1\t1\nNAME\tDescription\ts1\n", "data.gct"), "only #1.2"));
  EXPECT_TRUE(
      says(reading_error("#1.2\n2\t4\nNAME\tDescription\ts1\ts2\ts3\n", "data.gct"), "data.gct:3: the line names 5"));
  EXPECT_TRUE(says(reading_error("#1.2\n2\tx\nNAME\tDescription\ts1\n", "data.gct"), "'x' is not a whole number"));
  EXPECT_TRUE(says(reading_error("#1.2\n3\t3\n" + table.substr(9), "data.gct"), "announces 3 genes, but there are 2"));
  EXPECT_EQ(reading_error(table + "g3\tx\t1\toops\t2\n", "data.gct").place().line, 6);
  EXPECT_EQ(reading_error(table + "g3\tx\t1\toops\t2\n", "data.gct").place().column, 4);
  EXPECT_TRUE(says(reading_error(table + "g3\tx\t1\n", "data.gct"), "data.gct:6: the line has 3 cells"));
  const TemporaryFolder folder;
  const auto short_classes = folder.file("a.cls", "3 2 1\n# A B\nA B\n");
  EXPECT_TRUE(
      says(reading_error(table, "data.gct", {.classes = short_classes.string()}), "2 samples, but there are 3"));
  const auto continuous = folder.file("b.cls", "#numeric\n#age\n1 2 3\n");
  EXPECT_TRUE(says(reading_error(table, "data.gct", {.classes = continuous.string()}), "continuous"));
}

TEST(Comments, ALineOfNamesIsAHeader) {
  const Dataset abide = read_text("#1\t#2\t#10\n0.5\t1\t2\n3\t4\t5\n", "x.1D");
  EXPECT_EQ(abide.features, (Names{"1", "2", "10"}));
  EXPECT_EQ(values_of(abide), matrix(2, 3, {0.5, 1, 2, 3, 4, 5}));
  const Dataset blanks = read_text("# made by a program\n# left right\n 1  2\n 3  4\n", "x.1D");
  EXPECT_EQ(blanks.features, (Names{"left", "right"}));
  EXPECT_EQ(values_of(blanks), matrix(2, 2, {1, 2, 3, 4}));
}

TEST(Comments, OtherCommentsAreSkipped) {
  const Dataset data = read_text("# 3 columns, made by a program of mine\n\n# twice\n1 2 3\n4 5 6\n", "x.1D");
  EXPECT_FALSE(data.features_named);
  EXPECT_EQ(values_of(data), matrix(2, 3, {1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(read_text("#a,b\n1,2\n", "x.csv", {.header = false}).features_named);
  const Dataset header_below = read_text("# comment\na,b\n1,2\n3,4\n", "x.csv");
  EXPECT_EQ(header_below.features, (Names{"a", "b"}));
  EXPECT_EQ(reading_error("# comment\n#\na,b\n1,2\n3,x\n").place().line, 5);
  EXPECT_TRUE(says(reading_error("# nothing\n# else\n"), "the file is empty"));
}

}  // namespace
}  // namespace disc::test
