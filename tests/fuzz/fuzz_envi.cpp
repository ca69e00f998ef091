#include "io/envi.hpp"
#include "read_anything.hpp"

// A header, a zero byte, and the values; the first byte chooses what the features are, and whether the values may be used where they are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const disc::Context context({.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = {}});
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  disc::ReadOptions options;
  options.features_are = (data[0] & 1) != 0 ? disc::FeaturesAre::bands : disc::FeaturesAre::pixels;
  try {
    const std::string_view values = bytes.substr(std::min(end + 1, bytes.size()));
    // A copy of its own size: reading beyond its end is noticed.
    const std::shared_ptr<char[]> kept(new char[values.size()]);
    std::copy(values.begin(), values.end(), kept.get());
    const std::string_view own(kept.get(), values.size());
    const std::shared_ptr<const void> owner = (data[0] & 2) != 0 ? kept : nullptr;
    const disc::io::FileTable table =
        disc::io::envi_table({bytes.substr(0, end), "x.hdr", own, "x.img", owner}, options, context);
    const auto& dense = std::get<disc::io::DenseValues>(table.values);
    disc::fuzz::require(static_cast<disc::Index>(table.row_names.size()) == dense.rows);
    disc::fuzz::require(static_cast<disc::Index>(table.column_names.size()) == dense.cols);
    const disc::SampleMatrix matrix(dense.values, dense.rows, dense.cols, dense.row_stride, dense.col_stride,
                                    dense.owner);
    volatile double last = matrix.at(dense.rows - 1, dense.cols - 1);
    (void)last;
  } catch (const disc::InputError&) {
    // The right answer to most inputs.
  }
  return 0;
}
