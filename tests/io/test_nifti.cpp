// NIfTI-1 images, and means over the parcels of an atlas.
#include <cmath>
#include <cstring>
#include <limits>

#include "support.hpp"

namespace disc::test {
namespace {

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// A header of a grid x times image on this machine's byte order.
std::string header(std::vector<std::int16_t> dim, std::int16_t type, float slope = 0, float intercept = 0) {
  std::string bytes(352, '\0');
  put(bytes, 0, std::int32_t{348});
  put(bytes, 40, static_cast<std::int16_t>(dim.size()));
  for (std::size_t k = 0; k < dim.size(); ++k) put(bytes, 42 + 2 * k, dim[k]);
  put(bytes, 70, type);
  put(bytes, 108, 352.0F);
  put(bytes, 112, slope);
  put(bytes, 116, intercept);
  std::memcpy(bytes.data() + 344, "n+1", 3);
  return bytes;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// 2 x 2 x 1 voxels, three volumes.
std::string image() { return header({2, 2, 1, 3}, 4) + raw<std::int16_t>({1, 2, 3, 4, 10, 20, 30, 40, 5, 5, 7, 9}); }

TEST(Nifti, VoxelsAreFeaturesAndVolumesAreSamples) {
  const Dataset data = read_text(image(), "scan.nii");
  EXPECT_EQ(values_of(data), matrix(3, 4, {1, 2, 3, 4, 10, 20, 30, 40, 5, 5, 7, 9}));
  EXPECT_EQ(data.features, (Names{"1,1,1", "2,1,1", "1,2,1", "2,2,1"}));
}

TEST(Nifti, ParcelMeans) {
  const TemporaryFolder folder;
  const auto atlas = folder.file("atlas.nii", header({2, 2, 1}, 16) + raw<float>({7, 0, 3, 7}));
  const Dataset data = read_text(image(), "scan.nii", {.atlas = atlas.string()});
  EXPECT_EQ(data.features, (Names{"3", "7"}));
  EXPECT_EQ(values_of(data), matrix(3, 2, {3, 2.5, 30, 25, 7, 7}));
}

TEST(Nifti, ScaleTypesAndByteOrder) {
  EXPECT_EQ(values_of(read_text(header({2, 1, 1, 1}, 2, 2.0F, -1.0F) + "\x03\x05", "a.nii")), matrix(1, 2, {5, 9}));
  EXPECT_EQ(values_of(read_text(header({2}, 64) + raw<double>({0.5, -2}), "a.nii")), matrix(1, 2, {0.5, -2}));
  EXPECT_EQ(values_of(read_text(header({2}, 256) + "\xff\x01", "a.nii")), matrix(1, 2, {-1, 1}));
  std::string big = header({2, 1, 1, 1}, 512) + std::string("\x01\x02\x00\x03", 4);
  for (const std::size_t at : {std::size_t{0}, std::size_t{108}, std::size_t{112}, std::size_t{116}}) {
    std::reverse(big.begin() + static_cast<Index>(at), big.begin() + static_cast<Index>(at) + 4);
  }
  for (std::size_t at : {40, 42, 44, 46, 48, 70}) std::swap(big[at], big[at + 1]);
  EXPECT_EQ(values_of(read_text(big, "big.nii")), matrix(1, 2, {258, 3}));
}

TEST(NiftiErrors, SizesAreNotBelieved) {
  EXPECT_TRUE(says(reading_error(image().substr(0, 370), "scan.nii"), "truncated"));
  EXPECT_TRUE(
      says(reading_error(header({32767, 32767, 32767, 32767, 32767, 32767, 32767}, 64), "scan.nii"), "truncated"));
  EXPECT_TRUE(says(reading_error(header({2, -2, 1}, 4), "scan.nii"), "dimension 2 is -2"));
  std::string bytes = image();
  put(bytes, 108, std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(says(reading_error(bytes, "scan.nii"), "damaged"));
  put(bytes, 108, -1e30F);
  EXPECT_TRUE(says(reading_error(bytes, "scan.nii"), "damaged"));
}

TEST(NiftiErrors, SayWhatIsWrong) {
  EXPECT_TRUE(says(reading_error(header({2}, 32) + std::string(16, '\0'), "scan.nii"), "type of its values is 32"));
  std::string pair = image();
  pair[345] = 'i';
  pair[344] = 'n';
  pair[346] = '1';
  EXPECT_TRUE(says(reading_error(pair, "scan.nii"), "pairs of .hdr and .img"));
  EXPECT_TRUE(says(reading_error("short", "scan.nii"), "348 or 540 bytes"));
  const TemporaryFolder folder;
  const auto with_atlas = [&](const std::string& bytes) {
    const auto file = folder.file("atlas.nii", bytes);
    return reading_error(image(), "scan.nii", {.atlas = file.string()});
  };
  EXPECT_TRUE(says(with_atlas(header({3, 2, 1}, 2) + std::string(6, '\1')), "3 x 2 x 1"));
  EXPECT_TRUE(says(with_atlas(header({2, 2, 1}, 2) + std::string(4, '\0')), "no parcels"));
  EXPECT_TRUE(says(with_atlas(header({2, 2, 1}, 16) + raw<float>({0.5, 1, 1, 1})), "whole numbers"));
}

}  // namespace
}  // namespace disc::test
