#include "hdf5_from_bytes.hpp"
#include "read_anything.hpp"

// The first byte chooses what is asked for, the rest makes the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  disc::ReadOptions options;
  if ((data[0] & 3) == 1) options.layer = "raw";
  if ((data[0] & 3) == 2) options.layer = "a";
  if ((data[0] & 4) != 0) options.feature_names = "kind";
  const std::string file = disc::fuzz::hdf5_from({data + 1, size - 1}, {"X",
                                                                        "X@encoding-type",
                                                                        "X@shape",
                                                                        "X/data",
                                                                        "X/indices",
                                                                        "X/indptr",
                                                                        "obs",
                                                                        "obs@_index",
                                                                        "obs@column-order",
                                                                        "obs/_index",
                                                                        "obs/kind",
                                                                        "obs/kind/codes",
                                                                        "obs/kind/categories",
                                                                        "obs/kind/values",
                                                                        "obs/kind/mask",
                                                                        "obs/kind@categories",
                                                                        "obs/a",
                                                                        "var",
                                                                        "var/_index",
                                                                        "var/kind",
                                                                        "layers",
                                                                        "layers/a",
                                                                        "raw",
                                                                        "raw/X",
                                                                        "raw/var",
                                                                        "raw/var/_index"});
  disc::fuzz::read_anything(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(), "x.h5ad", options);
  return 0;
}
