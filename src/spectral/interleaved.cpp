#include "spectral/interleaved.hpp"

#include <cstring>

#include "matrix/simd.hpp"

namespace disc::interleaved {
namespace {

typedef double Double4 __attribute__((vector_size(32)));
typedef double Double8 __attribute__((vector_size(64)));
typedef float Float8 __attribute__((vector_size(32)));

inline Double4 load(const double* from) {
  Double4 value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
inline Float8 load(const float* from) {
  Float8 value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
inline void store(double* to, const Double4& value) { std::memcpy(to, &value, sizeof value); }

inline void add(double* to, const Double4& value) { store(to, load(to) + value); }
inline void add(double* to, const Float8& value) {
  for (Index c = 0; c < width; ++c) to[c] += static_cast<double>(value[c]);
}

}  // namespace

// In all of these the sums have names, because gcc keeps an array of them in memory.

DISC_SIMD void add_rows(const double* s, Index stride, Index count, const double* x, double* y) {
  const double* s0 = s;
  const double* s1 = s + stride;
  const double* s2 = s + 2 * stride;
  const double* s3 = s + 3 * stride;
  Double4 a0{}, a1{}, a2{}, a3{}, b0{}, b1{}, b2{}, b3{};
  for (Index j = 0; j < count; ++j) {
    const Double4 a = load(x + j * width);
    const Double4 b = load(x + j * width + 4);
    a0 += s0[j] * a;
    b0 += s0[j] * b;
    a1 += s1[j] * a;
    b1 += s1[j] * b;
    a2 += s2[j] * a;
    b2 += s2[j] * b;
    a3 += s3[j] * a;
    b3 += s3[j] * b;
  }
  add(y, a0);
  add(y + 4, b0);
  add(y + 8, a1);
  add(y + 12, b1);
  add(y + 16, a2);
  add(y + 20, b2);
  add(y + 24, a3);
  add(y + 28, b3);
}

DISC_SIMD void add_rows(const float* s, Index stride, Index count, const float* x, double* y) {
  const float* s0 = s;
  const float* s1 = s + stride;
  const float* s2 = s + 2 * stride;
  const float* s3 = s + 3 * stride;
  Float8 a0{}, a1{}, a2{}, a3{};
  for (Index j = 0; j < count; ++j) {
    const Float8 a = load(x + j * width);
    a0 += s0[j] * a;
    a1 += s1[j] * a;
    a2 += s2[j] * a;
    a3 += s3[j] * a;
  }
  add(y, a0);
  add(y + 8, a1);
  add(y + 16, a2);
  add(y + 24, a3);
}

namespace {

#define DISC_INLINE inline __attribute__((always_inline))

template <class V, class T>
DISC_INLINE void get(const T* from, V& value) {
  std::memcpy(&value, from, sizeof value);
}
template <class V, class T>
DISC_INLINE void put(const V& value, T* to) {
  std::memcpy(to, &value, sizeof value);
}
template <class V>
DISC_INLINE void add_to(const V& value, double* to) {
  for (Index c = 0; c < width; ++c) to[c] += static_cast<double>(value[c]);
}

// V holds eight numbers in one register.
template <class V, class T>
DISC_INLINE void both_ways(const T* s, Index stride, Index rows, Index count, const T* x, const T* own, double* y,
                           T* z) {
  constexpr Index fetched_together = 64 / static_cast<Index>(sizeof(T));
  for (Index r = 0; r < rows; r += rows_at_once) {
    const T* const s0 = s + r * stride;
    const T* const s1 = s0 + stride;
    const T* const s2 = s1 + stride;
    const T* const s3 = s2 + stride;
    V own0, own1, own2, own3, in, out;
    get(own + r * width, own0);
    get(own + (r + 1) * width, own1);
    get(own + (r + 2) * width, own2);
    get(own + (r + 3) * width, own3);
    V sum0{}, sum1{}, sum2{}, sum3{};
    for (Index first = 0; first < count; first += fetched_together) {
      // The rows after these, while these are worked on: the hardware does not guess that the matrix goes on there.
      __builtin_prefetch(s0 + first + rows_at_once * stride);
      __builtin_prefetch(s1 + first + rows_at_once * stride);
      __builtin_prefetch(s2 + first + rows_at_once * stride);
      __builtin_prefetch(s3 + first + rows_at_once * stride);
      for (Index j = first; j < first + fetched_together; ++j) {
        get(x + j * width, in);
        get(z + j * width, out);
        sum0 += s0[j] * in;
        sum1 += s1[j] * in;
        sum2 += s2[j] * in;
        sum3 += s3[j] * in;
        out += s0[j] * own0;
        out += s1[j] * own1;
        out += s2[j] * own2;
        out += s3[j] * own3;
        put(out, z + j * width);
      }
    }
    add_to(sum0, y + r * width);
    add_to(sum1, y + (r + 1) * width);
    add_to(sum2, y + (r + 2) * width);
    add_to(sum3, y + (r + 3) * width);
  }
}

}  // namespace

DISC_SIMD void add_both_ways(const float* s, Index stride, Index rows, Index count, const float* x, const float* own,
                             double* y, float* z) {
  both_ways<Float8>(s, stride, rows, count, x, own, y, z);
}

namespace {

// Eight doubles fill two registers of AVX2, and only two rows have room: left to itself gcc takes such vectors apart.
DISC_SIMD void both_ways_in_halves(const double* s, Index stride, Index rows, Index count, const double* x,
                                   const double* own, double* y, double* z) {
  constexpr Index fetched_together = 64 / static_cast<Index>(sizeof(double));
  for (Index r = 0; r < rows; r += 2) {
    const double* const s0 = s + r * stride;
    const double* const s1 = s0 + stride;
    const double* const mine = own + r * width;
    const Double4 own0 = load(mine), high_own0 = load(mine + 4), own1 = load(mine + 8), high_own1 = load(mine + 12);
    Double4 sum0{}, high_sum0{}, sum1{}, high_sum1{};
    for (Index first = 0; first < count; first += fetched_together) {
      __builtin_prefetch(s0 + first + 2 * stride);
      __builtin_prefetch(s1 + first + 2 * stride);
      for (Index j = first; j < first + fetched_together; ++j) {
        const Double4 in = load(x + j * width);
        const Double4 high_in = load(x + j * width + 4);
        Double4 out = load(z + j * width);
        Double4 high_out = load(z + j * width + 4);
        sum0 += s0[j] * in;
        high_sum0 += s0[j] * high_in;
        sum1 += s1[j] * in;
        high_sum1 += s1[j] * high_in;
        out += s0[j] * own0;
        high_out += s0[j] * high_own0;
        out += s1[j] * own1;
        high_out += s1[j] * high_own1;
        store(z + j * width, out);
        store(z + j * width + 4, high_out);
      }
    }
    add(y + r * width, sum0);
    add(y + r * width + 4, high_sum0);
    add(y + r * width + 8, sum1);
    add(y + r * width + 12, high_sum1);
  }
}

#ifdef DISC_HAS_SIMD
__attribute__((target("arch=x86-64-v4"))) void both_ways_at_once(const double* s, Index stride, Index rows, Index count,
                                                                 const double* x, const double* own, double* y,
                                                                 double* z) {
  both_ways<Double8>(s, stride, rows, count, x, own, y, z);
}
bool has_wide_registers() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
}
#endif

}  // namespace

void add_both_ways(const double* s, Index stride, Index rows, Index count, const double* x, const double* own,
                   double* y, double* z) {
#ifdef DISC_HAS_SIMD
  static const bool is_wide = has_wide_registers();
  if (is_wide) return both_ways_at_once(s, stride, rows, count, x, own, y, z);
#endif
  both_ways_in_halves(s, stride, rows, count, x, own, y, z);
}

DISC_SIMD void subtract_columns(const double* v, Index stride, Index count, const double* h, double* w) {
  const double* v0 = v;
  const double* v1 = v + stride;
  const double* v2 = v + 2 * stride;
  const double* v3 = v + 3 * stride;
  const Double4 h0 = load(h), h1 = load(h + 8), h2 = load(h + 16), h3 = load(h + 24);
  const Double4 k0 = load(h + 4), k1 = load(h + 12), k2 = load(h + 20), k3 = load(h + 28);
  for (Index i = 0; i < count; ++i) {
    Double4 low = load(w + i * width);
    Double4 high = load(w + i * width + 4);
    low -= v0[i] * h0;
    high -= v0[i] * k0;
    low -= v1[i] * h1;
    high -= v1[i] * k1;
    low -= v2[i] * h2;
    high -= v2[i] * k2;
    low -= v3[i] * h3;
    high -= v3[i] * k3;
    store(w + i * width, low);
    store(w + i * width + 4, high);
  }
}

}  // namespace disc::interleaved
