#include "io/support.hpp"

namespace disc::test {
namespace {

const RowMatrix example = matrix(3, 4, {0, 1.5, 0, 2, 0, 0, 0, 0, 3, 0, -4, 0});
const std::string coordinate =
    "%%MatrixMarket matrix coordinate real general\n% a comment\n%\n3 4 4\n3 3 -4\n1 2 1.5\n1 4 2\n3 1 3e0\n";

TEST(MatrixMarket, CoordinateStaysSparse) {
  const Dataset dataset = read_text(coordinate, "m.mtx");
  EXPECT_TRUE(dataset.values.is_sparse());
  EXPECT_EQ(dataset.values.stored(), 4);
  EXPECT_EQ(values_of(dataset), example);
  EXPECT_FALSE(dataset.features_named);
  ReadOptions options;
  options.samples_in = SamplesIn::columns;
  EXPECT_EQ(values_of(read_text(coordinate, "m.mtx", options)), RowMatrix(example.transpose()));
}

TEST(MatrixMarket, WindowsLineEndsAndAnyCaseAndExtension) {
  EXPECT_EQ(values_of(read_text("%%MatrixMarket MATRIX Array Integer General\r\n2 2\r\n1\r\n3\r\n2\r\n4\r\n", "m.txt")),
            matrix(2, 2, {1, 2, 3, 4}));
}

TEST(MatrixMarket, ArrayIsStoredByColumns) {
  const Dataset dataset = read_text("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n", "m.mtx");
  EXPECT_FALSE(dataset.values.is_sparse());
  EXPECT_EQ(values_of(dataset), matrix(2, 3, {1, 3, 5, 2, 4, 6}));
}

TEST(MatrixMarket, PatternAndSymmetries) {
  EXPECT_EQ(values_of(read_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n", "m.mtx")),
            matrix(2, 2, {1, 1, 1, 0}));
  EXPECT_EQ(values_of(read_text("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", "m.mtx")),
            matrix(2, 2, {0, -3, 3, 0}));
  EXPECT_EQ(values_of(read_text("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", "m.mtx")),
            matrix(3, 3, {1, 2, 3, 2, 4, 5, 3, 5, 6}));
  EXPECT_EQ(values_of(read_text("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", "m.mtx")),
            matrix(3, 3, {0, -1, -2, 1, 0, -3, 2, 3, 0}));
}

TEST(MatrixMarket, RepeatedEntriesAreAdded) {
  const Dataset dataset =
      read_text("%%MatrixMarket matrix coordinate real general\n2 2 4\n2 2 1\n1 2 5\n2 1 7\n2 2 2\n", "m.mtx");
  EXPECT_EQ(values_of(dataset), matrix(2, 2, {0, 5, 7, 3}));
  EXPECT_EQ(dataset.values.stored(), 3);
}

TEST(MatrixMarket, SameForAnyNumberOfThreads) {
  std::string text = "%%MatrixMarket matrix coordinate integer general\n400 500 200000\n";
  for (int k = 0; k < 200'000; ++k) {
    const int place = static_cast<int>((k * 7919LL) % 200'000);
    text +=
        std::to_string(place / 500 + 1) + " " + std::to_string(place % 500 + 1) + " " + std::to_string(place) + "\n";
  }
  for (const int threads : {1, 3}) {
    const Dataset dataset = read_text(text, "m.mtx", {}, threads);
    for (int place = 0; place < 200'000; place += 37) EXPECT_EQ(dataset.values.at(place / 500, place % 500), place);
  }
}

TEST(MatrixMarketErrors, NameLineAndColumn) {
  const auto error = [](const std::string& body) {
    return reading_error("%%MatrixMarket matrix coordinate real general\n" + body, "m.mtx");
  };
  EXPECT_TRUE(says(error("2 2 1\n3 1 5\n"), "m.mtx:3:1: '3' is not a row number from 1 to 2"));
  EXPECT_TRUE(says(error("2 2 1\n1 0 5\n"), "m.mtx:3:2: '0' is not a column number from 1 to 2"));
  EXPECT_TRUE(says(error("2 2 1\n1 1 five\n"), "m.mtx:3:3: 'five' is not a number"));
  EXPECT_TRUE(says(error("2 2 1\n1 1\n"), "m.mtx:3:3: '' is not a number"));
  EXPECT_TRUE(says(error("2 2 1\n1 1 5 6\n"), "m.mtx:3: '6' follows where the line should end"));
  EXPECT_TRUE(says(error("2 2 3\n1 1 5\n2 2 5\n"), "truncated: 3 entries are announced, 2 follow"));
  EXPECT_TRUE(says(error("2 2 1\n1 1 5\n2 2 5\n"), "1 entries are announced, 2 follow"));
  EXPECT_TRUE(says(error("2 two 3\n"), "m.mtx:2: '2 two 3' is not a size"));
  EXPECT_TRUE(says(error(""), "truncated: the line with the size is missing"));
  EXPECT_TRUE(says(error("1000000000000 2 1\n1 1 5\n"), "claims 1000000000000 rows"));
  EXPECT_TRUE(says(error("0 2 0\n"), "holds 0 samples"));
  EXPECT_TRUE(
      says(reading_error("%%MatrixMarket matrix array real general\n1000000 1000000\n1\n", "m.mtx"), "truncated"));
  EXPECT_TRUE(says(reading_error("%%MatrixMarket matrix coordinate complex general\n", "m.mtx"), "m.mtx:1: 'complex'"));
  EXPECT_TRUE(says(reading_error("%%MatrixMarket vector array real general\n", "m.mtx"), "'vector'"));
  EXPECT_TRUE(says(reading_error("1 2 3\n", "m.mtx"), "not a Matrix Market file"));
}

}  // namespace
}  // namespace disc::test
