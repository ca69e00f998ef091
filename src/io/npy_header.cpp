#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "io/npy.hpp"

namespace disc::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

[[noreturn]] void refuse(const std::string& what, const std::string& message) {
  throw InputError({.file = what}, message);
}

// Reads the dictionary of a header: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& what) : text_(text), what_(what) {}

  void parse(NpyHeader& header) {
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        if (peek() == '[') refuse(what_, "holds a structured array; a plain array of numbers is needed");
        header.type = quoted();
        has_type = true;
      } else if (key == "fortran_order") {
        header.fortran_order = truth();
        has_order = true;
      } else if (key == "shape") {
        header.shape = shape();
        has_shape = true;
      } else {
        damaged();
      }
      if (!accept(',') && peek() != '}') damaged();
    }
    if (!has_type || !has_order || !has_shape) damaged();
  }

 private:
  [[noreturn]] void damaged() const { refuse(what_, "the npy header is damaged"); }

  char peek() {
    const std::size_t next = text_.find_first_not_of(" \n\t");
    if (next == std::string_view::npos) damaged();
    text_.remove_prefix(next);
    return text_.front();
  }
  bool accept(char letter) {
    if (peek() != letter) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char letter) {
    if (!accept(letter)) damaged();
  }
  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') damaged();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) damaged();
    std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }
  bool truth() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    damaged();
  }
  std::vector<Index> shape() {
    std::vector<Index> lengths;
    expect('(');
    while (!accept(')')) {
      peek();
      Index length = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), length);
      if (error != std::errc() || length < 0) {
        const std::string_view word = text_.substr(0, text_.find_first_of(",) "));
        refuse(what_, "the npy header is damaged: '" + printable(word) + "' is no length of an axis");
      }
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      if (peek() == 'L') text_.remove_prefix(1);  // Python 2 wrote long integers so
      lengths.push_back(length);
      if (!accept(',') && peek() != ')') damaged();
    }
    return lengths;
  }

  std::string_view text_;
  const std::string& what_;
};

// "<f8": byte order, kind, size; the order may be missing.
void parse_type(NpyHeader& header, const std::string& what) {
  std::string_view type = header.type;
  header.big_endian = std::endian::native == std::endian::big;
  if (!type.empty() && std::string_view("<>|=").find(type.front()) != std::string_view::npos) {
    if (type.front() == '<') header.big_endian = false;
    if (type.front() == '>') header.big_endian = true;
    type.remove_prefix(1);
  }
  if (type.empty()) refuse(what, "the npy header is damaged: the type '" + printable(header.type) + "' is not known");
  header.kind = type.front() == '?' ? 'b' : type.front();
  header.item_size = type.front() == '?' ? 1 : 0;
  type.remove_prefix(1);
  if (!type.empty()) std::from_chars(type.data(), type.data() + type.size(), header.item_size);
  if (header.kind == 'O') {
    refuse(what,
           "holds pickled Python objects, which are refused because reading them can run code; save it as an "
           "array of numbers (or of text for names)");
  }
  constexpr Index longest_text = Index{1} << 28;
  const Index size = header.item_size;
  const bool known = header.kind == 'f'                         ? size == 2 || size == 4 || size == 8
                     : header.kind == 'i' || header.kind == 'u' ? size == 1 || size == 2 || size == 4 || size == 8
                     : header.kind == 'b'                       ? size == 1
                                                                : header.is_text() && size >= 0 && size <= longest_text;
  if (!known) {
    refuse(what,
           "holds values of type '" + printable(header.type) + "'; real numbers are needed (bool, int, uint or float)");
  }
}

}  // namespace

bool recognizes_npy(std::string_view bytes) { return bytes.starts_with(magic); }

NpyHeader parse_npy_header(std::string_view bytes, const std::string& what) {
  if (!bytes.starts_with(magic.substr(0, std::min(bytes.size(), magic.size())))) {
    refuse(what, "is not an npy file: its first bytes are not those of one");
  }
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
  const std::size_t version = bytes.size() > magic.size() ? byte(magic.size()) : 1;
  if (version < 1 || version > 3)
    refuse(what, "is written in npy version " + std::to_string(version) + "; 1, 2 and 3 are read");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = magic.size() + 2 + length_bytes;
  std::size_t length = 0;
  if (bytes.size() >= begin) {
    for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(magic.size() + 2 + i) << (8 * i);
  }
  if (bytes.size() < begin || bytes.size() - begin < length) {
    refuse(what,
           "the npy file is truncated: it ends inside its header after " + std::to_string(bytes.size()) + " bytes");
  }
  NpyHeader header;
  HeaderParser(bytes.substr(begin, length), what).parse(header);
  header.data_begin = begin + length;
  parse_type(header, what);
  return header;
}

std::optional<Index> NpyHeader::value_bytes() const {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  Index bytes = bytes_each();
  for (const Index length : shape) {
    if (__builtin_mul_overflow(bytes, length, &bytes)) return std::nullopt;
  }
  return bytes;
}

Index count_values(const NpyHeader& header, std::string_view bytes, const std::string& what) {
  const auto present = static_cast<Index>(bytes.size() - header.data_begin);
  const std::optional<Index> needed = header.value_bytes();
  if (!needed || *needed > present) {
    refuse(what, "the npy file is truncated: shape " + shape_text(header.shape) + " of type '" + header.type +
                     "' needs " + (needed ? std::to_string(*needed) : "more than 2^63") + " bytes, " +
                     std::to_string(present) + " are there");
  }
  return *needed / header.bytes_each();
}

}  // namespace disc::io
