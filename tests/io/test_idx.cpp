// IDX: images, and their labels in a second file.
#include "io/support.hpp"

namespace disc::test {
namespace {

std::string idx(char type, const std::vector<unsigned>& shape, const std::string& values) {
  std::string bytes{'\0', '\0', type, static_cast<char>(shape.size())};
  for (const unsigned length : shape) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(length >> shift & 255);
  }
  return bytes + values;
}

const std::string images = idx(0x08, {2, 2, 2}, std::string("\x00\x01\x02\x03\xff\x05\x06\x07", 8));

TEST(Idx, ImagesAreSamplesAndPixelsFeatures) {
  const Dataset data = read_text(images, "no-extension");
  EXPECT_EQ(values_of(data), matrix(2, 4, {0, 1, 2, 3, 255, 5, 6, 7}));
  EXPECT_EQ(data.features, (Names{"r1c1", "r1c2", "r2c1", "r2c2"}));
  EXPECT_EQ(data.shape, (std::vector<Index>{2, 2}));
}

TEST(Idx, AllTypes) {
  const auto read = [](char type, const std::string& values) {
    return read_text(idx(type, {1, 1}, values), "x.idx").values.at(0, 0);
  };
  EXPECT_EQ(read(0x08, "\xfe"), 254);
  EXPECT_EQ(read(0x09, "\xfe"), -2);
  EXPECT_EQ(read(0x0b, "\xff\xfe"), -2);
  EXPECT_EQ(read(0x0c, std::string("\x00\x01\x00\x00", 4)), 65536);
  EXPECT_EQ(read(0x0d, std::string("\x3f\xc0\x00\x00", 4)), 1.5);
  EXPECT_EQ(read(0x0e, std::string("\x3f\xf8\x00\x00\x00\x00\x00\x00", 8)), 1.5);
}

TEST(Idx, LabelsBesideTheImages) {
  const TemporaryFolder folder;
  const auto file = folder.file("t10k-images-idx3-ubyte", images);
  EXPECT_TRUE(read_dataset(file, {}, context_of()).labels.empty());
  folder.file("t10k-labels-idx1-ubyte", idx(0x08, {2}, "\x09\x04"));
  const Dataset data = read_dataset(file, {}, context_of());
  ASSERT_EQ(data.labels.size(), 1U);
  EXPECT_EQ(data.labels[0].name, "label");
  EXPECT_EQ(data.labels[0].values, (Names{"9", "4"}));
  folder.file("t10k-labels-idx1-ubyte", idx(0x08, {3}, "\x09\x04\x01"));
  EXPECT_TRUE(says(input_error([&] { read_dataset(file, {}, context_of()); }),
                   "holds labels of shape (3,), but there are 2 images"));
}

TEST(Idx, ErrorsSayWhatIsWrong) {
  EXPECT_TRUE(says(reading_error(idx(0x08, {2}, "\x01\x02"), "x.idx"), "labels, not images; give the images"));
  EXPECT_TRUE(says(reading_error(images.substr(0, images.size() - 1), "x.idx"), "too short for the shape (2, 2, 2)"));
  EXPECT_TRUE(says(reading_error(images.substr(0, 9), "x.idx"), "truncated"));
  const std::vector<unsigned> huge{4294967295U, 4294967295U, 4294967295U};
  EXPECT_TRUE(says(reading_error(idx(0x0e, huge, "12345678"), "x.idx"), "truncated"));
  EXPECT_TRUE(says(reading_error(idx(0x08, {4294967295U, 0, 4294967295U}, ""), "x.idx"), "there is nothing to read"));
  EXPECT_TRUE(says(reading_error("text", "x.idx"), "is not an IDX file"));
}

}  // namespace
}  // namespace disc::test
