// Files that are on the disk, whole, when the call returns.
#pragma once

#include <filesystem>
#include <string_view>

namespace disc::io {

/// Writes a file that was not there; what had its name, a link included, is removed first and not followed. Returns errno or 0.
int write_new_file(const std::filesystem::path& file, std::string_view bytes);

/// Waits until a file or folder is on the disk. Returns errno or 0.
int sync_to_disk(const std::filesystem::path& place);

}  // namespace disc::io
