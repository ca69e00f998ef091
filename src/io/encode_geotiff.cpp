// Maps as GeoTIFF: floats, band after band, in strips compressed by deflate; the names of the bands where GDAL looks for them.
#include <algorithm>
#include <limits>

#include "base/markup.hpp"
#include "disc/georeference.hpp"
#include "io/tiff_handle.hpp"

namespace disc {
namespace {

std::string metadata_of(std::span<const MapBand> bands) {
  std::string text = "<GDALMetadata>\n";
  for (std::size_t b = 0; b < bands.size(); ++b) {
    text += "  <Item name=\"DESCRIPTION\" sample=\"" + std::to_string(b) + "\" role=\"description\">" +
            escape_markup(bands[b].name) + "</Item>\n";
  }
  return text + "</GDALMetadata>\n";
}

TIFFFieldInfo tag_info(std::uint32_t tag, TIFFDataType type, const char* name) {
  const bool is_text = type == TIFF_ASCII;
  return {tag,
          static_cast<short>(is_text ? -1 : TIFF_VARIABLE2),
          static_cast<short>(is_text ? -1 : TIFF_VARIABLE2),
          type,
          FIELD_CUSTOM,
          1,
          static_cast<unsigned char>(is_text ? 0 : 1),
          const_cast<char*>(name)};
}

// For this file only: nothing is told to the process.
void announce_tags(TIFF* tiff) {
  static const TIFFFieldInfo tags[] = {tag_info(io::tag_pixel_scale, TIFF_DOUBLE, "ModelPixelScale"),
                                       tag_info(io::tag_tiepoints, TIFF_DOUBLE, "ModelTiepoint"),
                                       tag_info(io::tag_transformation, TIFF_DOUBLE, "ModelTransformation"),
                                       tag_info(io::tag_keys, TIFF_SHORT, "GeoKeyDirectory"),
                                       tag_info(io::tag_key_numbers, TIFF_DOUBLE, "GeoDoubleParams"),
                                       tag_info(io::tag_key_texts, TIFF_ASCII, "GeoAsciiParams"),
                                       tag_info(io::tag_metadata, TIFF_ASCII, "GDALMetadata"),
                                       tag_info(io::tag_no_data, TIFF_ASCII, "GDALNoData")};
  TIFFMergeFieldInfo(tiff, tags, std::size(tags));
}

template <class T>
void set_tag(TIFF* tiff, std::uint32_t tag, const std::vector<T>& values) {
  if (!values.empty()) TIFFSetField(tiff, tag, static_cast<std::uint32_t>(values.size()), values.data());
}

void set_place(TIFF* tiff, const Georeference& place) {
  set_tag(tiff, io::tag_pixel_scale, place.pixel_scale);
  set_tag(tiff, io::tag_tiepoints, place.tiepoints);
  set_tag(tiff, io::tag_transformation, place.transformation);
  set_tag(tiff, io::tag_keys, place.keys);
  set_tag(tiff, io::tag_key_numbers, place.key_numbers);
  if (!place.key_texts.empty()) TIFFSetField(tiff, io::tag_key_texts, place.key_texts.c_str());
}

void set_image(TIFF* tiff, Index lines, Index columns, Index bands, Index lines_of_strip) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(columns));
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(lines));
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, static_cast<std::uint16_t>(bands));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_SEPARATE);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(lines_of_strip));
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  const std::vector<std::uint16_t> extra(static_cast<std::size_t>(bands - 1), EXTRASAMPLE_UNSPECIFIED);
  if (!extra.empty()) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, static_cast<std::uint16_t>(extra.size()), extra.data());
}

}  // namespace

std::string encode_geotiff(const Georeference& place, std::span<const MapBand> bands) {
  const Index lines = place.lines;
  const Index columns = place.columns;
  constexpr Index strip_values = Index{1} << 18;
  constexpr Index most_in_32_bits = Index{1}
                                    << 29;  // values of 4 bytes, with room for what deflate cannot make smaller
  const Index lines_of_strip = std::clamp<Index>(strip_values / columns, 1, lines);
  const auto count = static_cast<Index>(bands.size());
  io::TiffHandle handle(lines * columns * count > most_in_32_bits);
  TIFF* const tiff = handle.get();
  bool written = tiff != nullptr;
  if (written) {
    announce_tags(tiff);
    set_image(tiff, lines, columns, count, lines_of_strip);
    set_place(tiff, place);
    TIFFSetField(tiff, io::tag_metadata, metadata_of(bands).c_str());
    TIFFSetField(tiff, io::tag_no_data, "nan");
  }
  std::uint32_t strip = 0;
  for (const MapBand& band : bands) {
    for (Index line = 0; line < lines && written; line += lines_of_strip, ++strip) {
      // libtiff changes what it is given where it exchanges bytes.
      std::vector<float> part(band.values.begin() + line * columns,
                              band.values.begin() + std::min(lines, line + lines_of_strip) * columns);
      const auto bytes = static_cast<tmsize_t>(part.size() * sizeof(float));
      written = TIFFWriteEncodedStrip(tiff, strip, part.data(), bytes) == bytes;
    }
  }
  written = written && TIFFFlush(tiff) != 0;
  if (!written) throw InputError({.file = "maps.tif"}, "the map could not be written" + handle.complaint());
  return handle.to_bytes();
}

}  // namespace disc
