// Every reader gets the files of its corpus, and changes of them, the same ones at each run; DISC_MUTATIONS says how many per format. The answer
// is a dataset or an InputError: anything else ends the process, and is told by the sanitizers. The input that did it is then in the file
// `damage_FORMAT` of the working folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fuzz/mutate.hpp"
#include "fuzz/read_anything.hpp"
#include "support/hdf5_writer.hpp"

using Target = int(const std::uint8_t*, std::size_t);
extern "C" {
Target fuzz_csv, fuzz_npy, fuzz_npz, fuzz_matrix_market, fuzz_idx, fuzz_mat, fuzz_h5ad, fuzz_ten_x, fuzz_hdf5,
    fuzz_envi, fuzz_nifti, fuzz_tiff, fuzz_gct, fuzz_xml;
// libhdf5 does not give back all that it took for a file that it then could not open.
const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }
}

namespace disc::fuzz {
namespace {

namespace fs = std::filesystem;

std::size_t mutations() {
  const char* given = std::getenv("DISC_MUTATIONS");
  return given == nullptr ? 400 : std::strtoull(given, nullptr, 10);
}

// The input stays in a file while it is looked at.
template <class Answer>
void look_at(const std::string& input, const std::string& format, Answer&& answer) {
  const fs::path kept = "damage_" + format;
  std::ofstream(kept, std::ios::binary) << input;
  answer(input);
  fs::remove(kept);
}

template <class Answer>
void look_at_all(const std::vector<std::string>& files, const std::string& format, Answer&& answer) {
  for (const std::string& file : files) look_at(file, format, answer);
  Mutator mutator(1);
  for (std::size_t n = mutations(); n > 0; --n) look_at(mutator.from(files), format, answer);
}

struct Format {
  std::string name;
  Target* target;
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

std::vector<std::string> corpus(const std::string& format) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(DISC_SOURCE_DIR) / "tests/fuzz/corpus" / format))
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> files;
  for (const fs::path& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return files;
}

class Damage : public testing::TestWithParam<Format> {};

TEST_P(Damage, IsAnsweredByAnErrorOrByWhatIsThere) {
  const auto [name, target] = GetParam();
  const std::vector<std::string> files = corpus(name);
  ASSERT_FALSE(files.empty());
  look_at_all(files, name, [target](const std::string& input) {
    // A copy of its own size: reading beyond its end is noticed.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    EXPECT_EQ(target(bytes.data(), bytes.size()), 0);
  });
}

std::string name_of(const testing::TestParamInfo<Format>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(EveryFormat, Damage,
                         testing::Values(Format{"csv", fuzz_csv}, Format{"npy", fuzz_npy}, Format{"npz", fuzz_npz},
                                         Format{"matrix_market", fuzz_matrix_market}, Format{"idx", fuzz_idx},
                                         Format{"mat", fuzz_mat}, Format{"h5ad", fuzz_h5ad},
                                         Format{"ten_x", fuzz_ten_x}, Format{"hdf5", fuzz_hdf5},
                                         Format{"envi", fuzz_envi}, Format{"nifti", fuzz_nifti},
                                         Format{"tiff", fuzz_tiff}, Format{"gct", fuzz_gct}, Format{"xml", fuzz_xml}),
                         name_of);

// The targets of HDF5 write a file with odd objects; here the bytes of whole files are changed, which mostly meets the HDF5 library.
std::string annotated_file() {
  test::Hdf5Writer file;
  file.attribute("/", "encoding-type", "anndata");
  file.group("X");
  file.attribute("X", "encoding-type", "csr_matrix");
  file.attribute("X", "shape", std::vector<long long>{2, 3});
  file.numbers("X/data", {3}, {5, 7, 8});
  file.integers("X/indices", {1, 0, 2});
  file.integers("X/indptr", {0, 1, 3});
  file.texts("obs/_index", {"cell1", "cell2"});
  file.texts("obs/kind/categories", {"ctrl", "stim"});
  file.integers("obs/kind/codes", {1, -1}, H5T_STD_I8LE);
  file.texts("var/_index", {"g1", "g2", "g3"});
  return file.image();
}

std::string file_of_one_array(bool deflated) {
  test::Hdf5Writer file;
  file.numbers("X", {6, 4}, std::vector<double>(24, 1.5), H5T_IEEE_F64LE, deflated);
  return file.image();
}

TEST(DamageOfWholeHdf5Files, IsAnsweredByAnErrorOrByWhatIsThere) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const std::vector<std::string> files{annotated_file(), file_of_one_array(false), file_of_one_array(true)};
  look_at_all(files, "hdf5_file", [](const std::string& input) {
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    for (const char* name : {"x.h5ad", "x.h5"}) read_anything(bytes.data(), bytes.size(), name, {});
  });
}

}  // namespace
}  // namespace disc::fuzz
