// Numbers as binary files hold them: any size and byte order, turned into doubles.
#pragma once

#include <cstdint>

#include "disc/base.hpp"

namespace disc::io {

struct RawType {
  char kind = 'f';  ///< f, i, u, b: float, integer, unsigned integer, bool
  Index size = 8;   ///< bytes: 2, 4 or 8 for floats; 1, 2, 4 or 8 for integers; 1 for bool
  bool big_endian = false;
};

/// Whether the bytes are doubles of this machine already.
bool is_native_double(const RawType& type);

/// `from` must hold count * type.size bytes.
void convert_numbers(const RawType& type, const char* from, Index count, double* to, const Context& context);

/// A whole number of four bytes.
std::uint32_t read_unsigned(const char* from, bool big_endian);

}  // namespace disc::io
