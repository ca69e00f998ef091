#include "io/zip_archive.hpp"

#include <algorithm>

#include "io/bytes.hpp"

namespace disc::io {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};

}  // namespace

ZipArchive::ZipArchive(std::string_view bytes, std::string file) : file_(std::move(file)) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source != nullptr) {
    archive_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (!archive_) zip_source_free(source);
  }
  const std::string reason = archive_ ? "" : zip_error_strerror(&error);
  zip_error_fini(&error);
  if (!archive_) throw InputError({.file = file_}, "the archive cannot be read, it is truncated or damaged: " + reason);
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), 0);
    members_.emplace_back(name != nullptr ? name : "");
  }
}

std::string ZipArchive::read(std::size_t member, const Context& context, std::size_t limit) const {
  const auto refuse = [&](const std::string& reason) {
    throw InputError({.file = file_}, "the member '" + printable(members_[member]) + "' cannot be read: " + reason);
  };
  zip_stat_t status;
  if (zip_stat_index(archive_.get(), member, 0, &status) != 0) refuse(zip_strerror(archive_.get()));
  // What numpy and Excel write. Others can blow up a few bytes without bound.
  if ((status.valid & ZIP_STAT_COMP_METHOD) != 0 && status.comp_method != ZIP_CM_STORE &&
      status.comp_method != ZIP_CM_DEFLATE) {
    refuse("its compression is not one that is read (stored or deflate)");
  }
  const std::unique_ptr<zip_file_t, CloseMember> opened(zip_fopen_index(archive_.get(), member, 0));
  if (!opened) refuse(zip_strerror(archive_.get()));
  std::string bytes;
  while (bytes.size() < limit) {
    context.check_stop();
    // Grows with what is there, whatever the archive claims.
    const std::size_t used = bytes.size();
    const std::size_t wanted = std::min({limit - used, std::max(piece / 16, used), 64 * piece});
    if (used + wanted > bytes.capacity()) require_memory(2 * (used + wanted), file_, context);
    bytes.resize(used + wanted);
    const zip_int64_t count = zip_fread(opened.get(), bytes.data() + used, wanted);
    if (count < 0) refuse(zip_file_strerror(opened.get()));
    bytes.resize(used + static_cast<std::size_t>(count));
    if (count == 0) break;
  }
  return bytes;
}

}  // namespace disc::io
