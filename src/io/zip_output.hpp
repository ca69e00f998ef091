// A new file as libzip writes into it. libzip's own way makes a temporary file of a random name, for which libcrypto ends in a
// segmentation fault where memory is refused; ours needs no second file: what it writes is moved to its place as a whole later.
#pragma once

#include <zip.h>

#include <cstdio>
#include <filesystem>

namespace disc::io {

/// Must outlive the archive that was opened with source().
class ZipOutput {
 public:
  explicit ZipOutput(const std::filesystem::path& file) : file_(file) {}
  ZipOutput(const ZipOutput&) = delete;
  ZipOutput& operator=(const ZipOutput&) = delete;
  ~ZipOutput();

  /// For zip_open_from_source, which owns it then. Null where memory is short.
  zip_source_t* source(zip_error_t* error) { return zip_source_function_create(&ZipOutput::answer, this, error); }

 private:
  static zip_int64_t answer(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command);
  zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command);
  zip_int64_t begin();
  zip_int64_t seek(void* data, zip_uint64_t length);
  zip_int64_t write(const void* data, zip_uint64_t length);
  zip_int64_t close();
  zip_int64_t fail(int kind);

  std::filesystem::path file_;
  std::FILE* stream_ = nullptr;
  zip_error_t error_{};
};

}  // namespace disc::io
