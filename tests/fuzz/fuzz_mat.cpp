#include "read_anything.hpp"

// The first byte chooses the byte order; the header, which is always the same, is put in front.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool big_endian = (data[0] & 1) != 0;
  std::string file = "MATLAB 5.0 MAT-file";
  file.resize(124, ' ');
  file += big_endian ? std::string("\x01\x00MI", 4) : std::string("\x00\x01IM", 4);
  file.append(reinterpret_cast<const char*>(data + 1), size - 1);
  disc::ReadOptions options;
  if ((data[0] & 2) != 0) options.variable = "X";
  disc::fuzz::read_anything(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(), "x.mat", options);
  return 0;
}
