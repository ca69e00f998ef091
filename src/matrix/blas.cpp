#include "matrix/blas.hpp"

#include <cblas.h>

#include <cstdlib>
#include <mutex>
#include <string_view>

// OpenBLAS built for many processors exports these two without declaring them; other builds have neither.
extern "C" {
__attribute__((weak)) void gotoblas_dynamic_init();
__attribute__((weak)) void gotoblas_dynamic_quit();
}

namespace disc {
namespace {

blasint to_blas(Index value) { return static_cast<blasint>(value); }
CBLAS_TRANSPOSE to_blas(Op op) { return op == Op::plain ? CblasNoTrans : CblasTrans; }

#if defined(__x86_64__)
// OpenBLAS chooses its kernels by the model number of the processor. One that is younger than the library gets those of 2004,
// named Prescott, which are five times slower than what it could run. The name of better ones, or nothing.
const char* better_kernels() {
  const bool is_unknown = std::string_view(openblas_get_corename()) == "Prescott";
  if (!is_unknown || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl");
  return has_avx512 ? "SKYLAKEX" : "HASWELL";
}
#else
const char* better_kernels() { return nullptr; }
#endif

// Whoever names the kernels in OpenBLAS's own variable keeps them.
void choose_kernels() {
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  if (!gotoblas_dynamic_init || !gotoblas_dynamic_quit || std::getenv(variable)) return;
  const char* kernels = better_kernels();
  if (!kernels) return;
  setenv(variable, kernels, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(variable);
}

}  // namespace

void prepare_blas() {
  static std::once_flag done;
  std::call_once(done, [] {
    choose_kernels();
    openblas_set_num_threads(1);
  });
}

void multiply(Op a_op, Op b_op, double alpha, Tile<const double> a, Tile<const double> b, double beta, Tile<double> c) {
  const Index inner = a_op == Op::plain ? a.cols : a.rows;
  cblas_dgemm(CblasColMajor, to_blas(a_op), to_blas(b_op), to_blas(c.rows), to_blas(c.cols), to_blas(inner), alpha,
              a.data, to_blas(a.stride), b.data, to_blas(b.stride), beta, c.data, to_blas(c.stride));
}

void multiply(Op a_op, Op b_op, float alpha, Tile<const float> a, Tile<const float> b, float beta, Tile<float> c) {
  const Index inner = a_op == Op::plain ? a.cols : a.rows;
  cblas_sgemm(CblasColMajor, to_blas(a_op), to_blas(b_op), to_blas(c.rows), to_blas(c.cols), to_blas(inner), alpha,
              a.data, to_blas(a.stride), b.data, to_blas(b.stride), beta, c.data, to_blas(c.stride));
}

void multiply_self(Tile<const double> a, double beta, Tile<double> c) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, to_blas(c.rows), to_blas(a.cols), 1.0, a.data, to_blas(a.stride),
              beta, c.data, to_blas(c.stride));
}

void multiply_self(Tile<const float> a, float beta, Tile<float> c) {
  cblas_ssyrk(CblasColMajor, CblasLower, CblasNoTrans, to_blas(c.rows), to_blas(a.cols), 1.0F, a.data,
              to_blas(a.stride), beta, c.data, to_blas(c.stride));
}

}  // namespace disc
