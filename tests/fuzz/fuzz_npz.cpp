#include <array>
#include <cstring>

#include "read_anything.hpp"

namespace {

// Checksums keep random changes of an archive from ever reaching the sparse reader, so half of the inputs are the
// contents of its arrays instead, which are then packed properly.
std::string packed(const std::uint8_t* data, std::size_t size) {
  constexpr std::array<const char*, 3> formats{"csr", "csc", "coo"};
  constexpr std::array<const char*, 8> names{"shape", "data", "indices", "indptr", "row", "col", "features", "X"};
  std::vector<disc::NamedArray> arrays{{"format", {}, {}, {formats[data[0] % formats.size()]}}};
  std::size_t at = 1;
  for (const char* name : names) {
    disc::NamedArray array{name, {}, {}, {}};
    const std::size_t count = at < size ? data[at++] % 16 : 0;
    for (std::size_t k = 0; k < count && at < size; ++k) {
      double value = static_cast<std::int8_t>(data[at++]);
      if (value == -128 && at + sizeof value <= size) {  // any double at all
        std::memcpy(&value, data + at, sizeof value);
        at += sizeof value;
      }
      array.numbers.push_back(value);
    }
    array.shape = {static_cast<disc::Index>(array.numbers.size())};
    if (count > 0) arrays.push_back(std::move(array));
  }
  return disc::encode_npz(arrays);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  if (data[0] == 'P') {
    disc::fuzz::read_anything(data, size, "x.npz", {});
  } else {
    const std::string bytes = packed(data, size);
    disc::fuzz::read_anything(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), "x.npz", {});
  }
  return 0;
}
