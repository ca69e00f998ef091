// NIfTI-1 brain images in one file: a header of 348 bytes, then volumes of voxels. With an atlas, the features are means over its
// parcels; without one, they are the voxels.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "io/format.hpp"
#include "io/raw_numbers.hpp"

namespace disc::io {
namespace {

constexpr std::size_t header_bytes = 348;
// Where the fields of the header lie.
constexpr std::size_t dim_at = 40, datatype_at = 70, vox_offset_at = 108, slope_at = 112, intercept_at = 116,
                      magic_at = 344;

struct Image {
  std::array<Index, 3> grid{};  // voxels along x, y, z
  Index volumes = 0;
  RawType type;
  const char* begin = nullptr;  // of the values
  double slope = 1, intercept = 0;
  Index voxels() const { return grid[0] * grid[1] * grid[2]; }
};

// The size of the header says in which order its bytes are.
std::optional<bool> is_big_endian(std::string_view bytes) {
  if (bytes.size() < header_bytes) return std::nullopt;
  if (read_unsigned(bytes.data(), false) == header_bytes) return false;
  if (read_unsigned(bytes.data(), true) == header_bytes) return true;
  return std::nullopt;
}

Index whole_field(std::string_view bytes, std::size_t at, bool big_endian) {
  const auto low = static_cast<unsigned char>(bytes[at + (big_endian ? 1 : 0)]);
  const auto high = static_cast<unsigned char>(bytes[at + (big_endian ? 0 : 1)]);
  return static_cast<std::int16_t>(high << 8 | low);
}

double float_field(std::string_view bytes, std::size_t at, bool big_endian) {
  return static_cast<double>(std::bit_cast<float>(read_unsigned(bytes.data() + at, big_endian)));
}

RawType type_of(Index code, bool big_endian, const std::string& file) {
  static const std::map<Index, RawType> types{{2, {'u', 1}},    {4, {'i', 2}},   {8, {'i', 4}},   {16, {'f', 4}},
                                              {64, {'f', 8}},   {256, {'i', 1}}, {512, {'u', 2}}, {768, {'u', 4}},
                                              {1024, {'i', 8}}, {1280, {'u', 8}}};
  const auto found = types.find(code);
  if (found == types.end()) {
    throw InputError(
        {.file = file, .value = std::to_string(code)},
        "the type of its values is " + std::to_string(code) +
            "; whole numbers and floats of up to 64 bits are read (2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280)");
  }
  return {found->second.kind, found->second.size, big_endian};
}

Image parse(std::string_view bytes, const std::string& file) {
  const std::optional<bool> big = is_big_endian(bytes);
  if (!big) throw InputError({.file = file}, "is not a NIfTI-1 image: it does not begin with a header of 348 bytes");
  if (bytes.substr(magic_at, 4) != std::string_view("n+1\0", 4)) {
    throw InputError({.file = file, .value = printable(bytes.substr(magic_at, 3))},
                     "is not a NIfTI-1 image in one file (.nii); pairs of .hdr and .img are not read");
  }
  std::array<Index, 8> dim{};
  for (std::size_t k = 0; k < dim.size(); ++k) dim[k] = whole_field(bytes, dim_at + 2 * k, *big);
  if (dim[0] < 1 || dim[0] > 7) {
    throw InputError({.file = file, .value = std::to_string(dim[0])},
                     "has " + std::to_string(dim[0]) + " dimensions; 1 to 7 are allowed");
  }
  Image image;
  image.type = type_of(whole_field(bytes, datatype_at, *big), *big, file);
  image.volumes = 1;
  image.grid = {1, 1, 1};
  Index needed = image.type.size;
  for (std::size_t k = 1; k <= static_cast<std::size_t>(dim[0]); ++k) {
    if (dim[k] < 1) {
      throw InputError(
          {.file = file, .value = std::to_string(dim[k])},
          "its dimension " + std::to_string(k) + " is " + std::to_string(dim[k]) + "; it must be at least 1");
    }
    (k <= 3 ? image.grid[k - 1] : image.volumes) *= dim[k];
    if (__builtin_mul_overflow(needed, dim[k], &needed)) {
      needed = std::numeric_limits<Index>::max();  // no file is that long
      break;
    }
  }
  const double offset = float_field(bytes, vox_offset_at, *big);
  const double room = static_cast<double>(bytes.size()) - offset;
  if (!(offset >= static_cast<double>(header_bytes)) || !(static_cast<double>(needed) <= room)) {
    throw InputError(
        {.file = file},
        "holds " + std::to_string(bytes.size()) + " bytes, but the header announces " + std::to_string(needed) +
            " bytes of values from byte " +
            std::to_string(static_cast<Index>(std::isfinite(offset) ? std::clamp(offset, -1e15, 1e15) : -1)) +
            " on; the file is truncated or the header is damaged");
  }
  image.begin = bytes.data() + static_cast<std::size_t>(offset);
  const double slope = float_field(bytes, slope_at, *big);
  if (slope != 0 && std::isfinite(slope)) {  // zero: not scaled
    image.slope = slope;
    const double intercept = float_field(bytes, intercept_at, *big);
    image.intercept = std::isfinite(intercept) ? intercept : 0;
  }
  return image;
}

void read_volume(const Image& image, Index volume, double* to, const Context& context) {
  const Index voxels = image.voxels();
  convert_numbers(image.type, image.begin + volume * voxels * image.type.size, voxels, to, context);
  if (image.slope == 1 && image.intercept == 0) return;
  for (Index v = 0; v < voxels; ++v) to[v] = to[v] * image.slope + image.intercept;
}

std::string grid_text(const Image& image) {
  return std::to_string(image.grid[0]) + " x " + std::to_string(image.grid[1]) + " x " + std::to_string(image.grid[2]);
}

// For every voxel the position of its parcel, or -1; parcels are called by their numbers.
struct Parcels {
  std::vector<Index> of_voxel;
  std::vector<std::string> names;
};

Parcels read_parcels(const std::string& file, const Image& like, const std::string& image_file,
                     const Context& context) {
  const Bytes bytes = decompressed(load_file(file, context), file, context);
  const Image atlas = parse(bytes.view, file);
  if (atlas.grid != like.grid || atlas.volumes != 1) {
    throw InputError({.file = file}, "the atlas has " + grid_text(atlas) + " voxels in " +
                                         std::to_string(atlas.volumes) + " volumes, but " + image_file + " has " +
                                         grid_text(like) + "; an atlas is one volume on the grid of the images");
  }
  std::vector<double> labels(static_cast<std::size_t>(atlas.voxels()));
  read_volume(atlas, 0, labels.data(), context);
  std::map<double, Index> parcels;
  for (const double label : labels) {
    if (label == 0) continue;
    if (!(label == std::floor(label))) {
      throw InputError(
          {.file = file, .value = std::to_string(label)},
          "a voxel of the atlas is " + std::to_string(label) + "; parcels are whole numbers, 0 is outside");
    }
    parcels.emplace(label, 0);
  }
  if (parcels.empty()) throw InputError({.file = file}, "the atlas has no parcels: all voxels are 0");
  Parcels result;
  for (auto& [label, place] : parcels) {
    place = static_cast<Index>(result.names.size());
    result.names.push_back(format_number(label));
  }
  for (const double label : labels) result.of_voxel.push_back(label == 0 ? -1 : parcels.at(label));
  return result;
}

// Means over parcels, volume by volume: the image is never held as doubles.
FileTable parcel_means(const Image& image, const Parcels& parcels, const Context& context) {
  const auto width = static_cast<Index>(parcels.names.size());
  const auto means = std::make_shared<std::vector<double>>(static_cast<std::size_t>(image.volumes * width), 0.0);
  std::vector<double> sizes(parcels.names.size(), 0.0);
  for (const Index parcel : parcels.of_voxel) {
    if (parcel >= 0) sizes[static_cast<std::size_t>(parcel)] += 1;
  }
  context.parallel_for(image.volumes, [&](Index volume) {
    std::vector<double> values(static_cast<std::size_t>(image.voxels()));
    read_volume(image, volume, values.data(), context);
    double* const row = means->data() + volume * width;
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (parcels.of_voxel[v] >= 0) row[parcels.of_voxel[v]] += values[v];
    }
    for (Index j = 0; j < width; ++j) row[j] /= sizes[static_cast<std::size_t>(j)];
  });
  FileTable table;
  table.values = DenseValues{means->data(), image.volumes, width, width, 1, means};
  table.column_names = parcels.names;
  table.notes.push_back("means over " + std::to_string(width) + " parcels of the atlas");
  return table;
}

FileTable all_voxels(const Image& image, const Context& context) {
  const Index voxels = image.voxels();
  const auto values = std::make_shared_for_overwrite<double[]>(static_cast<std::size_t>(image.volumes * voxels));
  context.parallel_for(image.volumes,
                       [&](Index volume) { read_volume(image, volume, values.get() + volume * voxels, context); });
  FileTable table;
  table.values = DenseValues{values.get(), image.volumes, voxels, voxels, 1, values};
  for (Index z = 1; z <= image.grid[2]; ++z) {
    for (Index y = 1; y <= image.grid[1]; ++y) {
      for (Index x = 1; x <= image.grid[0]; ++x) {
        table.column_names.push_back(std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z));
      }
    }
  }
  table.shape = {image.grid[2], image.grid[1], image.grid[0]};
  table.notes.emplace_back("features are voxels, named x,y,z; --atlas FILE takes means over its parcels");
  return table;
}

}  // namespace

bool recognises_nifti(std::string_view bytes) {
  return is_big_endian(bytes) && (bytes.substr(magic_at, 3) == "n+1" || bytes.substr(magic_at, 3) == "ni1");
}

FileTable read_nifti(const Source& source, const ReadOptions& options, const Context& context) {
  const Image image = parse(source.bytes.view, source.file);
  FileTable table = options.atlas.empty()
                        ? all_voxels(image, context)
                        : parcel_means(image, read_parcels(options.atlas, image, source.file, context), context);
  table.samples_in = SamplesIn::rows;
  table.notes.insert(table.notes.begin(), std::to_string(image.volumes) +
                                              (image.volumes == 1 ? " volume of " : " volumes of ") + grid_text(image) +
                                              " voxels; volumes are the samples");
  return table;
}

}  // namespace disc::io
