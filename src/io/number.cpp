#include "io/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

namespace disc::io {
namespace {

bool is_digit(char letter) { return static_cast<unsigned char>(letter - '0') < 10; }

bool equal_in_any_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

// The library leaves the value alone when it does not fit: 1e400 is infinite, 1e-400 is zero.
double beyond_range(std::string_view text) {
  const bool negative = text.front() == '-';
  const std::size_t exponent = text.find_first_of("eE");
  bool tiny = exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-');
  if (exponent == std::string_view::npos) {
    // No exponent: tiny if no digit other than zero stands before the point.
    tiny = text.substr(0, text.find('.')).find_first_of("123456789") == std::string_view::npos;
  }
  const double size = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  return negative ? -size : size;
}

constexpr std::array<double, 23> powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Most cells are short decimals: an integer below 2^53 divided by an exact power of ten is rounded once, hence right.
// Leaves everything else (nullptr) to the library.
const char* read_short_decimal(const char* first, const char* last, double& value) {
  const char* at = first;
  const bool negative = at != last && *at == '-';
  if (negative) ++at;
  std::uint64_t digits = 0;
  const char* begin = at;
  while (at != last && is_digit(*at)) digits = digits * 10 + static_cast<std::uint64_t>(*at++ - '0');
  std::ptrdiff_t count = at - begin;
  std::ptrdiff_t decimals = 0;
  if (at != last && *at == '.') {
    const char* point = ++at;
    while (at != last && is_digit(*at)) digits = digits * 10 + static_cast<std::uint64_t>(*at++ - '0');
    decimals = at - point;
    count += decimals;
  }
  // 19 digits cannot overflow; more may have wrapped around.
  if (count == 0 || count > 19 || digits > (std::uint64_t{1} << 53)) return nullptr;
  if (at != last && (*at == 'e' || *at == 'E')) return nullptr;
  const double size = static_cast<double>(digits) / powers_of_ten[static_cast<std::size_t>(decimals)];
  value = negative ? -size : size;
  return at;
}

}  // namespace

const char* read_number(const char* first, const char* last, double& value) {
  if (first != last && *first == '+') {
    ++first;
    if (first == last || *first == '-' || *first == '+') return nullptr;
  }
  if (const char* end = read_short_decimal(first, last, value)) return end;
  const auto [end, error] = std::from_chars(first, last, value);
  if (error == std::errc::result_out_of_range) {
    value = beyond_range({first, static_cast<std::size_t>(end - first)});
  } else if (error != std::errc()) {
    return nullptr;
  }
  return end;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool is_missing(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() > 4) return false;
  constexpr std::array<std::string_view, 5> words{"", "na", "n/a", "null", "none"};
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return equal_in_any_case(cell, word); });
}

bool read_cell_number(std::string_view cell, double& value) {
  cell = trimmed(cell);
  if (is_missing(cell)) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  return read_number(cell.data(), cell.data() + cell.size(), value) == cell.data() + cell.size();
}

}  // namespace disc::io
