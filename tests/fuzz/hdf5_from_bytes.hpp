// HDF5 files with the right names and anything at all in them. Random changes of a file's bytes hardly ever get past the HDF5
// library to the readers, so the input says what the objects are instead.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "support/hdf5_writer.hpp"

namespace disc::fuzz {

class ByteFeed {
 public:
  ByteFeed(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  unsigned next() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  std::vector<double> numbers() {
    std::vector<double> values(next() % 12);
    for (double& value : values) {
      value = static_cast<std::int8_t>(next());
      if (value == -128) value = 9e18;  // does not fit anywhere
    }
    return values;
  }
  std::vector<std::string> texts(std::size_t most) {
    constexpr std::array<const char*, 8> words{"",  "a",     "csr_matrix", "csc", "kind", "long text of many letters",
                                               "ä", "_index"};
    std::vector<std::string> values(next() % most);
    for (std::string& value : values) value = words[next() % words.size()];
    return values;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

inline void add_object(test::Hdf5Writer& file, const std::string& path, ByteFeed& feed) {
  const std::array<hid_t, 5> types{H5T_STD_I32LE, H5T_STD_I64LE, H5T_IEEE_F32LE, H5T_STD_U8BE, H5T_STD_I8LE};
  switch (feed.next() % 9) {
    case 0:
      return;
    case 1:
      return file.group(path);
    case 2: {
      const hid_t type = types[feed.next() % types.size()];
      return file.integers(path, feed.numbers(), type);
    }
    case 3: {
      const Index rows = feed.next() % 5, cols = feed.next() % 5;
      std::vector<double> values = feed.numbers();
      values.resize(static_cast<std::size_t>(rows * cols), 1);
      return file.numbers(path, {rows, cols}, values, types[feed.next() % types.size()], rows * cols > 8);
    }
    case 4: {
      const bool variable = feed.next() % 2 == 0;
      return file.texts(path, feed.texts(6), variable);
    }
    case 5:
      return file.claim(path, {static_cast<Index>(feed.next()) << 40, 1 + static_cast<Index>(feed.next())});
    case 6:
      return file.soft_link(path, feed.next() % 2 == 0 ? "/" : path);
    case 7:
      return file.external_link(path, "elsewhere.h5");
    default:
      return file.hard_link(path, "/");
  }
}

// The HDF5 library keeps a table of half a megabyte and more per open file, and gives it back to the system when the file is closed, which takes
// longer than all that is tested here. Told to keep what it allocated, a target runs three times as many inputs per second.
inline void keep_memory_of_hdf5() {
  static const bool kept = H5set_free_list_limits(-1, -1, -1, -1, -1, -1) >= 0;
  (void)kept;
}

/// An HDF5 file with these objects and attributes ("object@name"), each of a kind and content that the feed decides.
inline std::string hdf5_from(ByteFeed feed, const std::vector<std::string>& names) {
  keep_memory_of_hdf5();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // much of this cannot be written, which is no matter
  test::Hdf5Writer file;
  for (const std::string& name : names) {
    const std::size_t at = name.find('@');
    if (at == std::string::npos) {
      add_object(file, name, feed);
    } else if (feed.next() % 2 == 0) {
      std::vector<long long> values;
      for (const double value : feed.numbers()) values.push_back(static_cast<long long>(value));
      file.attribute(name.substr(0, at), name.substr(at + 1), values);
    } else {
      const std::vector<std::string> words = feed.texts(2);
      file.attribute(name.substr(0, at), name.substr(at + 1), words.empty() ? "" : words.front());
    }
  }
  return file.image();
}

}  // namespace disc::fuzz
