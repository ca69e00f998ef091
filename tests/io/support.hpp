// Shared by the tests of reading and writing.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "disc/io.hpp"

namespace disc::test {

inline Context context_of(int threads = 1) {
  return Context({.threads = threads, .seed = 0, .stop = {}, .progress = {}, .log = {}});
}

inline Dataset read_text(std::string_view bytes, const std::string& name = "data.csv", const ReadOptions& options = {},
                         int threads = 1) {
  return read_dataset_from_memory(bytes, name, options, context_of(threads));
}

/// The error a call throws; fails the test if there is none.
template <class F>
InputError input_error(const F& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "no InputError was thrown";
  return InputError("none");
}

inline InputError reading_error(std::string_view bytes, const std::string& name = "data.csv",
                                const ReadOptions& options = {}) {
  return input_error([&] { read_text(bytes, name, options); });
}

inline ::testing::AssertionResult says(const InputError& error, const std::string& part) {
  if (std::string(error.what()).find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << error.what() << "' does not contain '" << part << "'";
}

inline RowMatrix values_of(const Dataset& dataset) {
  RowMatrix values(dataset.values.rows(), dataset.values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) values(i, j) = dataset.values.at(i, j);
  }
  return values;
}

/// A matrix row by row.
inline RowMatrix matrix(Index rows, Index cols, std::vector<double> values) {
  return Eigen::Map<RowMatrix>(values.data(), rows, cols);
}

using Names = std::vector<std::string>;

/// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "disc_io_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

/// Everything below a folder, hidden files included.
inline Names entries(const std::filesystem::path& folder) {
  Names names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace disc::test
