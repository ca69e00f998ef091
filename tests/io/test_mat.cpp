// MATLAB files. tests/cli compares with scipy.io; here are the corners that it does not write.
#include <zlib.h>

#include <cstring>

#include "io/support.hpp"
#include "support/hdf5_writer.hpp"

namespace disc::test {
namespace {

// Writes version 5 in either byte order.
class MatWriter {
 public:
  explicit MatWriter(bool big_endian = false) : big_(big_endian) {}

  std::string word(std::uint32_t value) const {
    std::string bytes;
    for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> 8 * (big_ ? 3 - k : k) & 255);
    return bytes;
  }
  std::string words(const std::vector<std::uint32_t>& values) const {
    std::string bytes;
    for (const std::uint32_t value : values) bytes += word(value);
    return bytes;
  }
  std::string part(std::uint32_t type, std::string bytes) const {
    const std::string tag = word(type) + word(static_cast<std::uint32_t>(bytes.size()));
    bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
    return tag + bytes;
  }
  std::string array(const std::string& name, std::uint32_t flags, const std::vector<std::uint32_t>& shape,
                    const std::string& parts) const {
    return part(14, part(6, words({flags, 0})) + part(5, words(shape)) + part(1, name) + parts);
  }
  std::string file(const std::string& elements) const {
    std::string header = "MATLAB 5.0 MAT-file";
    header.resize(124, ' ');
    return header + (big_ ? std::string("\x01\x00MI", 4) : std::string("\x00\x01IM", 4)) + elements;
  }

 private:
  bool big_;
};

constexpr std::uint32_t class_double = 6, class_sparse = 5, class_char = 4, is_complex = 0x0800;

TEST(Mat, BothByteOrdersAndSmallTypes) {
  for (const bool big : {false, true}) {
    const MatWriter mat(big);
    // MATLAB stores doubles that are small whole numbers as bytes; columns come first.
    const std::string bytes = mat.file(mat.array("X", class_double, {2, 3}, mat.part(2, "\x01\x02\x03\x04\x05\x06")));
    EXPECT_EQ(values_of(read_text(bytes, "x.mat")), matrix(2, 3, {1, 3, 5, 2, 4, 6}));
  }
}

TEST(Mat, ValuesKeptInTheTag) {
  const MatWriter mat;
  const std::string small = mat.word(2 << 16 | 2) + std::string("\x07\x08\x00\x00", 4);
  EXPECT_EQ(values_of(read_text(mat.file(mat.array("X", class_double, {1, 2}, small)), "x.mat")), matrix(1, 2, {7, 8}));
}

TEST(Mat, Sparse) {
  const MatWriter mat;
  const auto file = [&](const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& starts) {
    return mat.file(mat.array(
        "S", class_sparse, {2, 3},
        mat.part(5, mat.words(rows)) + mat.part(5, mat.words(starts)) + mat.part(2, std::string("\x05\x07\x08", 3))));
  };
  const Dataset data = read_text(file({1, 0, 1}, {0, 1, 2, 3}), "x.mat");
  EXPECT_TRUE(data.values.is_sparse());
  EXPECT_EQ(values_of(data), matrix(2, 3, {0, 7, 0, 5, 0, 8}));
  EXPECT_TRUE(says(reading_error(file({1, 2, 1}, {0, 1, 2, 3}), "x.mat"), "the index 2 is not"));
  EXPECT_TRUE(says(reading_error(file({1, 0, 1}, {0, 1, 2}), "x.mat"), "'indptr' has 3 values, 4 are needed"));
  EXPECT_TRUE(says(reading_error(file({1, 0, 1}, {0, 1, 2, 9}), "x.mat"), "truncated or damaged"));
  EXPECT_TRUE(says(reading_error(file({1, 0, 1}, {0, 1, 2, 0xffffffff}), "x.mat"), "truncated or damaged"));
}

TEST(Mat, WhatIsRefused) {
  const MatWriter mat;
  const std::string one = mat.part(2, "\x01");
  const auto error = [&](std::uint32_t flags, const std::vector<std::uint32_t>& shape, const std::string& parts) {
    return reading_error(mat.file(mat.array("X", flags, shape, parts)), "x.mat");
  };
  EXPECT_TRUE(says(error(class_double | is_complex, {1, 1}, one + one), "holds complex numbers; real ones are needed"));
  EXPECT_TRUE(says(error(class_char, {1, 1}, one), "holds no numbers"));
  EXPECT_TRUE(says(error(class_double, {1, 2}, one), "has the shape (1, 2) but 1 values"));
  EXPECT_TRUE(says(error(class_double, {0x7fffffff, 0x7fffffff}, one), "but 1 values"));
  EXPECT_TRUE(says(error(class_double, {0xffffffff, 1}, one), "damaged"));
  EXPECT_TRUE(says(error(class_double, {1, 1}, mat.part(99, "\x01")), "truncated or damaged"));
  EXPECT_TRUE(says(error(class_double, {1, 1}, ""), "truncated or damaged"));
  EXPECT_TRUE(says(error(class_double, {1, 1, 1}, one), "3 dimensions, shape (1, 1, 1)"));
  EXPECT_TRUE(says(reading_error(mat.file(""), "x.mat"), "holds no variables"));
  EXPECT_TRUE(says(reading_error("version 4 or anything else", "x.mat"), "is not a MATLAB file of version 5 to 7.3"));
}

TEST(Mat, CompressedAndTruncated) {
  const MatWriter mat;
  const std::string inner = mat.array("X", class_double, {1, 2}, mat.part(2, "\x07\x08"));
  std::string packed(compressBound(inner.size()), '\0');
  uLongf size = packed.size();
  ASSERT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(inner.data()),
                     inner.size()),
            Z_OK);
  packed.resize(size);
  const std::string good = mat.file(mat.word(15) + mat.word(static_cast<std::uint32_t>(size)) + packed);
  EXPECT_EQ(values_of(read_text(good, "x.mat")), matrix(1, 2, {7, 8}));
  EXPECT_TRUE(says(reading_error(good.substr(0, good.size() - 4), "x.mat"), "truncated or damaged"));
}

TEST(Mat, Version73) {
  Hdf5Writer file;
  file.numbers("X", {3, 2}, {1, 2, 3, 4, 5, 6});  // 2 x 3 in MATLAB
  file.attribute("X", "MATLAB_class", "double");
  file.numbers("word", {2, 1}, {104, 105}, H5T_STD_U16LE);
  file.attribute("word", "MATLAB_class", "char");
  std::string bytes = "MATLAB 7.3 MAT-file";
  bytes.resize(512, ' ');
  bytes += file.image();
  EXPECT_EQ(values_of(read_text(bytes, "x.mat")), matrix(2, 3, {1, 3, 5, 2, 4, 6}));
  EXPECT_TRUE(says(reading_error(bytes, "x.mat", {.variable = "word"}), "holds no numbers"));
  EXPECT_TRUE(says(reading_error(bytes, "x.mat", {.variable = "Y"}), "holds no array 'Y'; there are X (2, 3), word"));
}

TEST(Mat, Version73Sparse) {
  Hdf5Writer file;
  file.group("S");
  file.attribute("S", "MATLAB_sparse", std::vector<long long>{2});
  file.numbers("S/data", {3}, {5, 7, 8});
  file.integers("S/ir", {1, 0, 1}, H5T_STD_U64LE);
  file.integers("S/jc", {0, 1, 2, 3}, H5T_STD_U64LE);
  std::string bytes = "MATLAB 7.3 MAT-file";
  bytes.resize(512, ' ');
  const Dataset data = read_text(bytes + file.image(), "x.mat");
  EXPECT_TRUE(data.values.is_sparse());
  EXPECT_EQ(values_of(data), matrix(2, 3, {0, 7, 0, 5, 0, 8}));
}

}  // namespace
}  // namespace disc::test
