#include "io/envi.hpp"
#include "read_anything.hpp"

// A header, a zero byte, and the values; the first byte chooses what the features are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const disc::Context context({.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = {}});
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  disc::ReadOptions options;
  options.features_are = (data[0] & 1) != 0 ? disc::FeaturesAre::bands : disc::FeaturesAre::pixels;
  try {
    const std::string_view values = bytes.substr(std::min(end + 1, bytes.size()));
    const disc::io::FileTable table =
        disc::io::envi_table({bytes.substr(0, end), "x.hdr", values, "x.img"}, options, context);
    const auto& dense = std::get<disc::io::DenseValues>(table.values);
    disc::fuzz::require(static_cast<disc::Index>(table.row_names.size()) == dense.rows);
    disc::fuzz::require(static_cast<disc::Index>(table.column_names.size()) == dense.cols);
    volatile double last = dense.values[(dense.rows - 1) * dense.row_stride + (dense.cols - 1) * dense.col_stride];
    (void)last;
  } catch (const disc::InputError&) {
    // The right answer to most inputs.
  }
  return 0;
}
