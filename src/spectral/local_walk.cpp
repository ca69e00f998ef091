#include "spectral/local_walk.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "matrix/simd.hpp"

namespace disc {
namespace {

constexpr Index rows_at_once = 1024;
constexpr Index lanes = 8;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

typedef double Double4 __attribute__((vector_size(32)));
typedef float Float8 __attribute__((vector_size(32)));

template <class V, class T>
inline __attribute__((always_inline)) V load(const T* from) {
  V value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class V, class T>
inline __attribute__((always_inline)) void store(T* to, const V& value) {
  std::memcpy(to, &value, sizeof value);
}

// One row of the walk times columns of x that fill four registers. The sums have names, because gcc keeps an array of them in
// memory.
template <class V, class T>
inline __attribute__((always_inline)) void four_registers(const T* values, const std::int32_t* columns, Index count,
                                                          const T* x, Index stride, T* out) {
  constexpr Index width = sizeof(V) / sizeof(T);
  V a{}, b{}, c{}, d{};
  for (Index k = 0; k < count; ++k) {
    const T* const in = x + columns[k] * stride;
    a += values[k] * load<V>(in);
    b += values[k] * load<V>(in + width);
    c += values[k] * load<V>(in + 2 * width);
    d += values[k] * load<V>(in + 3 * width);
  }
  store(out, a);
  store(out + width, b);
  store(out + 2 * width, c);
  store(out + 3 * width, d);
}

template <class V, class T>
inline __attribute__((always_inline)) void one_register(const T* values, const std::int32_t* columns, Index count,
                                                        const T* x, Index stride, T* out) {
  V sum{};
  for (Index k = 0; k < count; ++k) sum += values[k] * load<V>(x + columns[k] * stride);
  store(out, sum);
}

DISC_SIMD void row_product(const float* values, const std::int32_t* columns, Index count, const float* x, Index width,
                           float* out) {
  Index c = 0;
  for (; c + 32 <= width; c += 32) four_registers<Float8>(values, columns, count, x + c, width, out + c);
  for (; c < width; c += 8) one_register<Float8>(values, columns, count, x + c, width, out + c);
}
DISC_SIMD void row_product(const double* values, const std::int32_t* columns, Index count, const double* x, Index width,
                           double* out) {
  Index c = 0;
  for (; c + 16 <= width; c += 16) four_registers<Double4>(values, columns, count, x + c, width, out + c);
  for (; c < width; c += 4) one_register<Double4>(values, columns, count, x + c, width, out + c);
}

// Loops over a row, for both precisions: a compiler that makes two versions of a function makes none of a template.
// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define DISC_ROW_LOOPS(T)                                                                            \
  DISC_SIMD void scale_row(T factor, Index width, T* row) {                                          \
    for (Index c = 0; c < width; ++c) row[c] *= factor;                                              \
  }                                                                                                  \
  DISC_SIMD void add_and_scale(const T* added, T weight, T factor, Index width, T* row) {            \
    for (Index c = 0; c < width; ++c) row[c] = factor * (row[c] + weight * added[c]);                \
  }                                                                                                  \
  DISC_SIMD void recur_row(const T* image, const T* x, T factor, T center, Index width, T* before) { \
    for (Index c = 0; c < width; ++c) before[c] = factor * (image[c] - center * x[c]) - before[c];   \
  }
DISC_ROW_LOOPS(float)
DISC_ROW_LOOPS(double)
#undef DISC_ROW_LOOPS
// NOLINTEND(bugprone-macro-parentheses)

template <class F>
void for_pieces(Index rows, const Context& context, F&& work) {
  context.parallel_for((rows + rows_at_once - 1) / rows_at_once,
                       [&](Index piece) { work(piece * rows_at_once, std::min(rows, (piece + 1) * rows_at_once)); });
}

template <class T>
void scale(const Vector& factors, BlockOf<T>& block, const Context& context) {
  for_pieces(block.rows(), context, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) block.row(i) *= static_cast<T>(factors[i]);
  });
}

// scale' x, summed in double in the order of the pieces.
template <class T>
Vector weighted_sum(const Vector& weights, const BlockOf<T>& x, const Context& context) {
  const Index pieces = (x.rows() + rows_at_once - 1) / rows_at_once;
  Matrix sums = Matrix::Zero(x.cols(), pieces);
  for_pieces(x.rows(), context, [&](Index first, Index last) {
    auto sum = sums.col(first / rows_at_once);
    for (Index i = first; i < last; ++i) sum += weights[i] * x.row(i).transpose().template cast<double>();
  });
  return sums.rowwise().sum();
}

const SparseMatrix& sparse_conjugate(const RandomWalk& walk) {
  return walk.conjugate.visit([](const auto& matrix) -> const SparseMatrix& {
    if constexpr (std::is_same_v<std::decay_t<decltype(matrix)>, SparseMatrix>) {
      return matrix;
    } else {
      throw Error("a local walk is made of a sparse one");
    }
  });
}

// An order where nobody knows a better one: breadth first, so that features joined with the same one are near each other.
std::vector<Index> breadth_first_order(const SparseMatrix& graph) {
  std::vector<Index> order;
  order.reserve(at(graph.rows()));
  std::vector<bool> seen(at(graph.rows()), false);
  const auto visit = [&](Index feature) {
    if (seen[at(feature)]) return;
    seen[at(feature)] = true;
    order.push_back(feature);
  };
  for (Index start = 0, next = 0; start < graph.rows(); ++start) {
    visit(start);
    for (; next < static_cast<Index>(order.size()); ++next) {
      for (SparseMatrix::InnerIterator entry(graph, order[at(next)]); entry; ++entry) visit(entry.col());
    }
  }
  return order;
}

}  // namespace

template <class T>
LocalWalk<T>::LocalWalk(const RandomWalk& walk, WalkProduct product, const Context& context)
    : product_(product), order_(walk.locality_order), uniform_weight_(walk.uniform_weight) {
  const Index p = walk.size();
  const SparseMatrix& sparse = sparse_conjugate(walk);
  if (order_.empty()) order_ = breadth_first_order(sparse);
  std::vector<std::int32_t> place(at(p));
  for (Index i = 0; i < p; ++i) place[at(order_[at(i)])] = static_cast<std::int32_t>(i);
  begin_.assign(at(p) + 1, 0);
  for (Index i = 0; i < p; ++i) {
    const Index row = order_[at(i)];
    begin_[at(i) + 1] = begin_[at(i)] + sparse.outerIndexPtr()[row + 1] - sparse.outerIndexPtr()[row];
  }
  columns_.resize(at(begin_.back()));
  values_.resize(at(begin_.back()));
  root_degrees_.resize(p);
  for_pieces(p, context, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const Index row = order_[at(i)];
      root_degrees_[i] = std::sqrt(walk.degrees[row]);
      Index next = begin_[at(i)];
      for (SparseMatrix::InnerIterator entry(sparse, row); entry; ++entry, ++next) {
        columns_[at(next)] = place[at(entry.col())];
        values_[at(next)] = static_cast<T>(entry.value());
      }
    }
  });
  inverse_root_ = root_degrees_.cwiseInverse();
  inverse_degrees_ = inverse_root_.cwiseAbs2();
  if (product == WalkProduct::normal) upper_bound_ = largest_column_sum(context);
}

// |P' P| is at most the largest row sum of P, which is 1, times its largest column sum.
template <class T>
double LocalWalk<T>::largest_column_sum(const Context& context) const {
  BlockOf<T> ones = BlockOf<T>::Ones(size(), lanes);
  scale(inverse_root_, ones, context);
  Vector sums(size());
  rows_of_conjugate(ones, &root_degrees_, context,
                    [&](Index i, const T* row) { sums[i] = static_cast<double>(row[0]); });
  constexpr double rounding = 1.001;
  return rounding * sums.maxCoeff();
}

// Calls take(i, row) with every row of the conjugate times x, scaled if asked for.
template <class T>
template <class Take>
void LocalWalk<T>::rows_of_conjugate(const BlockOf<T>& x, const Vector* row_scale, const Context& context,
                                     Take&& take) const {
  const Index width = x.cols();
  std::vector<T> uniform;
  if (uniform_weight_ > 0) {
    const Vector sum = uniform_weight_ * weighted_sum(inverse_root_, x, context);
    for (const double value : sum) uniform.push_back(static_cast<T>(value));
  }
  for_pieces(x.rows(), context, [&](Index first, Index last) {
    std::vector<T> row(at(width));
    for (Index i = first; i < last; ++i) {
      const T* const values = values_.data() + begin_[at(i)];
      const std::int32_t* const columns = columns_.data() + begin_[at(i)];
      row_product(values, columns, begin_[at(i) + 1] - begin_[at(i)], x.data(), width, row.data());
      const T scale = row_scale != nullptr ? static_cast<T>((*row_scale)[i]) : T{1};
      if (!uniform.empty()) {
        add_and_scale(uniform.data(), static_cast<T>(inverse_root_[i]), scale, width, row.data());
      } else if (row_scale != nullptr) {
        scale_row(scale, width, row.data());
      }
      take(i, row.data());
    }
  });
}

template <class T>
template <class Take>
void LocalWalk<T>::rows_of_product(const BlockOf<T>& x, const Context& context, Take&& take) const {
  if (product_ == WalkProduct::conjugate) return rows_of_conjugate(x, nullptr, context, take);
  // P' P = D^1/2 S D^-1 S D^1/2
  const Index width = x.cols();
  scaled_.resize(x.rows(), width);
  halfway_.resize(x.rows(), width);
  for_pieces(x.rows(), context, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      std::copy_n(x.data() + i * width, width, scaled_.data() + i * width);
      scale_row(static_cast<T>(root_degrees_[i]), width, scaled_.data() + i * width);
    }
  });
  rows_of_conjugate(scaled_, &inverse_degrees_, context,
                    [&](Index i, const T* row) { std::copy_n(row, width, halfway_.data() + i * width); });
  rows_of_conjugate(halfway_, &root_degrees_, context, take);
}

template <class T>
void LocalWalk<T>::apply(const BlockOf<T>& x, BlockOf<T>& y, const Context& context) const {
  const Index width = x.cols();
  y.resize(x.rows(), width);
  rows_of_product(x, context, [&](Index i, const T* row) { std::copy_n(row, width, y.data() + i * width); });
}

template <class T>
void LocalWalk<T>::recur(const BlockOf<T>& x, T factor, T center, BlockOf<T>& before, const Context& context) const {
  const Index width = x.cols();
  rows_of_product(x, context, [&](Index i, const T* row) {
    recur_row(row, x.data() + i * width, factor, center, width, before.data() + i * width);
  });
}

template <class T>
BlockOf<T> LocalWalk<T>::to_local(const Matrix& vectors, const Context& context) const {
  BlockOf<T> block(size(), vectors.cols());
  for_pieces(size(), context, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) block.row(i) = vectors.row(order_[at(i)]).template cast<T>();
  });
  return block;
}

template <class T>
Matrix LocalWalk<T>::to_features(const BlockOf<T>& block, Index columns, const Context& context) const {
  Matrix vectors(size(), columns);
  for_pieces(size(), context, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i)
      vectors.row(order_[at(i)]) = block.row(i).head(columns).template cast<double>();
  });
  return vectors;
}

template class LocalWalk<float>;
template class LocalWalk<double>;

}  // namespace disc
