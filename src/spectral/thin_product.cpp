#include "spectral/thin_product.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "spectral/interleaved.hpp"
#include "spectral/sparse_product.hpp"

namespace disc {
namespace {

using interleaved::rows_at_once;
using interleaved::width;

template <class T>
using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

// Eight columns of x, padded with zeros, in the number type of S.
template <class T>
std::vector<T> interleave(const Block& x, Index first) {
  const Index count = std::min(width, x.cols() - first);
  std::vector<T> packed(static_cast<std::size_t>(x.rows() * width), T{0});
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index c = 0; c < count; ++c) packed[static_cast<std::size_t>(i * width + c)] = static_cast<T>(x(i, first + c));
  }
  return packed;
}

// Rows of S are taken in strips. A number left of the strip's own square also stands above it, mirrored: it is read once and
// used for both places. What the mirrored numbers give goes to a sheet of the strip's own, and the sheets are added in the order of the
// strips, so that the sums do not depend on the threads.
constexpr Index strip = 128;  // rows; a sheet is 1/16 of what its strip has read, or 1/8 in single precision
// Columns that are done before the next rows, 1 KiB of each row: their part of x and of the sheet stays next to the processor.
template <class T>
constexpr Index columns_per_run = 1024 / static_cast<Index>(sizeof(T));

Index strips_of(Index rows) { return (rows + strip - 1) / strip; }

// Where the sheet of a strip begins, when those of the strips before lie one after the other.
Index sheet_start(Index number) { return number * (number - 1) / 2 * strip * width; }

// y += S x for rows first .. last - 1 and the square of columns first .. last - 1.
template <class T>
void add_own_square(const Square<T>& s, const T* x, Index first, Index last, double* y) {
  const Index p = s.rows();
  const T* const corner = s.data() + first * p + first;
  Index i = 0;
  for (; i + rows_at_once <= last - first; i += rows_at_once) {
    interleaved::add_rows(corner + i * p, p, last - first, x + first * width, y + i * width);
  }
  for (; i < last - first; ++i) {  // the last few rows one by one: with stride 0 all four rows are the same
    double same[rows_at_once * width] = {};
    interleaved::add_rows(corner + i * p, 0, last - first, x + first * width, same);
    for (Index c = 0; c < width; ++c) y[i * width + c] += same[c];
  }
}

// One row of a run, for the last few of the matrix.
template <class T>
void add_one_row(const T* s, Index count, const T* x, const T* own, double* y, T* z) {
  for (Index j = 0; j < count; ++j) {
    for (Index c = 0; c < width; ++c) {
      y[c] += static_cast<double>(s[j] * x[j * width + c]);
      z[j * width + c] += s[j] * own[c];
    }
  }
}

// The rows of one strip, as far as the numbers left of its square and in it go; and its sheet.
template <class T>
void multiply_strip(const Square<T>& s, const T* x, Index first, Index last, double* y, T* sheet) {
  const Index p = s.rows();
  const Index full = (last - first) / rows_at_once * rows_at_once;
  std::fill_n(y, (last - first) * width, 0.0);
  // By symmetry a row of S is a column, contiguous in memory.
  for (Index j = 0; j < first; j += columns_per_run<T>) {
    const Index count = std::min(columns_per_run<T>, first - j);
    const T* const run = s.data() + first * p + j;
    std::fill_n(sheet + j * width, count * width, T{0});
    interleaved::add_both_ways(run, p, full, count, x + j * width, x + first * width, y, sheet + j * width);
    for (Index i = full; i < last - first; ++i) {
      add_one_row(run + i * p, count, x + j * width, x + (first + i) * width, y + i * width, sheet + j * width);
    }
  }
  add_own_square(s, x, first, last, y);
}

// y(:, group ...) from the rows of the strips and the sheets of all strips below.
template <class T>
void add_sheets(const T* sheets, const double* rows, Index group, Block& y, const Context& context) {
  const Index p = y.rows();
  const Index columns = std::min(width, y.cols() - group);
  context.parallel_for(strips_of(p), [&](Index item) {
    double sum[strip * width];
    const Index first = item * strip;
    const Index last = std::min(p, first + strip);
    std::copy_n(rows + first * width, (last - first) * width, sum);
    for (Index below = item + 1; below < strips_of(p); ++below) {
      const T* const sheet = sheets + sheet_start(below) + first * width;
      for (Index k = 0; k < (last - first) * width; ++k) sum[k] += static_cast<double>(sheet[k]);
    }
    for (Index i = first; i < last; ++i) {
      for (Index c = 0; c < columns; ++c) y(i, group + c) = sum[(i - first) * width + c];
    }
  });
}

template <class T>
void product(const Square<T>& s, const Block& x, Block& y, const Context& context) {
  const Index p = s.rows();
  const Index strips = strips_of(p);
  const auto sheets = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(sheet_start(strips)));
  const auto rows = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(p * width));
  for (Index group = 0; group < x.cols(); group += width) {
    const std::vector<T> packed = interleave<T>(x, group);
    context.parallel_for(strips, [&](Index item) {
      const Index number = strips - 1 - item;  // those with most work first
      const Index first = number * strip;
      multiply_strip(s, packed.data(), first, std::min(p, first + strip), rows.get() + first * width,
                     sheets.get() + sheet_start(number));
    });
    add_sheets(sheets.get(), rows.get(), group, y, context);
  }
}

// A sparse S is small enough to stay near the processor: one row after the other, all columns of x at once.
void product(const SparseMatrix& s, const Block& x, Block& y, const Context& context) {
  constexpr Index rows_per_item = 64;
  const Index p = s.rows();
  const Index columns = x.cols();
  context.parallel_for((p + rows_per_item - 1) / rows_per_item, [&](Index item) {
    const Index last = std::min(p, (item + 1) * rows_per_item);
    for (Index i = item * rows_per_item; i < last; ++i) {
      const Index start = s.outerIndexPtr()[i];
      sparse_row_product(s.valuePtr() + start, s.innerIndexPtr() + start, s.outerIndexPtr()[i + 1] - start, x.data(),
                         columns, y.data() + i * columns);
    }
  });
}

}  // namespace

void thin_product(const SymmetricMatrix& s, const Block& x, Block& y, const Context& context) {
  y.resize(x.rows(), x.cols());
  s.visit([&](const auto& values) { product(values, x, y, context); });
}

}  // namespace disc
