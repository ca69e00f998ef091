// Archives of arrays too large to be there twice: each is encoded when its turn comes, and goes straight into a file.
#pragma once

#include <functional>

#include "disc/io.hpp"

namespace disc::io {

struct NpzMember {
  std::string name;
  std::function<std::string()> npy;  ///< its bytes
};

std::string encode_npz(const std::vector<NpzMember>& members);
/// Throws InputError that speaks of `shown` when the disk is full.
void write_npz(const std::filesystem::path& file, const std::filesystem::path& shown,
               const std::vector<NpzMember>& members);

/// As encode_npy of to_array, without copies of the values.
std::string encode_npy(const Matrix& values);

}  // namespace disc::io
