// Values of npy arrays of any numeric type, byte order and layout.
#include "io/npy.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace disc::io {
namespace {

// How many values are converted between two looks at the stop token.
constexpr Index values_at_once = Index{1} << 18;

constexpr bool native_is_big = std::endian::native == std::endian::big;

template <class T>
double convert_one(const char* from, bool swap) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

double convert_half(const char* from, bool swap) {
  const auto bits = static_cast<std::uint16_t>(convert_one<std::uint16_t>(from, swap));
  return static_cast<double>(static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits)));
}

double convert_bool(const char* from, bool) { return *from != 0 ? 1.0 : 0.0; }

template <double (*convert)(const char*, bool)>
void convert_all(const char* from, Index item_size, bool swap, Index count, double* to, const Context& context) {
  context.parallel_for((count + values_at_once - 1) / values_at_once, [&](Index item) {
    const Index first = item * values_at_once;
    const Index last = std::min(first + values_at_once, count);
    for (Index i = first; i < last; ++i) to[i] = convert(from + i * item_size, swap);
  });
}

void convert_numbers(const NpyHeader& header, const char* from, Index count, double* to, const Context& context) {
  const bool swap = header.big_endian != native_is_big;
  const auto run = [&]<double (*convert)(const char*, bool)>() {
    convert_all<convert>(from, header.item_size, swap, count, to, context);
  };
  switch (header.kind) {
    case 'b':
      return run.template operator()<convert_bool>();
    case 'f':
      if (header.item_size == 8) return run.template operator()<convert_one<double>>();
      if (header.item_size == 4) return run.template operator()<convert_one<float>>();
      return run.template operator()<convert_half>();
    case 'i':
      if (header.item_size == 8) return run.template operator()<convert_one<std::int64_t>>();
      if (header.item_size == 4) return run.template operator()<convert_one<std::int32_t>>();
      if (header.item_size == 2) return run.template operator()<convert_one<std::int16_t>>();
      return run.template operator()<convert_one<std::int8_t>>();
    default:
      if (header.item_size == 8) return run.template operator()<convert_one<std::uint64_t>>();
      if (header.item_size == 4) return run.template operator()<convert_one<std::uint32_t>>();
      if (header.item_size == 2) return run.template operator()<convert_one<std::uint16_t>>();
      return run.template operator()<convert_one<std::uint8_t>>();
  }
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0 | point >> 6);
    put(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    put(0xe0 | point >> 12);
    put(0x80 | (point >> 6 & 0x3f));
    put(0x80 | (point & 0x3f));
  } else {
    put(0xf0 | (point >> 18 & 0x07));
    put(0x80 | (point >> 12 & 0x3f));
    put(0x80 | (point >> 6 & 0x3f));
    put(0x80 | (point & 0x3f));
  }
}

// Text of fixed length, padded with zeros.
std::string read_text(const NpyHeader& header, const char* from) {
  std::string text;
  for (Index k = 0; k < header.item_size; ++k) {
    if (header.kind == 'S') {
      text += from[k];
    } else {
      const bool swap = header.big_endian != native_is_big;
      append_utf8(text, static_cast<std::uint32_t>(convert_one<std::uint32_t>(from + 4 * k, swap)));
    }
  }
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

void require_numbers(const NpyHeader& header, const std::string& what) {
  if (header.is_number()) return;
  throw InputError({.file = what}, "holds text (type '" + header.type + "'); numbers are needed");
}

}  // namespace

DenseValues npy_matrix(const Bytes& bytes, const std::string& what, const Context& context) {
  const NpyHeader header = parse_npy_header(bytes.view, what);
  require_numbers(header, what);
  if (header.shape.size() != 2) {
    throw InputError({.file = what}, "holds an array of " + std::to_string(header.shape.size()) +
                                         (header.shape.size() == 1 ? " dimension" : " dimensions") + ", shape " +
                                         header.shape_text() + "; two are needed, samples x features");
  }
  const Index count = count_values(header, bytes.view, what);
  DenseValues matrix;
  matrix.rows = header.shape[0];
  matrix.cols = header.shape[1];
  matrix.row_stride = header.fortran_order ? 1 : matrix.cols;
  matrix.col_stride = header.fortran_order ? matrix.rows : 1;
  const char* from = bytes.view.data() + header.data_begin;
  const bool native = header.kind == 'f' && header.item_size == 8 && header.big_endian == native_is_big;
  if (native && bytes.owner && reinterpret_cast<std::uintptr_t>(from) % alignof(double) == 0) {
    matrix.values = reinterpret_cast<const double*>(from);
    matrix.owner = bytes.owner;
  } else {
    const auto values = std::make_shared_for_overwrite<double[]>(static_cast<std::size_t>(count));
    convert_numbers(header, from, count, values.get(), context);
    matrix.values = values.get();
    matrix.owner = values;
  }
  return matrix;
}

std::vector<double> npy_numbers(std::string_view bytes, const std::string& what, const Context& context) {
  const NpyHeader header = parse_npy_header(bytes, what);
  require_numbers(header, what);
  const Index count = count_values(header, bytes, what);
  std::vector<double> values(static_cast<std::size_t>(count));
  convert_numbers(header, bytes.data() + header.data_begin, count, values.data(), context);
  return values;
}

std::vector<std::string> npy_texts(std::string_view bytes, const std::string& what, const Context& context) {
  const NpyHeader header = parse_npy_header(bytes, what);
  std::vector<std::string> texts;
  if (header.is_number()) {
    for (const double value : npy_numbers(bytes, what, context)) texts.push_back(format_number(value));
    return texts;
  }
  const Index count = count_values(header, bytes, what);
  const Index step = header.item_size * (header.kind == 'U' ? 4 : 1);
  for (Index i = 0; i < count; ++i) texts.push_back(read_text(header, bytes.data() + header.data_begin + i * step));
  return texts;
}

FileTable read_npy(const Source& source, const ReadOptions&, const Context& context) {
  FileTable table;
  table.values = npy_matrix(source.bytes, source.file, context);
  return table;
}

}  // namespace disc::io
