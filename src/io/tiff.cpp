// TIFF scenes: bands side by side or one after the other, in strips or tiles, or pages of one band each; with the tags of a GeoTIFF.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <set>

#include "disc/georeference.hpp"
#include "io/number.hpp"
#include "io/scene.hpp"
#include "io/tiff_pages.hpp"
#include "io/xml_reader.hpp"

namespace disc {
namespace io {
namespace {

// Values of a tag that libtiff does not know, if they are of this type.
template <class T>
std::vector<T> values_of_tag(TIFF* tiff, std::uint32_t tag, TIFFDataType type) {
  const TIFFField* known = TIFFFindField(tiff, tag, TIFF_ANY);
  if (known == nullptr || TIFFFieldDataType(known) != type || TIFFFieldReadCount(known) != TIFF_VARIABLE2) return {};
  std::uint32_t count = 0;
  const T* values = nullptr;
  if (TIFFGetField(tiff, tag, &count, &values) == 0 || values == nullptr) return {};
  return {values, values + count};
}

std::string text_of_tag(TIFF* tiff, std::uint32_t tag) {
  const std::vector<char> text = values_of_tag<char>(tiff, tag, TIFF_ASCII);
  return {text.begin(), std::ranges::find(text, '\0')};
}

Georeference georeference_of(TIFF* tiff) {
  std::uint32_t lines = 0;
  std::uint32_t columns = 0;
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &lines);
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &columns);
  return {.lines = lines,
          .columns = columns,
          .pixel_scale = values_of_tag<double>(tiff, tag_pixel_scale, TIFF_DOUBLE),
          .tiepoints = values_of_tag<double>(tiff, tag_tiepoints, TIFF_DOUBLE),
          .transformation = values_of_tag<double>(tiff, tag_transformation, TIFF_DOUBLE),
          .keys = values_of_tag<std::uint16_t>(tiff, tag_keys, TIFF_SHORT),
          .key_numbers = values_of_tag<double>(tiff, tag_key_numbers, TIFF_DOUBLE),
          .key_texts = text_of_tag(tiff, tag_key_texts)};
}

// The EPSG code of where the scene lies, from its keys; 0: they name none.
int epsg_code(const Georeference& place) {
  constexpr std::uint16_t projected = 3072, geographic = 2048, user_defined = 32767;
  for (const std::uint16_t wanted : {projected, geographic}) {
    for (std::size_t k = 4; k + 3 < place.keys.size(); k += 4) {
      const bool is_number = place.keys[k + 1] == 0 && place.keys[k + 3] != user_defined;
      if (place.keys[k] == wanted && is_number) return place.keys[k + 3];
    }
  }
  return 0;
}

// GDAL keeps the names of bands in a text of XML. Names that repeat, or are not there, are numbers.
std::vector<std::string> band_names(TIFF* tiff, Index bands) {
  const std::string metadata = text_of_tag(tiff, tag_metadata);
  std::vector<std::string> names(static_cast<std::size_t>(bands));
  try {
    XmlReader xml(metadata, "the names of the bands");
    std::size_t band = names.size();
    for (auto piece = xml.next(); piece != XmlReader::Piece::nothing; piece = xml.next()) {
      if (piece == XmlReader::Piece::start) {
        double sample = -1;
        const bool is_name = xml.name() == "Item" && xml.attribute("role") == "description" &&
                             read_cell_number(xml.attribute("sample"), sample);
        band = is_name && sample >= 0 && sample < static_cast<double>(bands) ? static_cast<std::size_t>(sample)
                                                                             : names.size();
      } else if (piece == XmlReader::Piece::text && band < names.size()) {
        names[band] = xml.text();
      }
    }
  } catch (const InputError&) {
    // The values are what is asked for.
  }
  const std::set<std::string> distinct(names.begin(), names.end());
  if (distinct.size() == names.size() && !distinct.contains("")) return names;
  return numbered_names("band ", bands);
}

// Where the values of the scene go: bands x pixels, in the type of the file where it can be used as it is and nothing is missing.
class Values {
 public:
  Values(const Pages& pages, std::optional<double> no_data)
      : page_(pages.first), no_data_(no_data), by_pixel_(page_.by_pixel && pages.numbers.size() == 1) {
    const Index count = page_.pixels() * (by_pixel_ ? page_.samples : pages.bands());
    alignas(8) const char aligned[8] = {};
    if (!no_data && usable_in_place(page_.type, aligned)) {
      kept_ = page_.type;
    } else {
      const bool is_short = page_.type.size <= 2 || (page_.type.kind == 'f' && page_.type.size == 4);
      kept_ = {'f', is_short ? 4 : 8, page_.type.big_endian};  // a float holds what has 16 bits
      converts_ = true;
    }
    bytes_ = std::make_shared<double[]>(static_cast<std::size_t>((count * kept_.size + 7) / 8));
  }

  // A line of a tile: `count` pixels of `sample`, or of all samples, to line and column. Null: nobody wrote it.
  void put(const char* from, Index sample, Index line, Index column, Index count) {
    const Index together = by_pixel_ ? page_.samples : 1;
    const Index first = (by_pixel_ ? 0 : sample * page_.pixels()) + (line * page_.columns + column) * together;
    const Index values = count * together;
    char* const to = reinterpret_cast<char*>(bytes_.get()) + first * kept_.size;
    if (!converts_) {
      if (from != nullptr) std::memcpy(to, from, static_cast<std::size_t>(values * kept_.size));
      return;
    }
    scratch_.assign(static_cast<std::size_t>(values), no_data_.value_or(0));
    if (from != nullptr) convert_numbers(page_.type, from, values, scratch_.data(), serial_);
    for (double& value : scratch_) {
      if (!no_data_ || value != *no_data_) continue;
      value = std::numeric_limits<double>::quiet_NaN();
      ++missing_;
    }
    if (kept_.size == 4) {
      std::ranges::transform(scratch_, reinterpret_cast<float*>(to),
                             [](double value) { return static_cast<float>(value); });
    } else {
      std::ranges::copy(scratch_, reinterpret_cast<double*>(to));
    }
  }

  DenseValues table(Index bands) const {
    const Index pixels = page_.pixels();
    const ValuesInPlace values = *usable_in_place(kept_, reinterpret_cast<const char*>(bytes_.get()));
    return {values, bands, pixels, by_pixel_ ? 1 : pixels, by_pixel_ ? page_.samples : 1, bytes_};
  }
  Index missing() const { return missing_; }

 private:
  Page page_;
  std::optional<double> no_data_;
  bool by_pixel_, converts_ = false;
  RawType kept_;
  Index missing_ = 0;
  std::shared_ptr<double[]> bytes_;
  std::vector<double> scratch_;
  Context serial_{{.threads = 1, .seed = 0, .stop = {}, .progress = {}, .log = {}}};
};

// One tile or strip, decoded; null where GDAL wrote none, because nothing was in it.
const char* read_tile(const TiffHandle& handle, const Page& page, std::uint32_t tile, Index lines,
                      std::vector<char>& buffer, const std::string& file) {
  if (TIFFGetStrileByteCount(handle.get(), tile) == 0 && TIFFGetStrileOffset(handle.get(), tile) == 0) return nullptr;
  const Index line = page.tile_columns * page.together() * page.type.size;
  const auto size = static_cast<tmsize_t>(line * page.tile_lines);
  buffer.resize(static_cast<std::size_t>(size));
  const tmsize_t got = page.is_tiled ? TIFFReadEncodedTile(handle.get(), tile, buffer.data(), size)
                                     : TIFFReadEncodedStrip(handle.get(), tile, buffer.data(), size);
  if (got >= static_cast<tmsize_t>(line * lines)) return buffer.data();
  throw InputError({.file = file}, std::string(page.is_tiled ? "tile " : "strip ") + std::to_string(tile + 1) +
                                       " is damaged or missing" + handle.complaint());
}

// The image where the handle is; `plane`: where its first sample goes.
void read_image(const TiffHandle& handle, const Page& page, Index plane, Values& values, const std::string& file,
                const Context& context) {
  std::vector<char> buffer;
  for (Index sample = 0; sample < (page.by_pixel ? 1 : page.bands()); ++sample) {
    for (Index line = 0; line < page.lines; line += page.tile_lines) {
      context.check_stop();
      for (Index column = 0; column < page.columns; column += page.tile_columns) {
        const Index lines = std::min(page.tile_lines, page.lines - line);
        const Index columns = std::min(page.tile_columns, page.columns - column);
        const auto [x, y, s] = std::array{static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(line),
                                          static_cast<std::uint32_t>(sample)};
        const std::uint32_t tile = page.is_tiled ? TIFFComputeTile(handle.get(), x, y, 0, static_cast<std::uint16_t>(s))
                                                 : TIFFComputeStrip(handle.get(), y, static_cast<std::uint16_t>(s));
        const char* const from = read_tile(handle, page, tile, page.is_tiled ? page.tile_lines : lines, buffer, file);
        for (Index l = 0; l < lines; ++l) {
          const Index skipped = l * page.tile_columns * page.together() * page.type.size;
          values.put(from == nullptr ? nullptr : from + skipped, plane + sample, line + l, column, columns);
        }
      }
    }
  }
}

void read_images(const TiffHandle& handle, const Pages& pages, Values& values, const std::string& file,
                 const Context& context) {
  Index number = 0;
  for (std::size_t k = 0; k < pages.numbers.size(); ++k) {
    for (; number < pages.numbers[k]; ++number) {
      if (TIFFReadDirectory(handle.get()) == 0) throw InputError({.file = file}, "has a damaged page");
    }
    read_image(handle, pages.first, static_cast<Index>(k), values, file, context);
  }
}

std::optional<double> no_data_of(TIFF* tiff) {
  double value = 0;
  const std::string text = text_of_tag(tiff, tag_no_data);
  // Not a number is missing already.
  return !text.empty() && read_cell_number(text, value) && value == value ? std::optional(value) : std::nullopt;
}

void add_notes(const Pages& pages, const Values& values, std::optional<double> no_data, const Georeference& place,
               FileTable& table) {
  if (no_data)
    table.notes.push_back(std::to_string(values.missing()) + " values are " + format_number(*no_data) +
                          ", which the file calls no data, and count as missing");
  if (pages.first.has_alpha && pages.numbers.size() == 1)
    table.notes.emplace_back("the last sample of each pixel says how transparent it is, and is left out");
  if (pages.left_out > 0)
    table.notes.push_back("images that are unlike the first are skipped: " + std::to_string(pages.left_out));
  if (const int code = epsg_code(place); code > 0)
    table.notes.push_back("it has a place on the earth (EPSG:" + std::to_string(code) + ")");
}

}  // namespace

bool recognizes_tiff(std::string_view bytes) {
  for (const char* mark : {"II*\0", "MM\0*", "II+\0", "MM\0+"}) {
    if (bytes.starts_with(std::string_view(mark, 4))) return true;
  }
  return false;
}

FileTable read_tiff(const Source& source, const ReadOptions& options, const Context& context) {
  const std::string_view bytes = source.bytes.view;
  if (!recognizes_tiff(bytes)) throw InputError({.file = source.file}, "is not a TIFF: it begins in another way");
  const Pages pages = find_pages(bytes, largest_piece(bytes.size()), source.file, context);
  const std::size_t needed = checked_memory(pages, bytes.size(), source.file);
  const TiffHandle handle(bytes, largest_piece(bytes.size()));
  if (handle.get() == nullptr) throw InputError({.file = source.file}, "is damaged where the TIFF begins");
  const std::optional<double> no_data = no_data_of(handle.get());
  const Index bands = pages.bands();

  FileTable table;
  table.row_names = pages.numbers.size() > 1 ? numbered_names("band ", bands) : band_names(handle.get(), bands);
  require_memory(needed, source.file, context);
  Values values(pages, no_data);
  const Georeference place = georeference_of(handle.get());  // of the first page
  read_images(handle, pages, values, source.file, context);
  table.values = values.table(bands);
  const Index pixels = pages.first.pixels();
  describe_scene("a scene", pages.first.lines, pages.first.columns, {0, pixels}, options.features_are, table);
  add_notes(pages, values, no_data, place, table);
  return table;
}

}  // namespace io

std::optional<Georeference> read_georeference(const std::filesystem::path& file, const Context& context) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  try {
    const io::Bytes bytes = io::decompressed(io::load_file(file, context), file.string(), context);
    if (!io::recognizes_tiff(bytes.view)) return std::nullopt;
    const io::TiffHandle handle(bytes.view, io::largest_piece(bytes.view.size()));
    if (handle.get() == nullptr) return std::nullopt;
    return io::georeference_of(handle.get());
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace disc
