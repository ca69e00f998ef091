#include "spectral/thin_product.hpp"

#include <algorithm>
#include <vector>

#include "spectral/interleaved.hpp"
#include "spectral/sparse_product.hpp"

namespace disc {
namespace {

using interleaved::rows_at_once;
using interleaved::width;

constexpr Index rows_per_item = 64;
constexpr Index columns_per_run =
    2048;  // their part of x stays in the cache; single precision is summed in double after a run

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

// Rows first .. last - 1 of y. By symmetry a row of S is a column, contiguous in memory.
template <class T>
void some_rows(const Square<T>& s, const T* x, Index first, Index last, double* y) {
  const Index p = s.rows();
  std::fill_n(y, (last - first) * width, 0.0);
  for (Index j = 0; j < p; j += columns_per_run) {
    const Index count = std::min(columns_per_run, p - j);
    Index i = first;
    for (; i + rows_at_once <= last; i += rows_at_once) {
      interleaved::add_rows(s.data() + i * p + j, p, count, x + j * width, y + (i - first) * width);
    }
    for (; i < last; ++i) {  // the last few rows one by one: with stride 0 all four rows are the same
      double same[rows_at_once * width] = {};
      interleaved::add_rows(s.data() + i * p + j, 0, count, x + j * width, same);
      for (Index c = 0; c < width; ++c) y[(i - first) * width + c] += same[c];
    }
  }
}

template <class T>
void product(const Square<T>& s, const Block& x, Block& y, const Context& context) {
  const Index p = s.rows();
  for (Index group = 0; group < x.cols(); group += width) {
    const std::vector<T> packed = interleave<T>(x, group);
    const Index columns = std::min(width, x.cols() - group);
    context.parallel_for((p + rows_per_item - 1) / rows_per_item, [&](Index item) {
      double rows[rows_per_item * width];
      const Index first = item * rows_per_item;
      const Index last = std::min(p, first + rows_per_item);
      some_rows(s, packed.data(), first, last, rows);
      for (Index i = first; i < last; ++i) {
        for (Index c = 0; c < columns; ++c) y(i, group + c) = rows[(i - first) * width + c];
      }
    });
  }
}

// A sparse S is small enough to stay near the processor: one row after the other, all columns of x at once.
void product(const SparseMatrix& s, const Block& x, Block& y, const Context& context) {
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
