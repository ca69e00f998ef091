// Numbers as binary files hold them: any size and byte order, turned into doubles.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "disc/matrix.hpp"

namespace disc::io {

struct RawType {
  char kind = 'f';  ///< f, i, u, b: float, integer, unsigned integer, bool
  Index size = 8;   ///< bytes: 2, 4 or 8 for floats; 1, 2, 4 or 8 for integers; 1 for bool
  bool big_endian = false;
};

/// The numbers where they are, if the machine can use them there: in its own byte order and aligned, of one of the usual types.
std::optional<ValuesInPlace> usable_in_place(const RawType& type, const char* from);

/// Numbers and what keeps them.
struct KeptNumbers {
  ValuesInPlace values;
  std::shared_ptr<const void> owner;
};

/// `count` numbers: where they are, if `owner` keeps them and they are usable there, else converted.
KeptNumbers keep_numbers(const RawType& type, const char* from, Index count, const std::shared_ptr<const void>& owner,
                         const Context& context);

/// `from` must hold count * type.size bytes.
void convert_numbers(const RawType& type, const char* from, Index count, double* to, const Context& context);

/// A whole number of four bytes.
std::uint32_t read_unsigned(const char* from, bool big_endian);

}  // namespace disc::io
