#include "hdf5_from_bytes.hpp"
#include "read_anything.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = disc::fuzz::hdf5_from(
      {data, size}, {"matrix", "matrix/data", "matrix/indices", "matrix/indptr", "matrix/shape", "matrix/barcodes",
                     "matrix/features", "matrix/features/id", "matrix/features/name", "matrix/features/feature_type",
                     "matrix/genes", "matrix/gene_names", "hg19"});
  disc::fuzz::read_anything(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(), "x.h5", {});
  return 0;
}
