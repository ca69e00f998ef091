#include "spectral/tall_skinny.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "matrix/blas.hpp"
#include "spectral/interleaved.hpp"

namespace disc {
namespace {

constexpr Index rows_per_piece = 1024;

Index pieces(Index rows) { return (rows + rows_per_piece - 1) / rows_per_piece; }

struct Piece {
  Index first, rows;
  Piece(Index item, Index total) : first(item * rows_per_piece), rows(std::min(rows_per_piece, total - first)) {}
};

// A row-major block is the transpose of a column-major tile: columns x rows.
Tile<const double> tile_of_rows(const Block& block, const Piece& piece) {
  return {block.data() + piece.first * block.cols(), block.cols(), piece.rows, block.cols()};
}
Tile<double> tile_of_rows(Block& block, const Piece& piece) {
  return {block.data() + piece.first * block.cols(), block.cols(), piece.rows, block.cols()};
}
Tile<const double> tile_of_rows(const Matrix& basis, Index count, const Piece& piece) {
  return {basis.data() + piece.first, piece.rows, count, basis.rows()};
}

// basis' * block on one piece, for eight columns: the basis is read once and never packed.
void project_piece(const Matrix& basis, Index count, const Block& block, const Piece& piece, Matrix& result) {
  using interleaved::rows_at_once;
  using interleaved::width;
  const double* x = block.data() + piece.first * width;
  for (Index c = 0; c < count; c += rows_at_once) {
    const Index columns = std::min(rows_at_once, count - c);
    double sums[rows_at_once * width] = {};
    // With stride 0 the last few columns are done one by one.
    for (Index single = 0; single < (columns < rows_at_once ? columns : 1); ++single) {
      std::fill(std::begin(sums), std::end(sums), 0.0);
      interleaved::add_rows(basis.data() + piece.first + (c + single) * basis.rows(),
                            columns < rows_at_once ? 0 : basis.rows(), piece.rows, x, sums);
      for (Index r = 0; r < (columns < rows_at_once ? 1 : rows_at_once); ++r) {
        for (Index k = 0; k < width; ++k) result(c + single + r, k) = sums[r * width + k];
      }
    }
  }
}

// block -= basis * coefficients on one piece, for eight columns.
void subtract_piece(const Matrix& basis, Index count, const Matrix& coefficients, Block& block, const Piece& piece) {
  using interleaved::rows_at_once;
  using interleaved::width;
  double* w = block.data() + piece.first * width;
  for (Index c = 0; c < count; c += rows_at_once) {
    const Index columns = std::min(rows_at_once, count - c);
    double h[rows_at_once * width] = {};
    for (Index r = 0; r < columns; ++r) {
      for (Index k = 0; k < width; ++k) h[r * width + k] = coefficients(c + r, k);
    }
    if (columns == rows_at_once) {
      interleaved::subtract_columns(basis.data() + piece.first + c * basis.rows(), basis.rows(), piece.rows, h, w);
      continue;
    }
    for (Index r = 0; r < columns; ++r) {  // stride 0 repeats the column; the other three factors are zero
      double one[rows_at_once * width] = {};
      std::copy_n(h + r * width, width, one);
      interleaved::subtract_columns(basis.data() + piece.first + (c + r) * basis.rows(), 0, piece.rows, one, w);
    }
  }
}

// Sum over pieces of f(piece), in the order of the pieces.
template <class F>
Matrix sum_over_pieces(Index rows, Index result_rows, Index result_cols, const Context& context, F&& term) {
  std::vector<Matrix> terms(static_cast<std::size_t>(pieces(rows)));
  context.parallel_for(pieces(rows), [&](Index item) {
    Matrix& result = terms[static_cast<std::size_t>(item)];
    result.resize(result_rows, result_cols);
    term(Piece(item, rows), result);
  });
  Matrix sum = Matrix::Zero(result_rows, result_cols);
  for (const Matrix& result : terms) sum += result;
  return sum;
}

}  // namespace

Matrix project(const Matrix& basis, Index count, const Block& block, const Context& context) {
  if (count == 0) return Matrix(0, block.cols());
  return sum_over_pieces(block.rows(), count, block.cols(), context, [&](const Piece& piece, Matrix& result) {
    if (block.cols() == interleaved::width) return project_piece(basis, count, block, piece, result);
    multiply(Op::transposed, Op::transposed, 1.0, tile_of_rows(basis, count, piece), tile_of_rows(block, piece), 0.0,
             tile_of(result));
  });
}

void subtract(const Matrix& basis, Index count, const Matrix& coefficients, Block& block, const Context& context) {
  if (count == 0) return;
  context.parallel_for(pieces(block.rows()), [&](Index item) {
    const Piece piece(item, block.rows());
    if (block.cols() == interleaved::width) return subtract_piece(basis, count, coefficients, block, piece);
    multiply(Op::transposed, Op::transposed, -1.0, tile_of(coefficients), tile_of_rows(basis, count, piece), 1.0,
             tile_of_rows(block, piece));
  });
}

Matrix combine(const Matrix& basis, Index count, const Matrix& coefficients, const Context& context) {
  Matrix result(basis.rows(), coefficients.cols());
  context.parallel_for(pieces(basis.rows()), [&](Index item) {
    const Piece piece(item, basis.rows());
    multiply(Op::plain, Op::plain, 1.0, tile_of_rows(basis, count, piece), tile_of(coefficients), 0.0,
             {result.data() + piece.first, piece.rows, result.cols(), result.rows()});
  });
  return result;
}

Matrix gram(const Block& block, const Context& context) {
  return sum_over_pieces(block.rows(), block.cols(), block.cols(), context, [&](const Piece& piece, Matrix& result) {
    multiply(Op::plain, Op::transposed, 1.0, tile_of_rows(block, piece), tile_of_rows(block, piece), 0.0,
             tile_of(result));
  });
}

void transform(Block& block, const Matrix& coefficients, const Context& context) {
  Block result(block.rows(), coefficients.cols());
  context.parallel_for(pieces(block.rows()), [&](Index item) {
    const Piece piece(item, block.rows());
    multiply(Op::transposed, Op::plain, 1.0, tile_of(coefficients), tile_of_rows(std::as_const(block), piece), 0.0,
             tile_of_rows(result, piece));
  });
  block.swap(result);
}

void scale_rows(const Vector& scale, Block& block) { block.array().colwise() *= scale.array(); }

}  // namespace disc
