#include <cmath>
#include <cstring>

#include "io/support.hpp"

namespace disc::test {
namespace {

// An npy file made by hand, so that reader and writer are not tested against each other only.
std::string npy(const std::string& type, bool fortran, const std::string& shape, const std::string& data,
                int version = 1) {
  std::string header =
      "{'descr': " + type + ", 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  header += std::string(64 - (header.size() + 13) % 64, ' ') + "\n";
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += static_cast<char>(header.size() >> (8 * i));
  return bytes + header + data;
}

template <class T>
std::string raw(const std::vector<double>& values, bool swap = false) {
  std::string bytes;
  for (const double value : values) {
    const T typed = static_cast<T>(value);
    char part[sizeof(T)];
    std::memcpy(part, &typed, sizeof(T));
    if (swap) std::reverse(part, part + sizeof(T));
    bytes.append(part, sizeof(T));
  }
  return bytes;
}

const std::vector<double> six{1, 2, 3, 4, 5, 100};

template <class T>
void check_type(const std::string& type) {
  for (const bool swap : {false, true}) {
    const std::string name = std::string("'") + (swap ? ">" : "<") + type + "'";
    const Dataset by_rows = read_text(npy(name, false, "(2, 3)", raw<T>(six, swap)), "x.npy");
    EXPECT_EQ(values_of(by_rows), matrix(2, 3, six)) << name;
    const Dataset by_columns = read_text(npy(name, true, "(3, 2)", raw<T>(six, swap)), "x.npy");
    EXPECT_EQ(values_of(by_columns), RowMatrix(matrix(2, 3, six).transpose())) << name;
  }
}

TEST(Npy, EveryTypeByteOrderAndLayout) {
  check_type<double>("f8");
  check_type<float>("f4");
  check_type<std::int64_t>("i8");
  check_type<std::int32_t>("i4");
  check_type<std::int16_t>("i2");
  check_type<std::int8_t>("i1");
  check_type<std::uint64_t>("u8");
  check_type<std::uint32_t>("u4");
  check_type<std::uint16_t>("u2");
  check_type<std::uint8_t>("u1");
  const std::string bools("\1\0\1\0", 4);
  EXPECT_EQ(values_of(read_text(npy("'|b1'", false, "(2, 2)", bools), "x.npy")), matrix(2, 2, {1, 0, 1, 0}));
  const std::string halves("\x00\x3c\x00\xc0\x00\x38\x00\x7c", 8);  // 1, -2, 0.5, inf
  EXPECT_EQ(values_of(read_text(npy("'<f2'", false, "(2, 2)", halves), "x.npy")), matrix(2, 2, {1, -2, 0.5, INFINITY}));
}

TEST(Npy, NegativeIntegers) {
  EXPECT_EQ(values_of(read_text(npy("'<i2'", false, "(1, 2)", raw<std::int16_t>({-1, -300})), "x.npy")),
            matrix(1, 2, {-1, -300}));
}

TEST(Npy, EveryVersion) {
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(values_of(read_text(npy("'<f8'", false, "(2, 3)", raw<double>(six), version), "x.npy")),
              matrix(2, 3, six));
  }
  EXPECT_TRUE(says(reading_error(npy("'<f8'", false, "(2, 3)", raw<double>(six), 4), "x.npy"), "version 4"));
}

TEST(Npy, NamesAreMadeUpAndTheContentDecides) {
  const Dataset dataset = read_text(npy("'<f8'", false, "(2, 3)", raw<double>(six)), "treated.dat");
  EXPECT_EQ(dataset.name, "treated");
  EXPECT_EQ(dataset.features, (Names{"f1", "f2", "f3"}));
  EXPECT_FALSE(dataset.features_named);
}

TEST(Npy, MappedFilesOutliveTheReading) {
  const TemporaryFolder folder;
  for (const bool fortran : {false, true}) {
    const auto file = folder.file("x.npy", npy("'<f8'", fortran, "(2, 3)", raw<double>(six)));
    const Dataset dataset = read_dataset(file, {}, context_of());
    std::filesystem::remove(file);
    EXPECT_EQ(dataset.values.at(1, 2), 100);
    EXPECT_EQ(dataset.values.at(1, 0), fortran ? 2 : 4);
  }
}

TEST(Npy, SamplesInColumns) {
  ReadOptions options;
  options.samples_in = SamplesIn::columns;
  const Dataset dataset = read_text(npy("'<f8'", false, "(2, 3)", raw<double>(six)), "x.npy", options);
  EXPECT_EQ(values_of(dataset), RowMatrix(matrix(2, 3, six).transpose()));
  EXPECT_EQ(dataset.features.size(), 2U);
}

TEST(Npy, RoundTrip) {
  const RowMatrix values = matrix(2, 3, {0.1, -1e300, NAN, INFINITY, 5e-324, -0.0});
  const Dataset dataset = read_text(encode_npy(to_array("x", values)), "x.npy");
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) {
      const double expected = values(i, j), found = dataset.values.at(i, j);
      EXPECT_EQ(std::memcmp(&expected, &found, sizeof(double)), 0);
    }
  }
  EXPECT_EQ(values_of(read_text(encode_npy(to_array("x", Matrix(matrix(2, 3, six)))), "x.npy")), matrix(2, 3, six));
}

TEST(NpyErrors, PickledObjectsAreRefused) {
  EXPECT_TRUE(says(reading_error(npy("'|O'", false, "(2, 3)", "cposix\nsystem\n"), "x.npy"),
                   "x.npy: holds pickled Python objects"));
}

TEST(NpyErrors, TruncatedIsNamed) {
  const std::string whole = npy("'<f8'", false, "(2, 3)", raw<double>(six));
  EXPECT_TRUE(says(reading_error(whole.substr(0, whole.size() - 1), "x.npy"),
                   "x.npy: the npy file is truncated: shape (2, 3) of type '<f8' needs 48 bytes, 47 are there"));
  for (std::size_t length = 1; length < whole.size(); ++length) {
    EXPECT_TRUE(says(reading_error(whole.substr(0, length), "x.npy"), "truncated")) << length;
  }
}

TEST(NpyErrors, AbsurdShapesAllocateNothing) {
  for (const std::string shape :
       {"(1000000, 1000000)", "(4611686018427387904, 4)", "(9223372036854775807, 9223372036854775807)"}) {
    EXPECT_TRUE(says(reading_error(npy("'<f8'", false, shape, raw<double>(six)), "x.npy"), "truncated")) << shape;
  }
  EXPECT_TRUE(says(reading_error(npy("'<f8'", false, "(0, 1000000000000)", ""), "x.npy"), "holds 0 samples"));
}

TEST(NpyErrors, OtherDimensionsAndTypes) {
  const std::string data = raw<double>(six);
  EXPECT_TRUE(
      says(reading_error(npy("'<f8'", false, "(6,)", data), "x.npy"), "1 dimension, shape (6,); two are needed"));
  EXPECT_TRUE(says(reading_error(npy("'<f8'", false, "()", data), "x.npy"), "0 dimensions, shape ()"));
  EXPECT_TRUE(says(reading_error(npy("'<f8'", false, "(1, 2, 3)", data), "x.npy"), "3 dimensions"));
  EXPECT_TRUE(
      says(reading_error(npy("'<c16'", false, "(1, 3)", data), "x.npy"), "type '<c16'; real numbers are needed"));
  EXPECT_TRUE(says(reading_error(npy("[('a', '<f8')]", false, "(6,)", data), "x.npy"), "structured"));
  EXPECT_TRUE(says(reading_error(npy("'<U1'", false, "(1, 2)", data), "x.npy"), "holds text"));
  EXPECT_TRUE(says(reading_error("1,2\n3,4\n", "x.npy"), "not an npy file"));
  EXPECT_TRUE(says(reading_error(npy("'<f8'", false, "(2, -3)", data), "x.npy"), "header is damaged"));
}

}  // namespace
}  // namespace disc::test
