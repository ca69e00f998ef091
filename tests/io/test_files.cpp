// What holds for files of every format: opening, compression, names, inspecting.
#include <zlib.h>

#include <cmath>

#include "io/support.hpp"

namespace disc::test {
namespace {

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

InputError file_error(const std::filesystem::path& file) {
  return input_error([&] { read_dataset(file, {}, context_of()); });
}

TEST(Files, MissingDirectoryAndEmpty) {
  const TemporaryFolder folder;
  EXPECT_TRUE(says(file_error(folder.path() / "none.csv"), "none.csv: cannot open: No such file or directory"));
  EXPECT_TRUE(says(file_error(folder.path()), "is a folder without a matrix.mtx"));
  EXPECT_TRUE(says(file_error(folder.file("empty.csv", "")), "empty.csv: the file is empty"));
  EXPECT_TRUE(says(file_error(folder.file("empty.npy", "")), "empty.npy: the file is empty"));
}

TEST(Files, TheNameIsThatOfTheFile) {
  const TemporaryFolder folder;
  const auto file = folder.file("day.1.CSV", "a,b\n1,2\n");
  const Dataset dataset = read_dataset(file, {}, context_of());
  EXPECT_EQ(dataset.name, "day.1");
  EXPECT_EQ(dataset.source, file.string());
}

TEST(Files, GzipIsTransparentForEveryFormat) {
  const Dataset csv = read_text(gzip("a,b\n1,2\n3,4\n"), "control.csv.gz");
  EXPECT_EQ(csv.name, "control");
  EXPECT_EQ(csv.features, (Names{"a", "b"}));
  EXPECT_EQ(values_of(csv), matrix(2, 2, {1, 2, 3, 4}));
  const RowMatrix values = matrix(2, 2, {1, 2, 3, 4});
  EXPECT_EQ(values_of(read_text(gzip(encode_npy(to_array("x", values))), "x.npy.gz")), values);
  EXPECT_EQ(values_of(read_text(gzip("%%MatrixMarket matrix array real general\n1 2\n7\n8\n"), "m.mtx.gz")),
            matrix(1, 2, {7, 8}));
}

TEST(Files, GzipOfSeveralMembersAndManyPieces) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += std::to_string(i) + "," + std::to_string(2 * i) + "\n";
  const std::size_t half = text.size() / 2;
  const Dataset dataset = read_text(gzip(text.substr(0, half)) + gzip(text.substr(half)), "x.csv.gz");
  EXPECT_EQ(dataset.values.rows(), 300'000);
  EXPECT_EQ(dataset.values.at(299'999, 1), 599'998);
}

TEST(Files, DamagedGzip) {
  const std::string packed = gzip("a,b\n1,2\n3,4\n5,6\n7,8\n");
  EXPECT_TRUE(says(reading_error(packed.substr(0, packed.size() - 9), "x.csv.gz"), "truncated"));
  std::string damaged = packed;
  damaged[packed.size() - 5] ^= 0x55;  // the checksum
  EXPECT_TRUE(says(reading_error(damaged, "x.csv.gz"), "the gzip data are damaged"));
  EXPECT_TRUE(says(reading_error(gzip(""), "x.csv.gz"), "empty once decompressed"));
}

TEST(Files, UnknownFormat) {
  EXPECT_TRUE(says(reading_error(std::string("\0\1\2\3", 4), "x.bin"),
                   "the format is not recognized; files that can be read end in .npy"));
  EXPECT_EQ(values_of(read_text("1 2\n3 4\n", "no_extension")), matrix(2, 2, {1, 2, 3, 4}));
}

TEST(Files, FormatsAreListed) {
  Names names;
  for (const FormatDescription& format : readable_formats()) {
    names.push_back(format.name);
    EXPECT_FALSE(format.description.empty());
    EXPECT_TRUE(format.extensions.front() == '.' || format.extensions == "a folder");
  }
  EXPECT_EQ(names, (Names{"10x-folder", "npy", "xlsx", "npz", "matrix-market", "idx", "mat", "h5ad", "loom", "10x-h5",
                          "hdf5", "tiff", "envi", "nifti", "gct", "csv"}));
}

TEST(Files, DigestTellsFilesApart) {
  const TemporaryFolder folder;
  const std::string text(1000, 'x');
  std::string other = text;
  other[517] = 'y';
  std::set<std::string> digests;
  for (const std::string& bytes : {std::string(), std::string("a"), std::string("b"), text, other, text + "x"}) {
    digests.insert(file_digest(folder.file("file", bytes)));
  }
  EXPECT_EQ(digests.size(), 6U);
  EXPECT_EQ(digests.begin()->size(), 16U);
  EXPECT_EQ(file_digest(folder.file("one", text)), file_digest(folder.file("two", text)));
  EXPECT_THROW(file_digest(folder.path() / "none"), InputError);
}

TEST(Inspect, CountsADenseTable) {
  const TemporaryFolder folder;
  const auto file = folder.file("x.csv", "id,a,b,c\nr1,1,0,NA\nr2,2,0,-3.5\nr3,0,0,inf\n");
  const Inspection found = inspect(file, {}, context_of());
  EXPECT_EQ(found.format, "csv");
  EXPECT_EQ(found.samples, 3);
  EXPECT_EQ(found.features, 3);
  EXPECT_FALSE(found.sparse);
  EXPECT_EQ(found.stored, 9);
  EXPECT_EQ(found.zeros, 4);
  EXPECT_EQ(found.non_finite, 2);
  EXPECT_EQ(found.constant_features, 1);
  EXPECT_EQ(found.smallest, -3.5);
  EXPECT_EQ(found.largest, 2);
  EXPECT_TRUE(found.features_named);
  EXPECT_EQ(found.first_features, (Names{"a", "b", "c"}));
  EXPECT_EQ(found.first_samples, (Names{"r1", "r2", "r3"}));
  EXPECT_EQ(found.notes[0], "cells are separated by ','");
}

bool has_note(const Inspection& inspection, const std::string& part) {
  return std::any_of(inspection.notes.begin(), inspection.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

TEST(Inspect, CountsASparseMatrixAndRecognizesCounts) {
  const TemporaryFolder folder;
  const auto file =
      folder.file("x.mtx", "%%MatrixMarket matrix coordinate integer general\n3 700 3\n1 1 5\n2 1 1\n3 700 0\n");
  const Inspection found = inspect(file, {}, context_of());
  EXPECT_EQ(found.format, "matrix-market");
  EXPECT_TRUE(found.sparse);
  EXPECT_EQ(found.stored, 3);
  EXPECT_EQ(found.zeros, 2098);
  EXPECT_EQ(found.constant_features, 699);
  EXPECT_TRUE(has_note(found, "look like counts"));
  EXPECT_EQ(found.first_features, (Names{"f1", "f2", "f3", "f4", "f5"}));
}

TEST(Inspect, SuspectsATransposedTable) {
  const TemporaryFolder folder;
  const auto file = folder.file("x.csv", "gene,AAACCTGAGA-1,AAACCTGAGG-1\nTP53,1,2\nMYC,1,0\n");
  EXPECT_TRUE(has_note(inspect(file, {}, context_of()), "try --samples-in columns"));
  ReadOptions options;
  options.samples_in = SamplesIn::columns;
  EXPECT_FALSE(has_note(inspect(file, options, context_of()), "--samples-in"));
}

}  // namespace
}  // namespace disc::test
