// What all HDF5 files must stand: nothing outside the file is opened, and no claim is believed.
#include "io/support.hpp"
#include "support/hdf5_writer.hpp"

namespace disc::test {
namespace {

TEST(Hdf5, TheOnlyMatrixIsRead) {
  Hdf5Writer file;
  file.numbers("deep/values", {2, 3}, {1, 2, 3, 4, 5, 6}, H5T_STD_U8BE);
  file.numbers("other", {4}, {1, 2, 3, 4});
  file.texts("deep/features", {"a", "b", "ä"});
  file.texts("deep/samples", {"x", "y"}, false);
  const Dataset data = read_text(file.image(), "x.hdf5");
  EXPECT_EQ(values_of(data), matrix(2, 3, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(data.features, (Names{"a", "b", "ä"}));
  EXPECT_EQ(data.samples, (Names{"x", "y"}));
}

TEST(Hdf5, OneOfSeveralIsChosen) {
  Hdf5Writer file;
  file.numbers("A", {1, 2}, {1, 2});
  file.numbers("B", {2, 1}, {3, 4}, H5T_NATIVE_FLOAT, true);
  EXPECT_TRUE(
      says(reading_error(file.image(), "x.h5"),
           "holds 2 two-dimensional arrays of numbers; there are A (1, 2), B (2, 1); choose one with --variable"));
  EXPECT_EQ(values_of(read_text(file.image(), "x.h5", {.variable = "/B"})), matrix(2, 1, {3, 4}));
  EXPECT_TRUE(says(reading_error(file.image(), "x.h5", {.variable = "C"}), "holds no array 'C'; there are A (1, 2)"));
}

TEST(Hdf5, AxesOfACube) {
  Hdf5Writer file;
  file.numbers("cube", {2, 2, 3}, {0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112});
  EXPECT_TRUE(says(reading_error(file.image(), "x.h5"), "3 dimensions, shape (2, 2, 3); two are needed"));
  const Dataset pixels = read_text(file.image(), "x.h5", {.axes = "feature,feature,sample"});
  EXPECT_EQ(values_of(pixels), matrix(3, 4, {0, 10, 100, 110, 1, 11, 101, 111, 2, 12, 102, 112}));
  EXPECT_EQ(pixels.features, (Names{"r1c1", "r1c2", "r2c1", "r2c2"}));
  EXPECT_EQ(pixels.shape, (std::vector<Index>{2, 2}));
  const Dataset subjects = read_text(file.image(), "x.h5", {.axes = "feature,sample,sample"});
  EXPECT_EQ(values_of(subjects).row(4), matrix(1, 2, {11, 111}).row(0));
  EXPECT_EQ(subjects.samples[4], "2_2");
  ASSERT_EQ(subjects.labels.size(), 2U);
  EXPECT_EQ(subjects.labels[0].name, "axis2");
  EXPECT_EQ(subjects.labels[0].values, (Names{"1", "1", "1", "2", "2", "2"}));
  for (const std::string axes : {"feature,sample", "feature,feature,feature", "feature,sample,band"}) {
    EXPECT_THROW(read_text(file.image(), "x.h5", {.axes = axes}), OptionError) << axes;
  }
}

TEST(Hdf5, AShapeIsNotBelieved) {
  Hdf5Writer file;
  file.claim("X", {1'000'000, 1'000'000});
  EXPECT_TRUE(says(reading_error(file.image(), "x.h5"), "the shape claims 1000000000000 values but only 0 bytes"));
  Hdf5Writer larger;
  larger.claim("X", {1'000'000'000'000, 1'000'000'000'000});
  EXPECT_TRUE(says(reading_error(larger.image(), "x.h5"), "its shape is larger than any memory"));
}

TEST(Hdf5, NothingOutsideTheFileIsOpened) {
  const TemporaryFolder folder;
  Hdf5Writer secret;
  secret.numbers("X", {2, 2}, {1, 2, 3, 4});
  const std::string other = folder.file("secret.h5", secret.image()).string();
  Hdf5Writer link;
  link.external_link("X", other);
  EXPECT_TRUE(says(reading_error(link.image(), "x.h5"), "holds no arrays"));
  link.group("obs");
  link.group("var");
  EXPECT_TRUE(says(reading_error(link.image(), "x.h5ad"), "holds no matrix 'X'"));
  Hdf5Writer raw;
  raw.outside("X", other, 2);
  EXPECT_TRUE(says(reading_error(raw.image(), "x.h5"), "its values are in another file"));
}

TEST(Hdf5, LinksInACircleEnd) {
  Hdf5Writer file;
  file.numbers("group/X", {1, 2}, {1, 2});
  file.hard_link("group/again", "group");
  file.soft_link("a", "b");
  file.soft_link("b", "a");
  EXPECT_EQ(values_of(read_text(file.image(), "x.h5")), matrix(1, 2, {1, 2}));
  EXPECT_TRUE(says(reading_error(file.image(), "x.h5", {.variable = "a"}), "holds no array 'a'"));
}

TEST(Hdf5, TruncatedOrDamaged) {
  Hdf5Writer file;
  file.numbers("X", {30, 20}, std::vector<double>(600, 1.5), H5T_NATIVE_DOUBLE, true);
  const std::string whole = file.image();
  for (const std::size_t size : {whole.size() / 2, std::size_t{600}, std::size_t{60}}) {
    const std::string name = reading_error(whole.substr(0, size), "x.h5").place().file;
    EXPECT_TRUE(name.starts_with("x.h5")) << name;
  }
  EXPECT_TRUE(says(reading_error("no file of this kind", "x.hdf5"), "is not an HDF5 file"));
  EXPECT_TRUE(says(reading_error("no file of this kind", "x.h5ad"), "is not an HDF5 file"));
  EXPECT_TRUE(says(reading_error("no file of this kind", "x.h5"), "is not an HDF5 file"));
}

TEST(Hdf5, DamagedLengthsOfTexts) {
  Hdf5Writer file;
  file.numbers("X", {1, 2}, {1, 2});
  file.texts("features", {"first", "second"});
  const std::string good = file.image();
  const std::size_t heap = good.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  EXPECT_EQ(read_text(good, "x.h5").features, (Names{"first", "second"}));
  for (const std::size_t length_at : {heap + 8, heap + 24}) {  // of the heap, and of the first text in it
    std::string bad = good;
    bad[length_at + 5] = '\x7f';
    EXPECT_TRUE(says(reading_error(bad, "x.h5"), "truncated or damaged"));
  }
}

TEST(Hdf5, TextAndEmptyFilesAreRefused) {
  Hdf5Writer empty;
  EXPECT_TRUE(says(reading_error(empty.image(), "x.h5"), "holds no arrays"));
  Hdf5Writer text;
  text.texts("words", {"a", "b"});
  EXPECT_TRUE(says(reading_error(text.image(), "x.h5"), "numbers are needed"));
}

}  // namespace
}  // namespace disc::test
