// The .npy format: a header written as a Python literal, then the bytes of an array.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "disc/base.hpp"
#include "io/format.hpp"
#include "io/variables.hpp"

namespace disc::io {

struct NpyHeader {
  std::string type;     ///< as numpy writes it: "<f8"
  char kind = 'f';      ///< f, i, u, b: numbers; U, S: text; O: pickled objects; and others
  Index item_size = 0;  ///< bytes per value (characters for U)
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<Index> shape;
  std::size_t data_begin = 0;  ///< where the values begin

  bool is_number() const { return kind == 'f' || kind == 'i' || kind == 'u' || kind == 'b'; }
  bool is_text() const { return kind == 'U' || kind == 'S'; }
  Index bytes_each() const { return std::max<Index>(item_size * (kind == 'U' ? 4 : 1), 1); }
  /// How many bytes the values take; empty where that is more than can be counted.
  std::optional<Index> value_bytes() const;
};

/// `what` stands for the array in messages: the file, or the file and the array's name.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& what);

/// The number of values; throws InputError if `bytes` hold fewer. Nothing is ever allocated on the header's word alone.
Index count_values(const NpyHeader& header, std::string_view bytes, const std::string& what);

/// An array of numbers; points into `bytes` where they have an owner and the numbers are usable as they are.
NumberArray npy_array(const Bytes& bytes, const std::string& what, const Context& context);
/// The numbers of an array of any shape, in the order of the file.
std::vector<double> npy_numbers(std::string_view bytes, const std::string& what, const Context& context);
/// The texts of an array of any shape, numbers written out.
std::vector<std::string> npy_texts(std::string_view bytes, const std::string& what, const Context& context);

}  // namespace disc::io
