// What Cell Ranger writes: folders and HDF5 files, versions 2 and 3.
#include "io/support.hpp"
#include "support/hdf5_writer.hpp"

namespace disc::test {
namespace {

// Three genes x two cells; cells x genes is what is read.
constexpr const char* matrix_text = "%%MatrixMarket matrix coordinate integer general\n%\n3 2 3\n2 1 5\n1 2 7\n3 2 8\n";
constexpr const char* features_text = "ENSG1\tA\tGene Expression\nENSG2\tB\tGene Expression\nENSG3\tA\tAntibody\n";
const RowMatrix expected = matrix(2, 3, {0, 5, 0, 7, 0, 8});

void write_folder(const TemporaryFolder& folder, const std::string& prefix = "",
                  const std::string& features = "features.tsv") {
  folder.file(prefix + "matrix.mtx", matrix_text);
  folder.file(prefix + "barcodes.tsv", "AAAC-1\nCCCG-1\n");
  folder.file(prefix + features, features_text);
}

Hdf5Writer& write_version(Hdf5Writer& file, int version) {
  const std::string group = version == 3 ? "matrix/" : "hg19/";
  file.integers(group + "data", {5, 7, 8});
  file.integers(group + "indices", {1, 0, 2}, H5T_STD_I64LE);
  file.integers(group + "indptr", {0, 1, 3}, H5T_STD_I64LE);
  file.integers(group + "shape", {3, 2});
  file.texts(group + "barcodes", {"AAAC-1", "CCCG-1"}, false);
  file.texts(group + (version == 3 ? "features/id" : "genes"), {"ENSG1", "ENSG2", "ENSG3"}, false);
  file.texts(group + (version == 3 ? "features/name" : "gene_names"), {"A", "B", "A"}, false);
  return file;
}

void expect_the_matrix(const Dataset& data) {
  EXPECT_TRUE(data.values.is_sparse());
  EXPECT_EQ(values_of(data), expected);
  EXPECT_EQ(data.samples, (Names{"AAAC-1", "CCCG-1"}));
  EXPECT_EQ(data.features, (Names{"A", "B", "A-1"}));
}

TEST(TenX, FoldersOfBothVersions) {
  for (const char* features : {"features.tsv", "genes.tsv"}) {
    const TemporaryFolder folder;
    write_folder(folder, "", features);
    expect_the_matrix(read_dataset(folder.path(), {}, context_of()));
    expect_the_matrix(read_dataset(folder.path() / "", {.samples_in = SamplesIn::columns}, context_of()));
  }
}

TEST(TenX, AFolderGivesItsName) {
  const TemporaryFolder folder;
  write_folder(folder, "GSM1_");
  const Dataset data = read_dataset(folder.path() / "", {.feature_names = "id"}, context_of());
  EXPECT_EQ(data.name, folder.path().filename().stem().string());
  EXPECT_EQ(data.features, (Names{"ENSG1", "ENSG2", "ENSG3"}));
  const Inspection found = inspect(folder.path(), {}, context_of());
  EXPECT_EQ(found.format, "10x-folder");
  EXPECT_NE(std::find(found.notes.begin(), found.notes.end(),
                      "features of several kinds are read alike: Antibody, Gene Expression"),
            found.notes.end());
}

TEST(TenX, TheDigestOfAFolderIsThatOfItsFiles) {
  const TemporaryFolder folder;
  write_folder(folder);
  const std::string before = file_digest(folder.path());
  EXPECT_EQ(file_digest(folder.path() / ""), before);
  folder.file("barcodes.tsv", "AAAC-1\nCCCT-1\n");
  EXPECT_NE(file_digest(folder.path()), before);
}

TEST(TenX, WhatIsMissingOrDoesNotFit) {
  const auto error = [](const TemporaryFolder& folder) {
    return input_error([&] { read_dataset(folder.path(), {}, context_of()); });
  };
  const TemporaryFolder lonely;
  lonely.file("matrix.mtx", matrix_text);
  EXPECT_TRUE(says(error(lonely), "has a matrix.mtx but no barcodes.tsv"));
  lonely.file("barcodes.tsv", "AAAC-1\nCCCG-1\n");
  EXPECT_TRUE(says(error(lonely), "no features.tsv or genes.tsv"));
  lonely.file("genes.tsv", "ENSG1\tA\nENSG2\n");
  EXPECT_TRUE(says(error(lonely), "genes.tsv:2: the line has fewer cells than the first"));
  lonely.file("genes.tsv", "ENSG1\tA\nENSG2\tB\n");
  EXPECT_TRUE(says(error(lonely), "lists 2 features, but the matrix has 3"));
  lonely.file("genes.tsv", "");
  EXPECT_TRUE(says(error(lonely), "the file is empty"));
  const TemporaryFolder two;
  write_folder(two, "a_");
  write_folder(two, "b_");
  EXPECT_TRUE(says(error(two), "holds several matrices, a_matrix.mtx, b_matrix.mtx"));
  const TemporaryFolder dense;
  write_folder(dense);
  dense.file("matrix.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  EXPECT_TRUE(says(error(dense), "must be a Matrix Market file with coordinates"));
}

TEST(TenX, Hdf5OfBothVersions) {
  for (const int version : {2, 3}) {
    Hdf5Writer file;
    expect_the_matrix(read_text(write_version(file, version).image(), "x.h5"));
    EXPECT_EQ(read_text(file.image(), "x.h5", {.feature_names = "id"}).features, (Names{"ENSG1", "ENSG2", "ENSG3"}));
    EXPECT_THROW(read_text(file.image(), "x.h5", {.feature_names = "symbol"}), OptionError);
  }
}

TEST(TenX, SeveralGenomes) {
  Hdf5Writer file;
  write_version(file, 2);
  write_version(file, 3);
  EXPECT_TRUE(says(reading_error(file.image(), "x.h5"), "holds several matrices, hg19, matrix; choose one"));
  expect_the_matrix(read_text(file.image(), "x.h5", {.variable = "hg19"}));
  EXPECT_TRUE(says(reading_error(file.image(), "x.h5", {.variable = "mm10"}), "holds no matrix 'mm10'"));
}

}  // namespace
}  // namespace disc::test
