// Values of npy arrays of any numeric type, byte order and layout.
#include "io/npy.hpp"

#include <cstdint>

#include "io/raw_numbers.hpp"

namespace disc::io {
namespace {

RawType raw_type(const NpyHeader& header) { return {header.kind, header.item_size, header.big_endian}; }

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
      append_utf8(text, read_unsigned(from + 4 * k, header.big_endian));
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

NumberArray npy_array(const Bytes& bytes, const std::string& what, const Context& context) {
  const NpyHeader header = parse_npy_header(bytes.view, what);
  require_numbers(header, what);
  const Index count = count_values(header, bytes.view, what);
  auto [values, owner] =
      keep_numbers(raw_type(header), bytes.view.data() + header.data_begin, count, bytes.owner, context);
  return {header.shape, header.fortran_order, values, std::move(owner)};
}

std::vector<double> npy_numbers(std::string_view bytes, const std::string& what, const Context& context) {
  const NpyHeader header = parse_npy_header(bytes, what);
  require_numbers(header, what);
  const Index count = count_values(header, bytes, what);
  std::vector<double> values(static_cast<std::size_t>(count));
  convert_numbers(raw_type(header), bytes.data() + header.data_begin, count, values.data(), context);
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

FileTable read_npy(const Source& source, const ReadOptions& options, const Context& context) {
  return table_of_array(npy_array(source.bytes, source.file, context), options.axes, source.file);
}

}  // namespace disc::io
