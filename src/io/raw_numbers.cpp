#include "io/raw_numbers.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
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

}  // namespace

std::optional<ValuesInPlace> usable_in_place(const RawType& type, const char* from) {
  const bool other_order = type.size > 1 && type.big_endian != native_is_big;
  if (other_order || reinterpret_cast<std::uintptr_t>(from) % static_cast<std::uintptr_t>(type.size) != 0) return {};
  if (type.kind == 'f' && type.size == 8) return reinterpret_cast<const double*>(from);
  if (type.kind == 'f' && type.size == 4) return reinterpret_cast<const float*>(from);
  if (type.kind == 'i' && type.size == 2) return reinterpret_cast<const std::int16_t*>(from);
  if (type.kind == 'u' && type.size == 2) return reinterpret_cast<const std::uint16_t*>(from);
  if (type.kind == 'u' && type.size == 1) return reinterpret_cast<const std::uint8_t*>(from);
  return {};
}

KeptNumbers keep_numbers(const RawType& type, const char* from, Index count, const std::shared_ptr<const void>& owner,
                         const Context& context) {
  if (const auto in_place = usable_in_place(type, from); in_place && owner) return {*in_place, owner};
  const auto values = std::make_shared_for_overwrite<double[]>(static_cast<std::size_t>(count));
  convert_numbers(type, from, count, values.get(), context);
  return {values.get(), values};
}

void convert_numbers(const RawType& type, const char* from, Index count, double* to, const Context& context) {
  const bool swap = type.big_endian != native_is_big;
  const auto run = [&]<double (*convert)(const char*, bool)>() {
    convert_all<convert>(from, type.size, swap, count, to, context);
  };
  switch (type.kind) {
    case 'b':
      return run.template operator()<convert_bool>();
    case 'f':
      if (type.size == 8) return run.template operator()<convert_one<double>>();
      if (type.size == 4) return run.template operator()<convert_one<float>>();
      return run.template operator()<convert_half>();
    case 'i':
      if (type.size == 8) return run.template operator()<convert_one<std::int64_t>>();
      if (type.size == 4) return run.template operator()<convert_one<std::int32_t>>();
      if (type.size == 2) return run.template operator()<convert_one<std::int16_t>>();
      return run.template operator()<convert_one<std::int8_t>>();
    default:
      if (type.size == 8) return run.template operator()<convert_one<std::uint64_t>>();
      if (type.size == 4) return run.template operator()<convert_one<std::uint32_t>>();
      if (type.size == 2) return run.template operator()<convert_one<std::uint16_t>>();
      return run.template operator()<convert_one<std::uint8_t>>();
  }
}

std::uint32_t read_unsigned(const char* from, bool big_endian) {
  std::uint32_t value = 0;
  for (int k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(from[big_endian ? k : 3 - k]);
  return value;
}

}  // namespace disc::io
