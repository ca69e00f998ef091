#include "read_anything.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  disc::fuzz::read_anything(data, size, "x.tif", {});
  return 0;
}
