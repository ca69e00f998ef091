#include <cmath>
#include <random>

#include "io/support.hpp"

namespace disc::test {
namespace {

const RowMatrix two_by_three = matrix(2, 3, {1, 2.5, -3e-2, 4, 5, 6});

TEST(Csv, ReadsAHeaderAndNumbers) {
  const Dataset dataset = read_text("a,b,c\n1,2.5,-3e-2\n4,5,6\n", "folder/control.csv");
  EXPECT_EQ(dataset.name, "control");
  EXPECT_EQ(dataset.source, "folder/control.csv");
  EXPECT_EQ(dataset.features, (Names{"a", "b", "c"}));
  EXPECT_EQ(dataset.samples, (Names{"s1", "s2"}));
  EXPECT_TRUE(dataset.features_named);
  EXPECT_EQ(values_of(dataset), two_by_three);
}

TEST(Csv, MakesUpNamesWithoutAHeader) {
  const Dataset dataset = read_text("1,2.5,-3e-2\n4,5,6\n");
  EXPECT_EQ(dataset.features, (Names{"f1", "f2", "f3"}));
  EXPECT_FALSE(dataset.features_named);
  EXPECT_EQ(values_of(dataset), two_by_three);
}

TEST(Csv, DetectsEveryDelimiter) {
  for (const std::string separator : {",", ";", "\t", "|", " ", "   ", " \t "}) {
    std::string text = "a,b,c\n1,2.5,-3e-2\n4,5,6\n";
    for (std::size_t at = 0; (at = text.find(',', at)) != std::string::npos; at += separator.size())
      text.replace(at, 1, separator);
    const Dataset dataset = read_text(text, "data.txt");
    EXPECT_EQ(values_of(dataset), two_by_three) << "'" << separator << "'";
    EXPECT_EQ(dataset.features, (Names{"a", "b", "c"})) << "'" << separator << "'";
  }
}

TEST(Csv, SpacesInNamesAndAroundCellsDoNotSeparate) {
  const Dataset dataset = read_text("gene one , gene two\n 1 ,\t2\n3, 4 \n");
  EXPECT_EQ(dataset.features, (Names{"gene one", "gene two"}));
  EXPECT_EQ(values_of(dataset), matrix(2, 2, {1, 2, 3, 4}));
}

TEST(Csv, CommasInNamesOfATabTable) {
  const Dataset dataset = read_text("a,1\tb,2\n1\t2\n");
  EXPECT_EQ(dataset.features, (Names{"a,1", "b,2"}));
}

TEST(Csv, BlankTableIndentedAndWithTrailingBlanks) {
  EXPECT_EQ(values_of(read_text("  1  2.5 -3e-2 \n  4  5    6\n", "data.1D")), two_by_three);
}

TEST(Csv, OneColumn) {
  const Dataset dataset = read_text("a\n1\n2\n");
  EXPECT_EQ(dataset.features, (Names{"a"}));
  EXPECT_EQ(values_of(dataset), matrix(2, 1, {1, 2}));
}

TEST(Csv, DelimiterCanBeGiven) {
  ReadOptions options;
  options.delimiter = ':';
  EXPECT_EQ(values_of(read_text("1:2.5:-3e-2\n4:5:6\n", "data.csv", options)), two_by_three);
}

TEST(Csv, DelimiterMustNotBePartOfNumbers) {
  for (const char letter : {'1', '.', '-', '"', '\n'}) {
    ReadOptions options;
    options.delimiter = letter;
    EXPECT_THROW(read_text("1,2\n", "data.csv", options), OptionError) << letter;
  }
}

TEST(Csv, RowNamesByTextInTheFirstColumn) {
  const Dataset dataset = read_text("id,a,b\nx,1,2\ny,3,4\n");
  EXPECT_EQ(dataset.features, (Names{"a", "b"}));
  EXPECT_EQ(dataset.samples, (Names{"x", "y"}));
  EXPECT_EQ(values_of(dataset), matrix(2, 2, {1, 2, 3, 4}));
}

TEST(Csv, RowNamesByAShorterHeader) {
  const Dataset dataset = read_text("a b\n1 10 20\n2 30 40\n", "data.txt");
  EXPECT_EQ(dataset.features, (Names{"a", "b"}));
  EXPECT_EQ(dataset.samples, (Names{"1", "2"}));
  EXPECT_EQ(values_of(dataset), matrix(2, 2, {10, 20, 30, 40}));
}

TEST(Csv, RowNamesByAnEmptyCorner) {
  for (const std::string header : {",a,b", "\"\",\"a\",\"b\""}) {
    const Dataset dataset = read_text(header + "\n0,10,20\n1,30,40\n");
    EXPECT_EQ(dataset.features, (Names{"a", "b"}));
    EXPECT_EQ(dataset.samples, (Names{"0", "1"}));
  }
}

TEST(Csv, NumberedColumnsOfAPandasTable) {
  const Dataset dataset = read_text(",0,1,2\n0,1.5,2,3\n1,4,5,6\n");
  EXPECT_EQ(dataset.features, (Names{"0", "1", "2"}));
  EXPECT_EQ(values_of(dataset), matrix(2, 3, {1.5, 2, 3, 4, 5, 6}));
}

TEST(Csv, AMissingFirstValueIsNoHeader) {
  const Dataset dataset = read_text(",3,5\n1,2,4\n");
  EXPECT_EQ(dataset.values.rows(), 2);
  EXPECT_TRUE(std::isnan(dataset.values.at(0, 0)));
}

TEST(Csv, RowNamesWithoutAHeader) {
  const Dataset dataset = read_text("g1\t1.5\t2\ng2\t3\t4\n", "data.tsv");
  EXPECT_FALSE(dataset.features_named);
  EXPECT_EQ(dataset.samples, (Names{"g1", "g2"}));
  EXPECT_EQ(values_of(dataset), matrix(2, 2, {1.5, 2, 3, 4}));
}

TEST(Csv, NumericSampleNumbersUnderATitle) {
  ReadOptions options;
  options.samples_in = SamplesIn::columns;
  const Dataset dataset = read_text("gene\t1001\t1007\nTP53\t1\t2\nMYC\t3\t4\n", "data.tsv", options);
  EXPECT_EQ(dataset.samples, (Names{"1001", "1007"}));
  EXPECT_EQ(dataset.features, (Names{"TP53", "MYC"}));
}

TEST(Csv, HeaderAndRowNamesCanBeGiven) {
  ReadOptions options;
  options.header = true;
  options.row_names = true;
  const Dataset dataset = read_text("9,8,7\n1,2,3\n", "data.csv", options);
  EXPECT_EQ(dataset.features, (Names{"8", "7"}));
  EXPECT_EQ(dataset.samples, (Names{"1"}));
  options.header = false;
  options.row_names = false;
  EXPECT_TRUE(says(reading_error("a,b\n1,2\n", "data.csv", options), "data.csv:1:1: 'a' is not a number"));
}

TEST(Csv, SamplesInColumnsTransposes) {
  ReadOptions options;
  options.samples_in = SamplesIn::columns;
  const Dataset dataset = read_text("gene,cell1,cell2\ng1,1,2\ng2,3,4\ng3,5,6\n", "data.csv", options);
  EXPECT_EQ(dataset.features, (Names{"g1", "g2", "g3"}));
  EXPECT_EQ(dataset.samples, (Names{"cell1", "cell2"}));
  EXPECT_EQ(values_of(dataset), matrix(2, 3, {1, 3, 5, 2, 4, 6}));
}

TEST(Csv, EveryKindOfLineEnd) {
  for (const std::string text :
       {"a,b,c\r\n1,2.5,-3e-2\r\n4,5,6\r\n", "a,b,c\r1,2.5,-3e-2\r4,5,6\r", "a,b,c\r\n1,2.5,-3e-2\n4,5,6",
        "\xef\xbb\xbf"
        "a,b,c\n\n1,2.5,-3e-2\r\n  \n4,5,6\n\n\n"}) {
    const Dataset dataset = read_text(text);
    EXPECT_EQ(values_of(dataset), two_by_three);
    EXPECT_EQ(dataset.features, (Names{"a", "b", "c"}));
  }
}

TEST(Csv, QuotedCells) {
  const Dataset dataset = read_text("\"a, b\",\"say \"\"hi\"\"\",\"\"\n\"1\",\"2\",3\n 4 ,5,\"6\"\n");
  EXPECT_EQ(dataset.features, (Names{"a, b", "say \"hi\"", "column 3"}));
  EXPECT_EQ(values_of(dataset), matrix(2, 3, {1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(says(reading_error("a,b\n1,2\n3,\"4\n"), "data.csv:3:2: the quote is not closed"));
}

TEST(Csv, MissingValuesAreNaN) {
  const Dataset dataset = read_text("a,b,c,d,e,f,g,h,i\nNA,NaN,nan,null,,N/A,NULL,None,\"\"\n1,2,3,4,5,6,7,8,9\n");
  for (Index j = 0; j < 9; ++j) EXPECT_TRUE(std::isnan(dataset.values.at(0, j))) << j;
  EXPECT_EQ(dataset.values.at(1, 8), 9);
}

TEST(Csv, InfiniteValuesAreKept) {
  const Dataset dataset = read_text("inf,-Inf,1e999\n1,2,3\n");
  EXPECT_EQ(values_of(dataset).row(0).array().isInf().count(), 3);
  EXPECT_LT(dataset.values.at(0, 1), 0);
}

TEST(Csv, LastCellMayBeEmpty) {
  const Dataset dataset = read_text("1,2\n3,\n");
  EXPECT_TRUE(std::isnan(dataset.values.at(1, 1)));
}

TEST(Csv, ARowOfEmptyCellsInATabTable) {
  const Dataset dataset = read_text("a\tb\n1\t2\n\t\n", "data.tsv");
  EXPECT_EQ(dataset.values.rows(), 2);
  EXPECT_TRUE(std::isnan(dataset.values.at(1, 0)));
}

TEST(CsvErrors, TextInANumberCellNamesLineColumnAndValue) {
  const InputError error = reading_error("a,b,c\n1,2,3\n\n4,five,6\n");
  EXPECT_TRUE(says(error, "data.csv:4:2: 'five' is not a number (line 4, column 2)"));
  EXPECT_EQ(error.place().line, 4);
  EXPECT_EQ(error.place().column, 2);
  EXPECT_EQ(error.place().value, "five");
}

TEST(CsvErrors, ColumnsCountRowNames) {
  EXPECT_TRUE(says(reading_error("id,a,b\nx,1,2\ny,3,4z\n"), "data.csv:3:3: '4z' is not a number"));
}

TEST(CsvErrors, OneTextInTheFirstColumnIsAMistakeNotAName) {
  EXPECT_TRUE(says(reading_error("a,b\n1,2\nx,4\n5,6\n"), "data.csv:3:1: 'x' is not a number"));
}

TEST(CsvErrors, DecimalComma) { EXPECT_TRUE(says(reading_error("a;b\n1;2\n1,5;2,5\n"), "--decimal comma")); }

TEST(CsvErrors, RaggedRowNamesLineAndCounts) {
  EXPECT_TRUE(says(reading_error("a,b,c\n1,2,3\n4,5\n6,7,8\n"),
                   "data.csv:3: the line has 2 cells, but 3 are expected after the header on line 1"));
  EXPECT_TRUE(
      says(reading_error("a,b,c\n1,2,3\n4,5,6,7\n6,7,8\n"), "data.csv:3: the line has 4 cells, but 3 are expected"));
  EXPECT_TRUE(
      says(reading_error("1,2,3\n4,5\n"), "data.csv:2: the line has 2 cells, but 3 are expected, as on line 1"));
  EXPECT_TRUE(says(reading_error("a,b,c\n1,2,3,4\n5,6,7\n8,9,10\n"), "data.csv:2: the line has 4 cells"));
}

// A wide first line and many short ones must not be taken for a huge table.
TEST(CsvErrors, RaggedRowsDoNotAllocateTheAnnouncedTable) {
  std::string text = "1" + std::string(200'000, ',') + "\n";
  for (int i = 0; i < 200'000; ++i) text += "1\n";
  EXPECT_TRUE(says(reading_error(text), "data.csv:2: the line has 1 cell, but 200001 are expected"));
}

TEST(CsvErrors, OnlyAHeader) {
  EXPECT_TRUE(says(reading_error("a,b,c\n"), "no data rows"));
  EXPECT_TRUE(says(reading_error("a,b,c\n\n\n"), "no data rows"));
}

TEST(CsvErrors, Empty) {
  EXPECT_TRUE(says(reading_error(""), "data.csv: the file is empty"));
  EXPECT_TRUE(says(reading_error("\n \n"), "data.csv: the file is empty"));
  EXPECT_TRUE(says(reading_error("\xef\xbb\xbf"), "data.csv: the file is empty"));
}

TEST(CsvErrors, Utf16AndNamesWithoutValues) {
  EXPECT_TRUE(says(reading_error("\xff\xfe"
                                 "1"),
                   "UTF-16"));
  EXPECT_TRUE(says(reading_error("name\nx\ny\n"), "no values"));
}

TEST(CsvErrors, ValuesInMessagesFitOnOneLine) {
  const InputError error = reading_error("a,b\n1,\x01" + std::string(500, 'z') + "\n");
  EXPECT_LT(std::string(error.what()).size(), 250U);
  EXPECT_EQ(std::string(error.what()).find('\x01'), std::string::npos);
}

// Large enough for several chunks: values, names and line numbers must not depend on where the chunks are cut.
class LargeCsv : public ::testing::TestWithParam<std::string> {};

TEST_P(LargeCsv, ReadsBackEveryValueWithAnyNumberOfThreads) {
  constexpr Index rows = 9000, cols = 17;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  RowMatrix expected(rows, cols);
  std::string text = "id";
  for (Index j = 0; j < cols; ++j) text += ",g" + std::to_string(j);
  text += GetParam();
  for (Index i = 0; i < rows; ++i) {
    text += "row " + std::to_string(i);
    for (Index j = 0; j < cols; ++j) {
      expected(i, j) = normal(random) * std::pow(10.0, static_cast<double>(j - 8));
      text += "," + format_number(expected(i, j));
    }
    text += GetParam();
  }
  for (const int threads : {1, 4}) {
    const Dataset dataset = read_text(text, "data.csv", {}, threads);
    EXPECT_EQ(values_of(dataset), expected);
    EXPECT_EQ(dataset.samples.back(), "row 8999");
  }
  text.replace(text.rfind("row 8990,") + 9, 1, "x");
  EXPECT_EQ(reading_error(text).place().line, 8992);
}

INSTANTIATE_TEST_SUITE_P(LineEnds, LargeCsv, ::testing::Values("\n", "\r\n", "\r"), [](const auto& which) {
  return which.index == 0 ? "newline" : which.index == 1 ? "both" : "return";
});

TEST(Csv, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const Context context({.threads = 1, .seed = 0, .stop = stop.get_token(), .progress = {}, .log = {}});
  EXPECT_THROW(read_dataset_from_memory("1,2\n3,4\n", "data.csv", {}, context), Cancelled);
}

}  // namespace
}  // namespace disc::test
