#include "io/tiff_pages.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "io/bytes.hpp"

namespace disc::io {
namespace {

// Bytes that one stored byte unfolds to at most: 1,330 by LZW, 1,032 by deflate. What claims more is not believed.
constexpr std::size_t most_unfolded = 1400;
// An empty scene of this size may cost nothing to store.
constexpr std::size_t small = std::size_t{1} << 16;

[[noreturn]] void refuse(const std::string& file, const std::string& why) { throw InputError({.file = file}, why); }

template <class T>
T field(TIFF* tiff, std::uint32_t tag) {
  T value{};
  TIFFGetFieldDefaulted(tiff, tag, &value);
  return value;
}

RawType type_of(TIFF* tiff, const std::string& file) {
  const auto bits = field<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE);
  const auto format = field<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT);
  const bool is_float = format == SAMPLEFORMAT_IEEEFP;
  const bool is_known =
      is_float || format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_INT || format == SAMPLEFORMAT_VOID;
  const bool is_usual = bits == 16 || bits == 32 || bits == 64 || (bits == 8 && !is_float);
  if (!is_known || !is_usual) {
    refuse(file, "has values of " + std::to_string(bits) + " bits in sample format " + std::to_string(format) +
                     "; whole numbers of 8, 16, 32 or 64 bits and floats of 16, 32 or 64 are read");
  }
  const char kind = is_float ? 'f' : (format == SAMPLEFORMAT_INT ? 'i' : 'u');
  return {kind, bits / 8, std::endian::native == std::endian::big};  // libtiff gives them in the machine's order
}

void check_coding(TIFF* tiff, const std::string& file) {
  constexpr std::array known{COMPRESSION_NONE,    COMPRESSION_LZW,      COMPRESSION_ADOBE_DEFLATE,
                             COMPRESSION_DEFLATE, COMPRESSION_PACKBITS, COMPRESSION_ZSTD};
  const auto compression = field<std::uint16_t>(tiff, TIFFTAG_COMPRESSION);
  if (std::ranges::find(known, int{compression}) == known.end() || TIFFIsCODECConfigured(compression) == 0) {
    refuse(file, "is compressed in way " + std::to_string(compression) +
                     " of TIFF, which is not read; save it with deflate or LZW (gdal_translate -co COMPRESS=DEFLATE)");
  }
  const auto photometric = field<std::uint16_t>(tiff, TIFFTAG_PHOTOMETRIC);
  if (photometric == PHOTOMETRIC_PALETTE || photometric == PHOTOMETRIC_YCBCR) {
    refuse(file, photometric == PHOTOMETRIC_PALETTE
                     ? "holds numbers of the colors of a palette; values that were measured are needed"
                     : "holds colors as photographs have them (YCbCr); save it with a sample for each band");
  }
}

// The samples that are no band: transparency.
bool ends_in_alpha(TIFF* tiff) {
  std::uint16_t count = 0;
  const std::uint16_t* kinds = nullptr;
  if (TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) == 0 || count == 0 || kinds == nullptr) return false;
  const std::uint16_t last = kinds[count - 1];
  return last == EXTRASAMPLE_ASSOCALPHA || last == EXTRASAMPLE_UNASSALPHA;
}

Page parse_page(TIFF* tiff, const std::string& file) {
  Page page;
  page.lines = field<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH);
  page.columns = field<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH);
  page.samples = field<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL);
  page.is_tiled = TIFFIsTiled(tiff) != 0;
  page.by_pixel = field<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG) != PLANARCONFIG_SEPARATE;
  page.tile_lines = page.is_tiled ? field<std::uint32_t>(tiff, TIFFTAG_TILELENGTH)
                                  : std::min<Index>(field<std::uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP), page.lines);
  page.tile_columns = page.is_tiled ? field<std::uint32_t>(tiff, TIFFTAG_TILEWIDTH) : page.columns;
  for (const Index length : {page.lines, page.columns, page.samples, page.tile_lines, page.tile_columns}) {
    if (length <= 0) refuse(file, "has an image, or a tile of it, without pixels");
  }
  check_coding(tiff, file);
  page.type = type_of(tiff, file);
  page.has_alpha = page.samples > 1 && ends_in_alpha(tiff);
  return page;
}

// Smaller versions of an image, and where it has values, are kept as pages of their own.
bool is_image(TIFF* tiff) {
  std::uint32_t kind = 0;
  return TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &kind) == 0 || (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0;
}

// Pages that are not read are no reason to refuse the others.
bool is_like(TIFF* tiff, const Page& first, const std::string& file) {
  try {
    return parse_page(tiff, file).fits(first);
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

Pages find_pages(std::string_view bytes, std::size_t largest, const std::string& file, const Context& context) {
  constexpr Index most = 65535;
  const TiffHandle handle(bytes, largest);
  if (handle.get() == nullptr) refuse(file, "is damaged where the TIFF begins" + handle.complaint());
  Pages pages;
  for (Index number = 0; number < most; ++number) {
    context.check_stop();
    if (is_image(handle.get())) {
      if (pages.numbers.empty()) {
        pages.first = parse_page(handle.get(), file);
        pages.numbers.push_back(number);
      } else if (is_like(handle.get(), pages.first, file)) {
        pages.numbers.push_back(number);
      } else {
        ++pages.left_out;
      }
    }
    if (TIFFReadDirectory(handle.get()) == 0) break;
  }
  if (pages.numbers.empty()) refuse(file, "has no image but small versions and masks of others");
  return pages;
}

std::size_t checked_memory(const Pages& pages, std::size_t stored, const std::string& file) {
  const Page& page = pages.first;
  const Index in_page = pages.numbers.size() > 1 ? pages.bands() : page.samples;
  Index needed = page.type.size;
  Index tile = page.type.size;
  bool overflow = false;
  for (const Index length : {page.lines, page.columns, in_page})
    overflow |= __builtin_mul_overflow(needed, length, &needed);
  for (const Index length : {page.tile_lines, page.tile_columns, page.together()})
    overflow |= __builtin_mul_overflow(tile, length, &tile);
  if (!overflow && static_cast<std::size_t>(std::max(needed, tile)) / most_unfolded <= stored + small)
    return static_cast<std::size_t>(needed) / static_cast<std::size_t>(page.type.size) * sizeof(double) +
           static_cast<std::size_t>(tile);
  refuse(file, "announces " + std::to_string(page.lines) + " lines x " + std::to_string(page.columns) + " samples x " +
                   std::to_string(in_page) + " bands of " + std::to_string(page.type.size) + " bytes, but holds only " +
                   std::to_string(stored) + " bytes; the file is truncated or wrong");
}

std::size_t largest_piece(std::size_t stored) { return (stored + small) * most_unfolded; }

}  // namespace disc::io
