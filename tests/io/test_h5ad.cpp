// Files of anndata, as its versions wrote them. tests/cli compares with anndata itself.
#include "io/support.hpp"
#include "support/hdf5_writer.hpp"

namespace disc::test {
namespace {

// 2 x 3: 0 5 0 / 7 0 8.
void write_sparse(Hdf5Writer& file, const std::string& path, const std::string& form) {
  const bool rows = form == "csr_matrix";
  file.group(path);
  file.attribute(path, "encoding-type", form);
  file.attribute(path, "shape", std::vector<long long>{2, 3});
  file.numbers(path + "/data", {3}, rows ? std::vector<double>{5, 7, 8} : std::vector<double>{7, 5, 8});
  file.integers(path + "/indices", rows ? std::vector<double>{1, 0, 2} : std::vector<double>{1, 0, 1});
  file.integers(path + "/indptr", rows ? std::vector<double>{0, 1, 3} : std::vector<double>{0, 1, 2, 3});
}

void write_tables(Hdf5Writer& file, const std::string& var = "var") {
  file.texts("obs/_index", {"cell1", "cell2"});
  file.texts("obs/kind/categories", {"ctrl", "stim"});
  file.integers("obs/kind/codes", {1, -1}, H5T_STD_I8LE);
  file.texts("obs/donor", {"d1", "d2"});
  file.numbers("obs/depth", {2}, {1.5, 2});
  file.texts(var + "/names", {"g1", "g2", "g1"});
  file.attribute(var, "_index", "names");
  file.texts(var + "/gene_ids", {"ENSG1", "ENSG2", "ENSG3"});
}

std::string good_file(const std::string& form) {
  Hdf5Writer file;
  write_sparse(file, "X", form);
  write_tables(file);
  return file.image();
}

const RowMatrix expected = matrix(2, 3, {0, 5, 0, 7, 0, 8});

TEST(H5ad, SparseByRowsAndByColumns) {
  for (const std::string form : {"csr_matrix", "csc_matrix"}) {
    const Dataset data = read_text(good_file(form), "x.h5ad");
    EXPECT_TRUE(data.values.is_sparse());
    EXPECT_EQ(values_of(data), expected) << form;
    EXPECT_EQ(data.samples, (Names{"cell1", "cell2"}));
    EXPECT_EQ(data.features, (Names{"g1", "g2", "g1-1"}));
  }
}

TEST(H5ad, SamplesAreTheObservationsWhateverIsAsked) {
  const Dataset data = read_text(good_file("csr_matrix"), "x.h5ad", {.samples_in = SamplesIn::columns});
  EXPECT_EQ(values_of(data), expected);
}

TEST(H5ad, LabelsOfAllKinds) {
  const Dataset data = read_text(good_file("csr_matrix"), "x.h5ad");
  ASSERT_EQ(data.labels.size(), 3U);
  EXPECT_EQ(data.labels[0].name, "depth");
  EXPECT_EQ(data.labels[0].values, (Names{"1.5", "2"}));
  EXPECT_EQ(data.labels[1].values, (Names{"d1", "d2"}));
  EXPECT_EQ(data.labels[2].name, "kind");
  EXPECT_EQ(data.labels[2].values, (Names{"stim", ""}));
}

TEST(H5ad, FeatureNamesFromAColumn) {
  const Dataset data = read_text(good_file("csr_matrix"), "x.h5ad", {.feature_names = "gene_ids"});
  EXPECT_EQ(data.features, (Names{"ENSG1", "ENSG2", "ENSG3"}));
  EXPECT_TRUE(says(reading_error(good_file("csr_matrix"), "x.h5ad", {.feature_names = "symbol"}),
                   "var has no column 'symbol'; there are gene_ids"));
}

TEST(H5ad, LayersAndRaw) {
  Hdf5Writer file;
  file.numbers("X", {2, 3}, {1, 2, 3, 4, 5, 6}, H5T_NATIVE_FLOAT);
  write_sparse(file, "layers/counts", "csr_matrix");
  file.numbers("raw/X", {2, 2}, {1, 2, 3, 4});
  file.texts("raw/var/_index", {"r1", "r2"});
  write_tables(file);
  EXPECT_EQ(values_of(read_text(file.image(), "x.h5ad")), matrix(2, 3, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values_of(read_text(file.image(), "x.h5ad", {.layer = "counts"})), expected);
  const Dataset raw = read_text(file.image(), "x.h5ad", {.layer = "raw"});
  EXPECT_EQ(values_of(raw), matrix(2, 2, {1, 2, 3, 4}));
  EXPECT_EQ(raw.features, (Names{"r1", "r2"}));
  EXPECT_TRUE(says(reading_error(file.image(), "x.h5ad", {.layer = "scaled"}),
                   "holds no layer 'scaled'; there are X, raw, counts"));
}

TEST(H5ad, PlacesAreChecked) {
  const auto error = [](const std::vector<double>& indices, const std::vector<double>& starts,
                        const std::vector<long long>& shape) {
    Hdf5Writer file;
    file.group("X");
    file.attribute("X", "h5sparse_format", "csr");
    file.attribute("X", "h5sparse_shape", shape);
    file.numbers("X/data", {3}, {5, 7, 8});
    file.integers("X/indices", indices, H5T_STD_I64LE);
    file.integers("X/indptr", starts, H5T_STD_I64LE);
    write_tables(file);
    return reading_error(file.image(), "x.h5ad");
  };
  EXPECT_TRUE(says(error({1, 0, 3}, {0, 1, 3}, {2, 3}), "the index 3 is not a whole number from 0 to 2"));
  EXPECT_TRUE(says(error({1, -1, 2}, {0, 1, 3}, {2, 3}), "the index -1 is not"));
  EXPECT_TRUE(says(error({1, 0}, {0, 1, 3}, {2, 3}), "'indices' has 2 values, 'data' 3"));
  EXPECT_TRUE(says(error({1, 0, 2}, {0, 4, 3}, {2, 3}), "'indptr' decreases"));
  EXPECT_TRUE(says(error({1, 0, 2}, {0, 1, 2}, {2, 3}), "'indptr' ends at 2, 'data' at 3"));
  EXPECT_TRUE(says(error({1, 0, 2}, {1, 1, 3}, {2, 3}), "'indptr' begins at 1, not at 0"));
  EXPECT_TRUE(says(error({1, 0, 2}, {0, 3}, {2, 3}), "'indptr' has 2 values, 3 are needed"));
  EXPECT_TRUE(says(error({1, 0, 2}, {0, 1, 3}, {-2, 3}), "its shape is negative"));
  EXPECT_TRUE(says(error({1, 0, 2}, {0, 1, 3}, {2, 3'000'000'000'000}), "the size is probably damaged"));
  EXPECT_TRUE(says(error({1, 0, 2}, {0, 1, 3}, {2}), "has no shape"));
}

TEST(H5ad, TablesMustFit) {
  Hdf5Writer wide;
  wide.numbers("X", {2, 4}, std::vector<double>(8, 1));
  write_tables(wide);
  EXPECT_TRUE(says(reading_error(wide.image(), "x.h5ad"), "'var' holds 3 values; the matrix needs 4"));
  Hdf5Writer code;
  code.numbers("X", {2, 3}, std::vector<double>(6, 1));
  write_tables(code);
  code.texts("obs/bad/categories", {"a"});
  code.integers("obs/bad/codes", {0, 7});
  const Dataset data = read_text(code.image(), "x.h5ad");  // one column is no reason to refuse the rest
  EXPECT_EQ(data.labels.size(), 3U);
  Hdf5Writer flat;
  flat.numbers("X", {6}, std::vector<double>(6, 1));
  write_tables(flat);
  EXPECT_TRUE(says(reading_error(flat.image(), "x.h5ad"), "has the shape (6,); two axes are needed"));
  Hdf5Writer strange;
  strange.group("X");
  strange.attribute("X", "encoding-type", "awkward-array");
  write_tables(strange);
  EXPECT_TRUE(says(reading_error(strange.image(), "x.h5ad"), "is encoded as 'awkward-array'"));
}

}  // namespace
}  // namespace disc::test
