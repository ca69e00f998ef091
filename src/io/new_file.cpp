#include "io/new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace disc::io {
namespace {

int write_all(int output, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(output, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

int write_new_file(const std::filesystem::path& file, std::string_view bytes) {
  if (::unlink(file.c_str()) != 0 && errno != ENOENT) return errno;
  const int output = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (output < 0) return errno;
  int error = write_all(output, bytes);
  if (::close(output) != 0 && error == 0) error = errno;
  return error;
}

int sync_to_disk(const std::filesystem::path& place) {
  const int opened = ::open(place.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return errno;
  // Some file systems cannot, and say so: then there is nothing to wait for.
  const int error = ::fsync(opened) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0;
  ::close(opened);
  return error;
}

}  // namespace disc::io
