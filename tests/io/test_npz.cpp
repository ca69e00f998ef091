#include "io/support.hpp"

namespace disc::test {
namespace {

NamedArray numbers(const std::string& name, std::vector<Index> shape, std::vector<double> values) {
  return {name, std::move(shape), std::move(values), {}};
}
NamedArray texts(const std::string& name, std::vector<std::string> values) {
  return {name, {static_cast<Index>(values.size())}, {}, std::move(values)};
}
NamedArray word(const std::string& name, const std::string& value) { return {name, {}, {}, {value}}; }

Dataset read_npz(const std::vector<NamedArray>& arrays, const ReadOptions& options = {}) {
  return read_text(encode_npz(arrays), "x.npz", options);
}
InputError npz_error(const std::vector<NamedArray>& arrays, const ReadOptions& options = {}) {
  return reading_error(encode_npz(arrays), "x.npz", options);
}

const std::vector<double> six{1, 2, 3, 4, 5, 6};

TEST(Npz, TheOnlyMatrixWithNames) {
  const Dataset dataset =
      read_npz({texts("features", {"a", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", ""}), numbers("X", {2, 3}, six),
                numbers("y", {2}, {0, 1}), texts("samples", {"p", "q"})});
  EXPECT_EQ(values_of(dataset), matrix(2, 3, six));
  EXPECT_EQ(dataset.features, (Names{"a", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", ""}));
  EXPECT_EQ(dataset.samples, (Names{"p", "q"}));
  EXPECT_TRUE(dataset.features_named);
}

TEST(Npz, NamesGoWithTheirMeaningWhenTransposed) {
  ReadOptions options;
  options.samples_in = SamplesIn::columns;
  const Dataset dataset =
      read_npz({numbers("X", {2, 3}, six), texts("features", {"a", "b"}), texts("samples", {"p", "q", "r"})}, options);
  EXPECT_EQ(dataset.features, (Names{"a", "b"}));
  EXPECT_EQ(values_of(dataset), RowMatrix(matrix(2, 3, six).transpose()));
}

TEST(Npz, ChoosesByVariable) {
  const std::vector<NamedArray> arrays{numbers("A", {2, 3}, six), numbers("B", {3, 2}, six)};
  ReadOptions options;
  EXPECT_TRUE(says(
      npz_error(arrays),
      "x.npz: holds 2 two-dimensional arrays of numbers; there are A (2, 3), B (3, 2); choose one with --variable"));
  options.variable = "B";
  EXPECT_EQ(read_npz(arrays, options).values.rows(), 3);
  options.variable = "C";
  EXPECT_TRUE(says(npz_error(arrays, options), "holds no array 'C'; there are A (2, 3), B (3, 2)"));
}

TEST(Npz, Errors) {
  EXPECT_TRUE(says(npz_error({numbers("X", {2, 3}, six), texts("features", {"a", "b"})}),
                   "the array 'features' holds 2 names, but 3 are needed"));
  EXPECT_TRUE(says(npz_error({numbers("x", {6}, six)}), "1 dimension, shape (6,)"));
  EXPECT_TRUE(says(npz_error({numbers("x", {6}, six), numbers("y", {6}, six)}), "holds no two-dimensional arrays"));
  const std::string whole = encode_npz({numbers("X", {2, 3}, six)});
  EXPECT_TRUE(says(reading_error(whole.substr(0, whole.size() / 2), "x.npz"), "truncated or damaged"));
  std::string damaged = whole;
  damaged[whole.find("NUMPY") + 130] ^= 1;
  EXPECT_TRUE(says(reading_error(damaged, "x.npz"), "cannot be read"));
}

TEST(Npz, TheSameArraysGiveTheSameBytes) {
  const std::vector<NamedArray> arrays{numbers("X", {2, 3}, six), texts("features", {"a", "bc", "d"})};
  EXPECT_EQ(encode_npz(arrays), encode_npz(arrays));
  // The first day zip knows, midnight: nothing of today is in the file. Local header: time at 10, date at 12.
  EXPECT_EQ(encode_npz(arrays).substr(10, 4), std::string("\0\0\x21\0", 4));
}

TEST(Npz, EmptyArchive) { EXPECT_EQ(encode_npz({numbers("X", {0, 3}, {})}).substr(0, 2), "PK"); }

const RowMatrix sparse_example = matrix(3, 4, {0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 4, 0});

std::vector<NamedArray> csr() {
  return {word("format", "csr"), numbers("shape", {2}, {3, 4}), numbers("data", {4}, {2, 1, 3, 4}),
          numbers("indices", {4}, {3, 1, 0, 2}), numbers("indptr", {4}, {0, 2, 2, 4})};
}

TEST(ScipySparse, CsrCscAndCooStaySparse) {
  const std::vector<NamedArray> csc{word("format", "csc"), numbers("shape", {2}, {3, 4}),
                                    numbers("data", {4}, {3, 1, 4, 2}), numbers("indices", {4}, {2, 0, 2, 0}),
                                    numbers("indptr", {5}, {0, 1, 2, 3, 4})};
  // Entries at the same place are added up, as scipy does.
  const std::vector<NamedArray> coo{word("format", "coo"), numbers("shape", {2}, {3, 4}),
                                    numbers("data", {5}, {4, 2, 1, 1, 2}), numbers("row", {5}, {2, 0, 2, 0, 2}),
                                    numbers("col", {5}, {2, 3, 0, 1, 0})};
  for (const auto& arrays : {csr(), csc, coo}) {
    const Dataset dataset = read_npz(arrays);
    EXPECT_TRUE(dataset.values.is_sparse());
    EXPECT_EQ(dataset.values.stored(), 4);
    EXPECT_EQ(values_of(dataset), sparse_example);
    ReadOptions options;
    options.samples_in = SamplesIn::columns;
    EXPECT_EQ(values_of(read_npz(arrays, options)), RowMatrix(sparse_example.transpose()));
  }
}

TEST(ScipySparse, DamagedPartsAreRefused) {
  const auto changed = [](std::size_t which, const NamedArray& array) {
    auto arrays = csr();
    arrays[which] = array;
    return npz_error(arrays);
  };
  EXPECT_TRUE(says(changed(0, word("format", "bsr")), "'bsr' is not supported"));
  EXPECT_TRUE(says(changed(1, numbers("shape", {2}, {3, -4})), "-4 is not a whole number"));
  EXPECT_TRUE(says(changed(1, numbers("shape", {2}, {1e12, 4})), "claims 1000000000000 rows"));
  EXPECT_TRUE(says(changed(3, numbers("indices", {4}, {3, 1, 0, 4})), "4 is not a whole number from 0 to 3"));
  EXPECT_TRUE(says(changed(3, numbers("indices", {3}, {3, 1, 0})), "'indices' has 3 values, 'data' 4"));
  EXPECT_TRUE(says(changed(4, numbers("indptr", {4}, {0, 3, 2, 4})), "'indptr' decreases"));
  EXPECT_TRUE(says(changed(4, numbers("indptr", {4}, {0, 2, 2, 3})), "'indptr' ends at 3"));
  EXPECT_TRUE(says(changed(4, numbers("indptr", {3}, {0, 2, 4})), "'indptr' has 3 values, 4 are needed"));
}

}  // namespace
}  // namespace disc::test
