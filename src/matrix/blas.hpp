// The few BLAS calls the engine makes. The engine does the threading itself, over tiles that do not depend on the number of
// threads: that is what makes results the same bits for any number of them. BLAS is asked to stay serial.
#pragma once

#include "disc/matrix.hpp"

namespace disc {

/// Asks OpenBLAS to run on the calling thread only, with kernels that suit the processor. Cheap; every verb that calls BLAS or
/// LAPACK says it first; a distributed job says it when it starts.
void prepare_blas();

/// A rectangle in a column-major matrix; a row-major matrix is the transpose of one.
template <class T>
struct Tile {
  T* data;
  Index rows, cols, stride;
};

template <class T>
Tile<T> tile_of(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& m) {
  return {m.data(), m.rows(), m.cols(), m.rows()};
}
template <class T>
Tile<const T> tile_of(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& m) {
  return {m.data(), m.rows(), m.cols(), m.rows()};
}

enum class Op { plain, transposed };

/// c = alpha op(a) op(b) + beta c
void multiply(Op a_op, Op b_op, double alpha, Tile<const double> a, Tile<const double> b, double beta, Tile<double> c);
void multiply(Op a_op, Op b_op, float alpha, Tile<const float> a, Tile<const float> b, float beta, Tile<float> c);

/// Lower triangle of c = a a' + beta c
void multiply_self(Tile<const double> a, double beta, Tile<double> c);
void multiply_self(Tile<const float> a, float beta, Tile<float> c);

}  // namespace disc
