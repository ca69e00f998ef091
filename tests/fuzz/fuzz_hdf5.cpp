#include "hdf5_from_bytes.hpp"
#include "read_anything.hpp"

// The first byte chooses the options, and whether the file is one of MATLAB.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool matlab = (data[0] & 1) != 0;
  disc::ReadOptions options;
  if ((data[0] & 2) != 0) options.variable = "A";
  if ((data[0] & 4) != 0) options.axes = "feature,sample";
  if ((data[0] & 8) != 0) options.samples_in = disc::SamplesIn::columns;
  std::string file =
      disc::fuzz::hdf5_from({data + 1, size - 1}, {"A", "A@MATLAB_class", "A@MATLAB_sparse", "A/data", "A/ir", "A/jc",
                                                   "B", "B@MATLAB_class", "features", "samples", "C/D", "C/features"});
  if (matlab) {
    std::string begin = "MATLAB 7.3 MAT-file";
    begin.resize(512, ' ');
    file = begin + file;
  }
  try {
    disc::fuzz::read_anything(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(),
                              matlab ? "x.mat" : "x.h5", options);
  } catch (const disc::OptionError&) {
    // Axes that do not fit the array.
  }
  return 0;
}
