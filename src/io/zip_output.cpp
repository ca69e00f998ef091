#include "io/zip_output.hpp"

#include <cerrno>
#include <utility>

namespace disc::io {

ZipOutput::~ZipOutput() {
  if (stream_ != nullptr) std::fclose(stream_);
}

zip_int64_t ZipOutput::answer(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  return static_cast<ZipOutput*>(self)->answer(data, length, command);
}

zip_int64_t ZipOutput::answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
  switch (command) {
    case ZIP_SOURCE_STAT:  // how libzip is told that the file is new
      zip_error_set(&error_, ZIP_ER_READ, ENOENT);
      return -1;
    case ZIP_SOURCE_BEGIN_WRITE:
      return begin();
    case ZIP_SOURCE_WRITE:
      return write(data, length);
    case ZIP_SOURCE_SEEK_WRITE:
      return seek(data, length);
    case ZIP_SOURCE_TELL_WRITE:
      return std::ftell(stream_);
    case ZIP_SOURCE_COMMIT_WRITE:
      return close();
    case ZIP_SOURCE_ROLLBACK_WRITE:
      close();
      return 0;
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&error_, data, length);
    case ZIP_SOURCE_FREE:
      return 0;
    case ZIP_SOURCE_SUPPORTS:  // libzip asks for reading and seeking of whatever it may write to
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                            ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                            ZIP_SOURCE_SUPPORTS, ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_WRITE,
                                            ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_COMMIT_WRITE,
                                            ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_REMOVE, -1);
    default:
      zip_error_set(&error_, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

zip_int64_t ZipOutput::begin() {
  stream_ = std::fopen(file_.c_str(), "wbx");
  return stream_ == nullptr ? fail(ZIP_ER_OPEN) : 0;
}

zip_int64_t ZipOutput::write(const void* data, zip_uint64_t length) {
  const std::size_t written = std::fwrite(data, 1, length, stream_);
  return written == length ? static_cast<zip_int64_t>(written) : fail(ZIP_ER_WRITE);
}

zip_int64_t ZipOutput::seek(void* data, zip_uint64_t length) {
  const auto* to = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, length, &error_);
  if (to == nullptr) return -1;
  return std::fseek(stream_, static_cast<long>(to->offset), to->whence) == 0 ? 0 : fail(ZIP_ER_SEEK);
}

zip_int64_t ZipOutput::close() {
  return stream_ == nullptr || std::fclose(std::exchange(stream_, nullptr)) == 0 ? 0 : fail(ZIP_ER_CLOSE);
}

zip_int64_t ZipOutput::fail(int kind) {
  zip_error_set(&error_, kind, errno);
  return -1;
}

}  // namespace disc::io
