#include "read_anything.hpp"

// The first byte chooses the options, so that forced headers and delimiters are tried as well.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  disc::ReadOptions options;
  options.samples_in = (choice & 1) != 0 ? disc::SamplesIn::columns : disc::SamplesIn::rows;
  if ((choice & 2) != 0) options.header = (choice & 4) != 0;
  if ((choice & 8) != 0) options.row_names = (choice & 16) != 0;
  if ((choice & 32) != 0) options.delimiter = ",; \t"[choice >> 6];
  disc::fuzz::read_anything(data + 1, size - 1, "x.csv", options);
  return 0;
}
