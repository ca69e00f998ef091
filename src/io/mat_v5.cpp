#include "io/mat_v5.hpp"

#include <algorithm>

#include "io/raw_numbers.hpp"
#include "io/sparse_entries.hpp"

namespace disc::io {
namespace {

constexpr std::size_t header_size = 128, order_at = 126, tag_size = 8;

// Types of elements.
constexpr std::uint32_t type_matrix = 14, type_compressed = 15;
// Classes of arrays.
constexpr unsigned class_sparse = 5, class_first_number = 6, class_last_number = 15;
constexpr std::uint32_t flag_complex = 0x0800;

// What a sub-element holds: its type and its bytes.
struct Part {
  std::uint32_t type = 0;
  std::string_view bytes;
};

// Sub-elements one after the other; nothing is believed that does not fit.
class Parts {
 public:
  Parts(std::string_view bytes, bool big_endian, const std::string& what)
      : bytes_(bytes), big_endian_(big_endian), what_(what) {}

  bool at_end() const { return bytes_.size() < tag_size; }

  Part next() {
    if (at_end()) refuse();
    const std::uint32_t first = read_unsigned(bytes_.data(), big_endian_);
    Part part;
    // Four bytes or fewer are kept in the tag itself.
    if (const std::uint32_t small = first >> 16; small != 0) {
      if (small > 4) refuse();
      part = {first & 0xffff, bytes_.substr(4, small)};
      bytes_.remove_prefix(tag_size);
      return part;
    }
    const std::size_t size = read_unsigned(bytes_.data() + 4, big_endian_);
    bytes_.remove_prefix(tag_size);
    if (size > bytes_.size()) refuse();
    part = {first, bytes_.substr(0, size)};
    // Padded to eight bytes, but for what is compressed.
    const std::size_t padded = first == type_compressed ? size : (size + 7) / 8 * 8;
    bytes_.remove_prefix(std::min(padded, bytes_.size()));
    return part;
  }

  [[noreturn]] void refuse() const { throw InputError({.file = what_}, "the MATLAB file is truncated or damaged"); }

 private:
  std::string_view bytes_;
  bool big_endian_;
  const std::string& what_;
};

RawType raw_type(std::uint32_t type, const Parts& parts, bool big_endian) {
  switch (type) {
    case 1:
      return {'i', 1, big_endian};
    case 2:
      return {'u', 1, big_endian};
    case 3:
      return {'i', 2, big_endian};
    case 4:
      return {'u', 2, big_endian};
    case 5:
      return {'i', 4, big_endian};
    case 6:
      return {'u', 4, big_endian};
    case 7:
      return {'f', 4, big_endian};
    case 9:
      return {'f', 8, big_endian};
    case 12:
      return {'i', 8, big_endian};
    case 13:
      return {'u', 8, big_endian};
    default:
      parts.refuse();
  }
}

// How an array begins; its values follow in `parts`.
struct Description {
  unsigned array_class = 0;
  bool is_complex = false;
  std::vector<Index> shape;
  std::string name;
  bool is_number() const {
    return array_class == class_sparse || (array_class >= class_first_number && array_class <= class_last_number);
  }
};

Description describe(Parts& parts, bool big_endian) {
  Description array;
  const Part flags = parts.next(), lengths = parts.next(), name = parts.next();
  if (flags.bytes.size() < 4 || lengths.bytes.size() % 4 != 0) parts.refuse();
  const std::uint32_t word = read_unsigned(flags.bytes.data(), big_endian);
  array.array_class = word & 0xff;
  array.is_complex = (word & flag_complex) != 0;
  for (std::size_t at = 0; at < lengths.bytes.size(); at += 4) {
    const auto length = static_cast<std::int32_t>(read_unsigned(lengths.bytes.data() + at, big_endian));
    if (length < 0) parts.refuse();
    array.shape.push_back(length);
  }
  array.name = std::string(name.bytes);
  return array;
}

std::vector<double> read_numbers(Parts& parts, bool big_endian, const Context& context) {
  const Part part = parts.next();
  const RawType type = raw_type(part.type, parts, big_endian);
  std::vector<double> values(part.bytes.size() / static_cast<std::size_t>(type.size));
  convert_numbers(type, part.bytes.data(), static_cast<Index>(values.size()), values.data(), context);
  return values;
}

std::vector<Index> read_places(Parts& parts, bool big_endian, const Context& context) {
  std::vector<Index> places;
  for (const double value : read_numbers(parts, big_endian, context)) {
    if (!(value >= 0 && value < 4294967296.0)) parts.refuse();  // places have 32 bits
    places.push_back(static_cast<Index>(value));
  }
  return places;
}

// By columns, so the lines of the file are columns. Room may be reserved beyond what is used.
FileTable read_sparse(Parts& parts, const Description& array, bool big_endian, const std::string& what,
                      const Context& context) {
  if (array.shape.size() != 2) parts.refuse();
  CompressedLines lines;
  lines.indices = read_places(parts, big_endian, context);
  lines.starts = read_places(parts, big_endian, context);
  lines.data = read_numbers(parts, big_endian, context);
  if (!lines.starts.empty()) {
    const auto used = static_cast<std::size_t>(lines.starts.back());
    if (used > lines.indices.size() || used > lines.data.size()) parts.refuse();
    lines.indices.resize(used);
    lines.data.resize(used);
  }
  FileTable table;
  table.values = transposed(*from_compressed(array.shape[1], array.shape[0], std::move(lines), what, context));
  return table;
}

}  // namespace

bool is_mat_v5(std::string_view bytes) {
  if (bytes.size() < header_size || !bytes.starts_with("MATLAB 5.0 MAT-file")) return false;
  const std::string_view order = bytes.substr(order_at, 2);
  return order == "IM" || order == "MI";
}

MatV5File::MatV5File(const Source& source, const Context& context) : source_(source), context_(context) {
  constexpr std::size_t enough_for_description = std::size_t{1} << 14;
  big_endian_ = source.bytes.view[order_at] == 'M';
  Parts elements(source.bytes.view.substr(header_size), big_endian_, source.file);
  while (!elements.at_end()) {
    const Part part = elements.next();
    if (part.type != type_matrix && part.type != type_compressed) continue;
    const Element element{part.bytes, part.type == type_compressed};
    Variable variable{"", {}, false};
    try {
      const std::string begin = contents(element, enough_for_description);
      Parts parts(begin, big_endian_, source.file);
      const Description array = describe(parts, big_endian_);
      variable = {array.name, array.shape, array.is_number()};
    } catch (const InputError&) {
      // What cannot be read does no harm unless it is asked for.
    }
    if (variable.name.empty()) continue;  // also what MATLAB keeps for itself
    variables_.push_back(std::move(variable));
    elements_.push_back(element);
  }
  if (variables_.empty()) throw InputError({.file = source.file}, "the MATLAB file holds no variables, or is damaged");
}

// What is inside the matrix element: the sub-elements.
std::string MatV5File::contents(const Element& element, std::size_t limit) const {
  if (!element.compressed) return std::string(element.bytes.substr(0, limit));
  std::string inner = inflated(element.bytes, source_.file, context_, limit);
  if (inner.size() < tag_size || read_unsigned(inner.data(), big_endian_) != type_matrix) {
    throw InputError({.file = source_.file}, "the MATLAB file is truncated or damaged");
  }
  return inner.substr(tag_size);
}

FileTable MatV5File::read(const std::string& name, const std::string& axes) const {
  const auto found =
      std::find_if(variables_.begin(), variables_.end(), [&](const Variable& known) { return known.name == name; });
  const std::string what = source_.file + " (variable '" + printable(name) + "')";
  const std::string bytes = contents(elements_[static_cast<std::size_t>(found - variables_.begin())],
                                     std::numeric_limits<std::size_t>::max());
  Parts parts(bytes, big_endian_, what);
  const Description array = describe(parts, big_endian_);
  if (!array.is_number()) throw InputError({.file = what}, "holds no numbers (text, a cell array or a structure)");
  if (array.is_complex) throw InputError({.file = what}, "holds complex numbers; real ones are needed");
  if (array.array_class == class_sparse) return read_sparse(parts, array, big_endian_, what, context_);
  Index count = 1;
  for (const Index length : array.shape) {
    if (__builtin_mul_overflow(count, length, &count)) parts.refuse();
  }
  std::vector<double> values = read_numbers(parts, big_endian_, context_);
  if (static_cast<Index>(values.size()) != count) {
    throw InputError({.file = what}, "has the shape " + shape_text(array.shape) + " but " +
                                         std::to_string(values.size()) + " values; the file is truncated or damaged");
  }
  return table_of_array(number_array(array.shape, std::move(values), true), axes, what);
}

}  // namespace disc::io
