// libtiff on bytes in memory, without a state of the process: what it complains about stays with the handle.
#pragma once

#include <tiffio.h>

#include <memory>
#include <string>
#include <string_view>

namespace disc::io {

class TiffHandle {
 public:
  /// To read these bytes, which must outlive it. libtiff takes no more than `largest` bytes at once. Where get() is null it could not
  /// read even the beginning.
  TiffHandle(std::string_view bytes, std::size_t largest);
  /// To write; to_bytes() ends it. `is_big`: with offsets of 64 bits, for 4 GiB and more.
  explicit TiffHandle(bool is_big);
  ~TiffHandle();
  TiffHandle(const TiffHandle&) = delete;
  TiffHandle& operator=(const TiffHandle&) = delete;

  TIFF* get() const { return tiff_; }
  /// ": " and the first thing that libtiff complained about, as it says it; empty: nothing yet.
  std::string complaint() const;
  /// What was written.
  std::string to_bytes();

  struct Memory;

 private:
  void open(const char* mode, std::size_t largest);

  std::unique_ptr<Memory> memory_;
  TIFF* tiff_ = nullptr;
};

// Tags of GeoTIFF and of GDAL, which libtiff does not know.
constexpr std::uint32_t tag_pixel_scale = 33550, tag_tiepoints = 33922, tag_transformation = 34264, tag_keys = 34735,
                        tag_key_numbers = 34736, tag_key_texts = 34737, tag_metadata = 42112, tag_no_data = 42113;

}  // namespace disc::io
