// ENVI cubes, as remote sensing keeps them: a header of text, and beside it a file of nothing but values, band by band (bsq), line
// by line (bil) or pixel by pixel (bip).
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "io/envi.hpp"
#include "io/lines.hpp"
#include "io/number.hpp"
#include "io/raw_numbers.hpp"

namespace disc::io {
namespace {

constexpr std::string_view signature = "ENVI";

std::string lower_case(std::string_view text) {
  std::string lower(trimmed(text));
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return lower;
}

struct Field {
  std::string value;
  Index line = 0;
};

// The fields of a header: "name = value" on a line, or "name = { ... }" over several.
class Header {
 public:
  Header(std::string_view text, const std::string& file) : file_(file) {
    LineReader lines(text);
    Index number = 0;
    Field* open = nullptr;  // a field whose brace is not closed yet
    for (std::string_view line; lines.next(line);) {
      ++number;
      if (open != nullptr) {
        open->value += '\n' + std::string(line);
      } else {
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        open = &(fields_[lower_case(line.substr(0, equals))] = {std::string(trimmed(line.substr(equals + 1))), number});
      }
      const bool closed = !open->value.starts_with('{') || open->value.find('}') != std::string::npos;
      if (closed) open = nullptr;
    }
  }

  const Field* find(const std::string& name) const {
    const auto found = fields_.find(name);
    return found == fields_.end() ? nullptr : &found->second;
  }

  // A whole number of at least `low`.
  Index number(const std::string& name, Index low, std::optional<Index> otherwise = std::nullopt) const {
    const Field* field = find(name);
    if (field == nullptr) {
      if (otherwise) return *otherwise;
      throw InputError({.file = file_}, "the ENVI header has no '" + name + "'");
    }
    Index value = 0;
    const char* const end = field->value.data() + field->value.size();
    const auto [rest, failure] = std::from_chars(field->value.data(), end, value);
    if (failure != std::errc() || rest != end || value < low) {
      refuse(name, *field, "must be a whole number of at least " + std::to_string(low));
    }
    return value;
  }

  // "{a, b, c}" as a, b, c.
  std::vector<std::string> list(const std::string& name) const {
    std::vector<std::string> items;
    const Field* field = find(name);
    if (field == nullptr || !field->value.starts_with('{')) return items;
    const std::size_t last = std::min(field->value.find('}'), field->value.size());
    for (std::size_t begin = 1; begin <= last;) {
      const std::size_t end = std::min(field->value.find(',', begin), last);
      items.emplace_back(trimmed(std::string_view(field->value).substr(begin, end - begin)));
      begin = end + 1;
    }
    return items;
  }

  [[noreturn]] void refuse(const std::string& name, const Field& field, const std::string& rule) const {
    throw InputError({.file = file_, .line = field.line, .value = printable(field.value)},
                     "'" + name + "' is '" + printable(field.value) + "'; it " + rule);
  }

 private:
  std::string file_;
  std::map<std::string, Field> fields_;
};

RawType type_of(const Header& header) {
  const Index code = header.number("data type", 1);
  const bool big_endian = header.number("byte order", 0, 0) == 1;
  static const std::map<Index, RawType> types{{1, {'u', 1}},  {2, {'i', 2}},  {3, {'i', 4}},
                                              {4, {'f', 4}},  {5, {'f', 8}},  {12, {'u', 2}},
                                              {13, {'u', 4}}, {14, {'i', 8}}, {15, {'u', 8}}};
  const auto found = types.find(code);
  if (found == types.end()) {
    header.refuse("data type", *header.find("data type"),
                  "must be 1, 2, 3, 4, 5, 12, 13, 14 or 15 (6 and 9, complex numbers, are not read)");
  }
  return {found->second.kind, found->second.size, big_endian};
}

// How far apart neighbors along each axis are, in values.
struct Strides {
  Index band = 0, line = 0, column = 0;
};

Strides strides_of(const Header& header, Index bands, Index lines, Index columns) {
  const Field* field = header.find("interleave");
  if (field == nullptr) return {lines * columns, columns, 1};
  const std::string order = lower_case(field->value);
  if (order == "bsq") return {lines * columns, columns, 1};
  if (order == "bil") return {columns, bands * columns, 1};
  if (order == "bip") return {1, columns * bands, bands};
  header.refuse("interleave", *field, "must be bsq, bil or bip");
}

// Wavelengths; else the names of the bands; else numbers. Names that repeat are of no use.
std::vector<std::string> band_names(const Header& header, Index bands) {
  for (const char* field : {"wavelength", "band names"}) {
    std::vector<std::string> names = header.list(field);
    const std::set<std::string> distinct(names.begin(), names.end());
    if (static_cast<Index>(names.size()) == bands && distinct.size() == names.size()) return names;
  }
  return numbered_names("band ", bands);
}

std::optional<double> ignored_value(const Header& header) {
  const Field* field = header.find("data ignore value");
  if (field == nullptr) return std::nullopt;
  double value = 0;
  if (!read_cell_number(field->value, value)) header.refuse("data ignore value", *field, "must be a number");
  return value;
}

// Where the values of a cube are, and in which order.
struct CubeValues {
  RawType type;
  const char* from;
  Strides strides;
  Index bands, columns;
};

// Bands x pixels where they are; not of cubes line by line (bil), whose pixels have no common distance.
std::optional<DenseValues> in_place(const CubeValues& cube, const PixelRange& range,
                                    const std::shared_ptr<const void>& owner) {
  const bool by_pixel = cube.strides.band == 1;
  const bool by_band = cube.strides.line == cube.columns;
  const Index between_pixels = by_pixel ? cube.bands : 1;
  const auto values = usable_in_place(cube.type, cube.from + range.first * between_pixels * cube.type.size);
  if (!owner || !values || !(by_pixel || by_band)) return std::nullopt;
  return DenseValues{*values, cube.bands, range.count, cube.strides.band, between_pixels, owner};
}

// Bands x pixels in double, band by band; what is to be ignored becomes a missing value.
DenseValues converted(const CubeValues& cube, const PixelRange& range, std::optional<double> ignored,
                      std::vector<std::string>& notes, const Context& context) {
  const Index pixels = range.count;
  const auto values = std::make_shared_for_overwrite<double[]>(static_cast<std::size_t>(cube.bands * pixels));
  DenseValues dense{values.get(), cube.bands, pixels, pixels, 1, values};
  const auto place = [&](Index band, Index pixel) {
    const Index line = pixel / cube.columns;
    return cube.from +
           (band * cube.strides.band + line * cube.strides.line + pixel % cube.columns * cube.strides.column) *
               cube.type.size;
  };
  if (cube.strides.band == 1) {
    convert_numbers(cube.type, place(0, range.first), cube.bands * pixels, values.get(), context);
    std::tie(dense.row_stride, dense.col_stride) = std::pair(Index{1}, cube.bands);
  } else {
    const Index first_line = range.first / cube.columns;
    const Index last_line = (range.first + pixels - 1) / cube.columns;
    context.parallel_for(last_line - first_line + 1, [&](Index l) {
      const Index begin = std::max(range.first, (first_line + l) * cube.columns);
      const Index end = std::min(range.first + pixels, (first_line + l + 1) * cube.columns);
      for (Index band = 0; band < cube.bands; ++band) {
        convert_numbers(cube.type, place(band, begin), end - begin, values.get() + band * pixels + begin - range.first,
                        context);
      }
    });
  }
  if (ignored) {
    double* const end = values.get() + cube.bands * pixels;
    notes.push_back(std::to_string(std::count(values.get(), end, *ignored)) +
                    " values are 'data ignore value' and count as missing");
    std::replace(values.get(), end, *ignored, std::numeric_limits<double>::quiet_NaN());
  }
  return dense;
}

// Bytes that a cube needs; throws if there are fewer.
void check_size(const EnviFiles& files, Index offset, Index bands, Index lines, Index columns, Index size) {
  Index needed = size;
  bool overflow = false;
  for (const Index length : {bands, lines, columns}) overflow |= __builtin_mul_overflow(needed, length, &needed);
  overflow |= __builtin_add_overflow(needed, offset, &needed);
  if (!overflow && static_cast<std::size_t>(needed) <= files.values.size()) return;
  throw InputError({.file = files.values_file},
                   "holds " + std::to_string(files.values.size()) + " bytes, but the header announces " +
                       std::to_string(lines) + " lines x " + std::to_string(columns) + " samples x " +
                       std::to_string(bands) + " bands of " + std::to_string(size) + " bytes after an offset of " +
                       std::to_string(offset) + "; the file is truncated or the header is wrong");
}

// The file of values that belongs to a header: cube.img.hdr -> cube.img; cube.hdr -> cube, cube.img, ...
std::filesystem::path find_values(const std::filesystem::path& header) {
  std::filesystem::path stem = header;
  stem.replace_extension();
  for (const char* ending : {"", ".img", ".dat", ".bin", ".raw", ".bsq", ".bil", ".bip", ".IMG", ".DAT"}) {
    std::filesystem::path candidate = stem;
    candidate += ending;
    std::error_code ignored;
    if (candidate != header && std::filesystem::is_regular_file(candidate, ignored)) return candidate;
  }
  throw InputError({.file = header.string()},
                   "there are no values beside this ENVI header; they are looked for in '" + stem.filename().string() +
                       "' without an ending, or with .img, .dat, .bin, .raw, .bsq, .bil, .bip");
}

}  // namespace

bool recognizes_envi(std::string_view bytes) {
  return bytes.starts_with(signature) && bytes.size() > signature.size() &&
         std::isspace(static_cast<unsigned char>(bytes[signature.size()])) != 0;
}

std::filesystem::path find_envi_header(const std::filesystem::path& file) {
  const std::string extension = lower_case(file.extension().string());
  if (extension == ".hdr") return {};
  std::vector<std::filesystem::path> candidates;
  for (const char* ending : {".hdr", ".HDR"}) {
    std::filesystem::path longer = file;
    candidates.push_back(longer += ending);
    std::filesystem::path exchanged = file;
    candidates.push_back(exchanged.replace_extension(ending));
  }
  for (const std::filesystem::path& candidate : candidates) {
    std::string start(signature.size() + 1, '\0');
    std::ifstream input(candidate, std::ios::binary);
    if (input.read(start.data(), static_cast<std::streamsize>(start.size())) && recognizes_envi(start))
      return candidate;
  }
  return {};
}

FileTable envi_table(const EnviFiles& files, const ReadOptions& options, const Context& context,
                     const PixelRange& asked) {
  const Header header(files.header, files.header_file);
  const Index bands = header.number("bands", 1);
  const Index lines = header.number("lines", 1);
  const Index columns = header.number("samples", 1);
  const Index offset = header.number("header offset", 0, 0);
  const RawType type = type_of(header);
  check_size(files, offset, bands, lines, columns, type.size);
  const Strides strides = strides_of(header, bands, lines, columns);
  const PixelRange range = asked.count > 0 ? asked : PixelRange{0, lines * columns};

  FileTable table;
  const std::optional<double> ignored = ignored_value(header);
  const CubeValues cube{type, files.values.data() + offset, strides, bands, columns};
  std::optional<DenseValues> values = ignored ? std::nullopt : in_place(cube, range, files.owner);
  if (!values) values = converted(cube, range, ignored, table.notes, context);
  table.values = *values;
  table.row_names = band_names(header, bands);
  describe_scene("a cube", lines, columns, range, options.features_are, table);
  return table;
}

Index count_pixels(const EnviFiles& files) {
  const Header header(files.header, files.header_file);
  Index pixels = 0;
  if (__builtin_mul_overflow(header.number("lines", 1), header.number("samples", 1), &pixels)) {
    throw InputError({.file = files.header_file}, "the header announces more pixels than can be counted");
  }
  return pixels;
}

LoadedCube load_cube(const std::filesystem::path& given, const Context& context) {
  LoadedCube cube;
  const bool header_given = lower_case(given.extension().string()) == ".hdr";
  const std::filesystem::path header_file = header_given ? given : find_envi_header(given);
  const std::filesystem::path values_file = header_given ? find_values(given) : given;
  cube.header = load_file(header_file, context);
  cube.values = decompressed(load_file(values_file, context), values_file.string(), context);
  cube.files = {cube.header.view, header_file.string(), cube.values.view, values_file.string(), cube.values.owner};
  return cube;
}

FileTable read_envi(const Source& source, const ReadOptions& options, const Context& context) {
  if (!recognizes_envi(source.bytes.view)) {
    throw InputError({.file = source.file},
                     "there is no ENVI header beside it; it is looked for under the same name with "
                     ".hdr or .HDR, and begins with the word ENVI");
  }
  if (source.folder.empty())
    throw InputError({.file = source.file}, "an ENVI header needs the file of its values beside it");
  return envi_table(load_cube(source.file, context).files, options, context);
}

}  // namespace disc::io
