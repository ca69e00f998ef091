// Changes as damaged and hostile files have them: of bits, lengths, numbers in text, of what is there and what is missing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace disc::fuzz {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  /// One of the files with one to four changes.
  std::string from(const std::vector<std::string>& files) {
    std::string bytes = files[below(files.size())];
    for (std::size_t left = 1 + below(4); left > 0; --left) change(bytes, files[below(files.size())]);
    return bytes;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : static_cast<std::size_t>(random_() % end); }

  void change(std::string& bytes, const std::string& other) {
    const std::size_t place = below(bytes.size());
    switch (below(8)) {
      case 0:
        if (!bytes.empty()) bytes[place] = static_cast<char>(bytes[place] ^ (1 << below(8)));
        return;
      case 1:
        if (!bytes.empty()) bytes[place] = "\0\1\x7f\x80\xff \n\",-"[below(10)];
        return;
      case 2:
        return set_number(bytes, place);
      case 3:
        return bytes.resize(place);
      case 4:
        return void(bytes.erase(place, 1 + below(16)));
      case 5:
        return void(bytes.insert(place, bytes.substr(below(bytes.size()), 1 + below(64))));
      case 6:
        return void(bytes.insert(place, words[below(words.size())]));
      default:
        bytes.replace(place, std::string::npos, other.substr(std::min(place, other.size())));
    }
  }

  // A whole number of 1, 2, 4 or 8 bytes, at any place, in either order.
  void set_number(std::string& bytes, std::size_t place) {
    const std::size_t width = std::size_t{1} << below(4);
    if (bytes.size() < width) return;
    place = std::min(place, bytes.size() - width);
    const std::array<std::uint64_t, 12> values{0,      1,       0x7f,       0x80,       0xff,       0x7fff,
                                               0xffff, 1 << 20, 0x7fffffff, 0xffffffff, 1ULL << 62, ~0ULL};
    const std::uint64_t value = below(4) == 0 ? bytes.size() + below(3) - 1 : values[below(values.size())];
    const bool big_endian = below(2) == 0;
    for (std::size_t k = 0; k < width; ++k) {
      bytes[place + (big_endian ? width - 1 - k : k)] = static_cast<char>(value >> (8 * k));
    }
  }

  static inline const std::array<std::string, 10> words{
      "99999999999999999999", "-1", "nan", "1e999", "1e-320", "\xff\xfe", "\r\n", "\t", "0x10", "%%"};
  std::mt19937_64 random_;
};

}  // namespace disc::fuzz
