// ENVI cubes: every order, type and byte order gives the same table; sizes are not believed.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "support.hpp"

namespace disc::test {
namespace {

constexpr Index bands = 3, lines = 2, columns = 4;

// The value of a band at a pixel: small enough for every type.
double value_at(Index band, Index line, Index column) { return static_cast<double>(20 * band + 5 * line + column); }

RowMatrix expected_cube() {
  RowMatrix cube(bands, lines * columns);
  for (Index b = 0; b < bands; ++b) {
    for (Index l = 0; l < lines; ++l) {
      for (Index c = 0; c < columns; ++c) cube(b, l * columns + c) = value_at(b, l, c);
    }
  }
  return cube;
}

template <class T>
void append(std::string& bytes, double value, bool big_endian) {
  const auto typed = static_cast<T>(value);
  char raw[sizeof(T)];
  std::memcpy(raw, &typed, sizeof(T));
  if (big_endian) std::reverse(raw, raw + sizeof(T));
  bytes.append(raw, sizeof(T));
}

template <class T>
std::string cube_bytes(const std::string& interleave, bool big_endian, std::size_t offset = 0) {
  std::string bytes(offset, 'x');
  const auto put = [&](Index b, Index l, Index c) { append<T>(bytes, value_at(b, l, c), big_endian); };
  if (interleave == "bsq") {
    for (Index b = 0; b < bands; ++b)
      for (Index l = 0; l < lines; ++l)
        for (Index c = 0; c < columns; ++c) put(b, l, c);
  } else if (interleave == "bil") {
    for (Index l = 0; l < lines; ++l)
      for (Index b = 0; b < bands; ++b)
        for (Index c = 0; c < columns; ++c) put(b, l, c);
  } else {
    for (Index l = 0; l < lines; ++l)
      for (Index c = 0; c < columns; ++c)
        for (Index b = 0; b < bands; ++b) put(b, l, c);
  }
  return bytes;
}

std::string header(const std::string& interleave, int type, bool big_endian, const std::string& more = "") {
  return "ENVI\ndescription = {\n  a = b, over\n  lines = 9}\nsamples = 4\nlines   = 2\nbands   = 3\n" + more +
         "data type = " + std::to_string(type) + "\ninterleave = " + interleave +
         "\nbyte order = " + (big_endian ? "1" : "0") + "\n";
}

Dataset read(const TemporaryFolder& folder, const std::string& head, const std::string& values,
             const ReadOptions& options = {}) {
  folder.file("cube.hdr", head);
  return read_dataset(folder.file("cube.img", values), options, context_of());
}

InputError error_of(const std::string& head, const std::string& values) {
  const TemporaryFolder folder;
  return input_error([&] { read(folder, head, values); });
}

TEST(Envi, EveryOrderTypeAndByteOrderGivesTheSameTable) {
  const TemporaryFolder folder;
  for (const std::string interleave : {"bsq", "bil", "BIP"}) {
    for (const bool big : {false, true}) {
      const std::string order = interleave == "BIP" ? "bip" : interleave;
      const std::vector<std::pair<int, std::string>> cubes{
          {1, cube_bytes<std::uint8_t>(order, big)},   {2, cube_bytes<std::int16_t>(order, big)},
          {3, cube_bytes<std::int32_t>(order, big)},   {4, cube_bytes<float>(order, big)},
          {5, cube_bytes<double>(order, big)},         {12, cube_bytes<std::uint16_t>(order, big)},
          {13, cube_bytes<std::uint32_t>(order, big)}, {14, cube_bytes<std::int64_t>(order, big)},
          {15, cube_bytes<std::uint64_t>(order, big)}};
      for (const auto& [type, values] : cubes) {
        const Dataset cube = read(folder, header(interleave, type, big), values);
        EXPECT_EQ(values_of(cube), expected_cube()) << interleave << " " << type << " " << big;
      }
    }
  }
}

TEST(Envi, NamesShapeAndOrientation) {
  const TemporaryFolder folder;
  const std::string head = header("bil", 1, false, "wavelength = {\n 400.5, 500.5,\r\n 600.5}\n");
  const std::string values = cube_bytes<std::uint8_t>("bil", false);
  const Dataset pixels = read(folder, head, values);
  EXPECT_EQ(pixels.samples, (Names{"400.5", "500.5", "600.5"}));
  EXPECT_EQ(pixels.features.front(), "r1c1");
  EXPECT_EQ(pixels.features.back(), "r2c4");
  EXPECT_EQ(pixels.shape, (std::vector<Index>{lines, columns}));
  const Dataset turned = read(folder, head, values, {.features_are = FeaturesAre::bands});
  EXPECT_EQ(turned.features, pixels.samples);
  EXPECT_EQ(values_of(turned), expected_cube().transpose());
  EXPECT_TRUE(turned.shape.empty());
}

TEST(Envi, TheHeaderAndTheValuesFindEachOther) {
  const std::string head = header("bsq", 1, false);
  const std::string values = cube_bytes<std::uint8_t>("bsq", false);
  const std::vector<std::pair<std::string, std::string>> names{
      {"a.hdr", "a.img"}, {"b.HDR", "b"}, {"c.img.hdr", "c.img"}, {"d.hdr", "d.dat"}};
  for (const auto& [header_name, values_name] : names) {
    const TemporaryFolder folder;
    const auto header_file = folder.file(header_name, head);
    const auto values_file = folder.file(values_name, values);
    for (const auto& file : {header_file, values_file}) {
      EXPECT_EQ(values_of(read_dataset(file, {}, context_of())), expected_cube()) << file;
    }
  }
}

TEST(Envi, OffsetAndIgnoredValue) {
  const TemporaryFolder folder;
  const Dataset cube = read(folder, header("bsq", 1, false, "header offset = 7\ndata ignore value = 45\n"),
                            cube_bytes<std::uint8_t>("bsq", false, 7));
  EXPECT_EQ(cube.values.at(1, 0), 20);
  EXPECT_TRUE(std::isnan(cube.values.at(2, 4)));
}

TEST(EnviErrors, SizesAreNotBelieved) {
  const std::string values = cube_bytes<std::uint8_t>("bsq", false);
  EXPECT_TRUE(says(error_of(header("bsq", 2, false), values), "holds 24 bytes"));
  EXPECT_TRUE(says(error_of(header("bsq", 1, false, "header offset = 1\n"), values), "offset of 1"));
  EXPECT_TRUE(says(error_of("ENVI\nsamples = 9000000000000000000\nlines = 9000000000000000000\nbands = 9000000000\n"
                            "data type = 5\ninterleave = bsq\n",
                            values),
                   "truncated"));
}

TEST(EnviErrors, SayWhatIsWrongAndWhere) {
  const std::string values = cube_bytes<std::uint8_t>("bsq", false);
  const InputError type = error_of(header("bsq", 6, false), values);
  EXPECT_TRUE(says(type, "'data type' is '6'"));
  EXPECT_EQ(type.place().line, 8);
  EXPECT_TRUE(says(error_of(header("bqs", 1, false), values), "must be bsq, bil or bip"));
  EXPECT_TRUE(says(error_of("ENVI\nsamples = -4\nlines=2\nbands=3\ndata type=1\n", values), "'-4'"));
  EXPECT_TRUE(says(error_of("ENVI\nsamples = 4\nlines = 2\ndata type = 1\n", values), "has no 'bands'"));
  const TemporaryFolder folder;
  const auto lonely = folder.file("lonely.hdr", header("bsq", 1, false));
  EXPECT_TRUE(says(input_error([&] { read_dataset(lonely, {}, context_of()); }), "no values beside"));
  const auto image = folder.file("image.img", values);
  EXPECT_TRUE(says(input_error([&] { read_dataset(image, {}, context_of()); }), "no ENVI header beside"));
}

}  // namespace
}  // namespace disc::test
