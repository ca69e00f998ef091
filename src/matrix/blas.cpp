#include "matrix/blas.hpp"

#include <cblas.h>

#include <mutex>

// What OpenBLAS itself calls at every fork(); it starts its threads again when somebody asks for them. Its serial build has
// no such function.
extern "C" __attribute__((weak)) int blas_thread_shutdown_();

namespace disc {
namespace {

blasint to_blas(Index value) { return static_cast<blasint>(value); }
CBLAS_TRANSPOSE to_blas(Op op) { return op == Op::plain ? CblasNoTrans : CblasTrans; }

}  // namespace

void use_serial_blas() {
  static std::once_flag done;
  std::call_once(done, [] {
    openblas_set_num_threads(1);
    // Its threads would not sleep yet: they look for work for some 25 ms after they start, and slow down ours meanwhile.
    if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
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
