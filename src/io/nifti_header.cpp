#include "io/nifti_header.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "io/bytes.hpp"
#include "io/format.hpp"

namespace disc::io {
namespace {

// Where the fields of a header lie. Version 2 has wider ones in another order.
struct Version {
  int number = 1;
  std::size_t bytes = 348;
  std::size_t magic = 344, dim = 40, datatype = 70, pixdim = 76, vox_offset = 108, slope = 112, intercept = 116,
              qform = 252, sform = 254, quatern = 256, offset = 268, rows = 280;
};
constexpr Version version_1{};
constexpr Version version_2{2, 540, 4, 16, 12, 104, 168, 176, 184, 344, 348, 352, 376, 400};

class Header {
 public:
  Header(std::string_view bytes, const Version& layout, bool big_endian)
      : fields(layout), bytes_(bytes), big_(big_endian) {}

  Index dim(std::size_t k) const {
    return fields.number == 1 ? whole(fields.dim + 2 * k, 2) : whole(fields.dim + 8 * k, 8);
  }
  Index datatype() const { return whole(fields.datatype, 2); }
  double vox_offset() const {
    return fields.number == 1 ? real(fields.vox_offset, 0) : static_cast<double>(whole(fields.vox_offset, 8));
  }
  int qform() const { return static_cast<int>(whole(fields.qform, fields.number == 1 ? 2 : 4)); }
  int sform() const { return static_cast<int>(whole(fields.sform, fields.number == 1 ? 2 : 4)); }
  /// The k-th of several numbers with a fraction.
  double real(std::size_t at, std::size_t k) const {
    if (fields.number == 1)
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(unsigned_at(at + 4 * k, 4))));
    return std::bit_cast<double>(unsigned_at(at + 8 * k, 8));
  }
  bool is_big_endian() const { return big_; }

  const Version& fields;

 private:
  std::uint64_t unsigned_at(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < size; ++k) {
      value = value << 8 | static_cast<unsigned char>(bytes_[at + (big_ ? k : size - 1 - k)]);
    }
    return value;
  }
  Index whole(std::size_t at, std::size_t size) const {
    const int unused = 64 - 8 * static_cast<int>(size);
    return static_cast<Index>(static_cast<std::int64_t>(unsigned_at(at, size) << unused) >> unused);
  }

  std::string_view bytes_;
  bool big_;
};

// The size of the header, its first field, says which version it is and in which order its bytes are.
std::optional<Header> find_header(std::string_view bytes) {
  for (const Version* version : {&version_1, &version_2}) {
    if (bytes.size() < version->bytes) continue;
    for (const bool big : {false, true}) {
      if (read_unsigned(bytes.data(), big) == version->bytes) return Header(bytes, *version, big);
    }
  }
  return std::nullopt;
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

// The grid and the volumes; returns the bytes that the values take.
Index read_dimensions(const Header& header, NiftiImage& image, const std::string& file) {
  const Index axes = header.dim(0);
  if (axes < 1 || axes > 7) {
    throw InputError({.file = file, .value = std::to_string(axes)},
                     "has " + std::to_string(axes) + " dimensions; 1 to 7 are allowed");
  }
  image.volumes = 1;
  image.grid = {1, 1, 1};
  Index needed = image.type.size;
  for (std::size_t k = 1; k <= static_cast<std::size_t>(axes); ++k) {
    const Index length = header.dim(k);
    if (length < 1) {
      throw InputError(
          {.file = file, .value = std::to_string(length)},
          "its dimension " + std::to_string(k) + " is " + std::to_string(length) + "; it must be at least 1");
    }
    if (__builtin_mul_overflow(needed, length, &needed))
      return std::numeric_limits<Index>::max();  // no file is that long
    (k <= 3 ? image.grid[k - 1] : image.volumes) *= length;
  }
  return needed;
}

void find_values(const Header& header, std::string_view bytes, Index needed, NiftiImage& image,
                 const std::string& file) {
  const double offset = header.vox_offset();
  const double room = static_cast<double>(bytes.size()) - offset;
  if (!(offset >= static_cast<double>(header.fields.bytes)) || !(static_cast<double>(needed) <= room)) {
    throw InputError(
        {.file = file},
        "holds " + std::to_string(bytes.size()) + " bytes, but the header announces " + std::to_string(needed) +
            " bytes of values from byte " +
            std::to_string(static_cast<Index>(std::isfinite(offset) ? std::clamp(offset, -1e15, 1e15) : -1)) +
            " on; the file is truncated or the header is damaged");
  }
  image.begin = bytes.data() + static_cast<std::size_t>(offset);
}

// The rotation that a quaternion stands for, times the size of voxels; the standard's method 2.
NiftiAffine affine_of_quaternion(const Header& header) {
  const double b = header.real(header.fields.quatern, 0), c = header.real(header.fields.quatern, 1),
               d = header.real(header.fields.quatern, 2);
  const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d));
  NiftiAffine affine = NiftiAffine::Identity();
  affine.topLeftCorner<3, 3>() << a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c),
      2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b),  //
      2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c;
  for (int axis = 0; axis < 3; ++axis) {
    affine.col(axis).head<3>() *= header.real(header.fields.pixdim, static_cast<std::size_t>(axis) + 1);
    affine(axis, 3) = header.real(header.fields.offset, static_cast<std::size_t>(axis));
  }
  if (header.real(header.fields.pixdim, 0) < 0) affine.col(2) *= -1;
  return affine;
}

std::optional<NiftiAffine> find_place(const Header& header) {
  NiftiAffine affine = NiftiAffine::Identity();
  if (header.sform() > 0) {
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        affine(row, column) = header.real(header.fields.rows, static_cast<std::size_t>(4 * row + column));
      }
    }
  } else if (header.qform() > 0) {
    affine = affine_of_quaternion(header);
  } else {
    return std::nullopt;
  }
  const double volume = affine.topLeftCorner<3, 3>().determinant();
  if (!affine.allFinite() || !(std::abs(volume) > 1e-12)) return std::nullopt;
  return affine;
}

}  // namespace

NiftiImage parse_nifti(std::string_view bytes, const std::string& file) {
  const std::optional<Header> header = find_header(bytes);
  if (!header) {
    throw InputError({.file = file}, "is not a NIfTI image: it does not begin with a header of 348 or 540 bytes");
  }
  const std::string_view magic = bytes.substr(header->fields.magic, 4);
  if (magic != std::string_view("n+1\0", 4) && magic != std::string_view("n+2\0", 4)) {
    throw InputError({.file = file, .value = printable(magic.substr(0, 3))},
                     "is not a NIfTI image in one file (.nii); pairs of .hdr and .img are not read");
  }
  NiftiImage image;
  image.type = type_of(header->datatype(), header->is_big_endian(), file);
  find_values(*header, bytes, read_dimensions(*header, image, file), image, file);
  const double slope = header->real(header->fields.slope, 0);
  if (slope != 0 && std::isfinite(slope)) {  // zero: not scaled
    image.slope = slope;
    const double intercept = header->real(header->fields.intercept, 0);
    image.intercept = std::isfinite(intercept) ? intercept : 0;
  }
  image.place = find_place(*header);
  return image;
}

bool recognizes_nifti(std::string_view bytes) {
  const std::optional<Header> header = find_header(bytes);
  if (!header) return false;
  const std::string_view magic = bytes.substr(header->fields.magic, 2);
  return magic == "n+" || magic == "ni";
}

}  // namespace disc::io
