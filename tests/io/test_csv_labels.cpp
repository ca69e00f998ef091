// Columns of text tables that describe the samples, and decimals with a comma.
#include <cmath>

#include "io/support.hpp"

namespace disc::test {
namespace {

Names label_names(const Dataset& data) {
  Names names;
  for (const LabelColumn& label : data.labels) names.push_back(label.name);
  return names;
}

TEST(CsvLabels, ColumnsOfWordsDescribeTheSamples) {
  const Dataset data = read_text("id,group,x,sex,y\na,ctrl,1,m,2\nb,stim,3,,4\nc,stim,5,f,6\n");
  EXPECT_EQ(data.features, (Names{"x", "y"}));
  EXPECT_EQ(data.samples, (Names{"a", "b", "c"}));
  EXPECT_EQ(label_names(data), (Names{"group", "sex"}));
  EXPECT_EQ(data.labels[0].values, (Names{"ctrl", "stim", "stim"}));
  EXPECT_EQ(data.labels[1].values, (Names{"m", "", "f"}));
  EXPECT_EQ(values_of(data), matrix(3, 2, {1, 2, 3, 4, 5, 6}));
}

TEST(CsvLabels, AFirstColumnOfRepeatedWordsIsNoColumnOfNames) {
  const Dataset data = read_text("group,x,y\n\"a, b\",1,2\n\"a, b\",3,4\nc,5,6\n");
  EXPECT_EQ(label_names(data), (Names{"group"}));
  EXPECT_EQ(data.labels[0].values, (Names{"a, b", "a, b", "c"}));
  EXPECT_EQ(data.samples, (Names{"s1", "s2", "s3"}));
}

TEST(CsvLabels, ColumnsOfNumbersAreLabelsIfAskedFor) {
  const Dataset data = read_text("dose,x,y\n0,1,2\n1,3,4\n", "a.csv", {.labels = {"dose", "absent"}});
  EXPECT_EQ(data.features, (Names{"x", "y"}));
  EXPECT_EQ(data.labels.at(0).values, (Names{"0", "1"}));
}

TEST(CsvLabels, NamesOfRowsAreALabelTooIfAskedFor) {
  const Dataset data = read_text("mouse,x,y\nm_1,1,2\nm_2,3,4\n", "a.csv", {.labels = {"mouse"}});
  EXPECT_EQ(data.samples, (Names{"m_1", "m_2"}));
  EXPECT_EQ(label_names(data), (Names{"mouse"}));
}

TEST(CsvLabels, SamplesInColumnsHaveNone) {
  EXPECT_TRUE(says(reading_error("gene,note,x,y\na,n,1,2\nb,m,3,4\n", "a.csv", {.samples_in = SamplesIn::columns}),
                   "'n' is not a number"));
}

TEST(CsvLabels, AWordAmongNumbersIsAMistake) {
  EXPECT_TRUE(says(reading_error("x,y\n1,2\noops,4\n5,6\n"), "data.csv:3:1: 'oops'"));
}

TEST(CsvLabels, NothingButWordsIsAMistake) { EXPECT_TRUE(says(reading_error("x,y\na,b\nc,d\n"), "is not a number")); }

TEST(CsvDecimal, AComma) {
  const Dataset data = read_text("x;y\n0,5;-1,25e3\n\"2,5\";7\n", "a.csv", {.decimal_comma = true});
  EXPECT_EQ(values_of(data), matrix(2, 2, {0.5, -1250, 2.5, 7}));
  EXPECT_TRUE(
      says(reading_error("x;y\n0,5;1\n1.234;2\n", "a.csv", {.decimal_comma = true}), "'1.234' is not a number"));
  EXPECT_TRUE(says(reading_error("x;y\n1;2\n0,5;1\n", "a.csv"), "--decimal comma"));
}

TEST(CsvNames, RepeatedOnesAreMadeUnique) {
  EXPECT_EQ(read_text("x,y,x,x\n1,2,3,4\n").features, (Names{"x", "y", "x-1", "x-2"}));
}

}  // namespace
}  // namespace disc::test
