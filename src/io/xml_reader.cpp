#include "io/xml_reader.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "disc/base.hpp"
#include "io/bytes.hpp"

namespace disc::io {
namespace {

constexpr std::string_view blanks = " \t\r\n";

// In UTF-8.
std::string encoded(std::uint32_t code) {
  std::string text;
  if (code < 0x80) return {static_cast<char>(code)};
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::array<unsigned, 4> marks{0, 0xc0, 0xe0, 0xf0};
  text += static_cast<char>(marks[static_cast<std::size_t>(more)] | (code >> (6 * more)));
  for (int k = more - 1; k >= 0; --k) text += static_cast<char>(0x80 | ((code >> (6 * k)) & 0x3f));
  return text;
}

std::string without_prefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
}

}  // namespace

XmlReader::XmlReader(std::string_view text, std::string what) : rest_(text), what_(std::move(what)) {
  if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
}

void XmlReader::refuse(const std::string& why) const {
  throw InputError({.file = what_}, "the XML in it is damaged: " + why);
}

std::string_view XmlReader::up_to(std::string_view end) {
  const std::size_t at = rest_.find(end);
  if (at == std::string_view::npos) refuse("'" + std::string(end) + "' is missing");
  const std::string_view text = rest_.substr(0, at);
  rest_.remove_prefix(at + end.size());
  return text;
}

XmlReader::Piece XmlReader::next() {
  if (std::exchange(ends_at_once_, false)) return Piece::end;
  while (!rest_.empty()) {
    if (rest_.front() != '<') {
      const std::size_t end = std::min(rest_.find('<'), rest_.size());
      content_ = replaced(rest_.substr(0, end));
      rest_.remove_prefix(end);
      return Piece::text;
    }
    if (rest_.starts_with("<!--")) {
      up_to("-->");
    } else if (rest_.starts_with("<?")) {
      up_to("?>");
    } else if (rest_.starts_with("<![CDATA[")) {
      rest_.remove_prefix(9);
      content_ = std::string(up_to("]]>"));
      return Piece::text;
    } else if (rest_.starts_with("<!")) {
      refuse("it declares entities, which are not allowed");
    } else {
      return read_tag();
    }
  }
  return Piece::nothing;
}

XmlReader::Piece XmlReader::read_tag() {
  rest_.remove_prefix(1);
  const bool is_end = rest_.starts_with('/');
  if (is_end) rest_.remove_prefix(1);
  const std::size_t length = rest_.find_first_of(" \t\r\n/>");
  if (length == std::string_view::npos || length == 0) refuse("a tag has no name or no end");
  name_ = without_prefix(rest_.substr(0, length));
  rest_.remove_prefix(length);
  attributes_.clear();
  while (true) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    if (rest_.starts_with('>')) {
      rest_.remove_prefix(1);
      return is_end ? Piece::end : Piece::start;
    }
    if (rest_.starts_with("/>") && !is_end) {
      rest_.remove_prefix(2);
      ends_at_once_ = true;
      return Piece::start;
    }
    if (rest_.empty() || is_end) refuse("a tag is not closed");
    std::string_view name = up_to("=");
    name = name.substr(0, std::min(name.find_last_not_of(blanks) + 1, name.size()));
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    if (rest_.empty() || (rest_.front() != '"' && rest_.front() != '\'')) refuse("an attribute has no quotes");
    const std::string quote(1, rest_.front());
    rest_.remove_prefix(1);
    attributes_[without_prefix(name)] = replaced(up_to(quote));
  }
}

std::string XmlReader::attribute(const std::string& name) const {
  const auto found = attributes_.find(name);
  return found == attributes_.end() ? "" : found->second;
}

std::string XmlReader::replaced(std::string_view text) const {
  static const std::map<std::string_view, char> entities{
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  std::string result;
  while (true) {
    const std::size_t at = std::min(text.find('&'), text.size());
    result += text.substr(0, at);
    if (at == text.size()) return result;
    const std::size_t end = text.find(';', at);
    if (end == std::string_view::npos || end - at > 12) refuse("an entity has no end");
    const std::string_view entity = text.substr(at + 1, end - at - 1);
    text.remove_prefix(end + 1);
    if (const auto known = entities.find(entity); known != entities.end()) {
      result += known->second;
      continue;
    }
    const bool is_hexadecimal = entity.starts_with("#x");
    const std::string_view digits = entity.substr(std::min<std::size_t>(is_hexadecimal ? 2 : 1, entity.size()));
    std::uint32_t code = 0;
    const auto [rest, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hexadecimal ? 16 : 10);
    if (!entity.starts_with('#') || failure != std::errc() || rest != digits.data() + digits.size() ||
        code > 0x10ffff) {
      refuse("'&" + printable(entity) + ";' is not known");
    }
    result += encoded(code);
  }
}

}  // namespace disc::io
