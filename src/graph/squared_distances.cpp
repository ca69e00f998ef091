#include "graph/squared_distances.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/tiles.hpp"
#include "matrix/blas.hpp"
#include "matrix/simd.hpp"

namespace disc {
namespace {

constexpr Index rows_per_panel = 1024;  // single precision is summed in double after so many samples
constexpr Index rows_per_fill = 64;
// Pairs closer than this beside their squared norms are computed again. Relative error left: about 1e-16 / 1e-6 in double,
// 1e-7 / 1e-3 in single.
constexpr double close_in_double = 1e-6;
constexpr double close_in_single = 1e-3;

// BLAS is fastest on large tiles of equal size. Small matrices are worked on side by side and need no more than one or two;
// those of middling size need many tiles to keep all threads busy.
Index gram_tile(Index features) {
  const Index most = features < 1500 ? 1024 : features <= 3000 ? 344 : 640;
  const Index across = (features + most - 1) / most;
  const Index even = (features + across - 1) / across;
  return (even + 7) / 8 * 8;
}

constexpr Index finish_tile_size = 256;  // a tile and its mirror image stay in the second-level cache

// A panel is some samples of all features: features x samples, column-major.
template <class T>
Tile<const T> fill_panel(const PreparedColumns& columns, Index first, Index count, std::vector<T>& memory,
                         const Context& context) {
  const Index p = columns.features();
  if constexpr (std::is_same_v<T, double>) {
    if (const double* values = columns.as_they_are(first)) return {values, p, count, columns.row_stride()};
  }
  memory.resize(static_cast<std::size_t>(count * p));
  context.parallel_for((count + rows_per_fill - 1) / rows_per_fill, [&](Index block) {
    const Index start = block * rows_per_fill;
    columns.fill_all(first + start, std::min(rows_per_fill, count - start), memory.data() + start * p);
  });
  return {memory.data(), p, count, p};
}

template <class T>
Tile<const T> rows_of(Tile<const T> panel, Index first, Index count) {
  return {panel.data + first, count, panel.cols, panel.stride};
}

void add_tile(Tile<const double> panel, const TilePair& t, bool accumulate, Matrix& gram) {
  const Tile<double> target{gram.data() + t.row + t.col * gram.rows(), t.rows, t.cols, gram.rows()};
  const double beta = accumulate ? 1.0 : 0.0;
  if (t.diagonal()) {
    multiply_self(rows_of(panel, t.row, t.rows), beta, target);
  } else {
    multiply(Op::plain, Op::transposed, 1.0, rows_of(panel, t.row, t.rows), rows_of(panel, t.col, t.cols), beta,
             target);
  }
}

DISC_SIMD void add_to(double* sum, const float* part, Index count) {
  for (Index i = 0; i < count; ++i) sum[i] += static_cast<double>(part[i]);
}
DISC_SIMD void copy_to(double* sum, const float* part, Index count) {
  for (Index i = 0; i < count; ++i) sum[i] = static_cast<double>(part[i]);
}

void add_tile(Tile<const float> panel, const TilePair& t, bool accumulate, Matrix& gram) {
  MatrixF part(t.rows, t.cols);
  if (t.diagonal()) {
    multiply_self(rows_of(panel, t.row, t.rows), 0.0F, tile_of(part));
  } else {
    multiply(Op::plain, Op::transposed, 1.0F, rows_of(panel, t.row, t.rows), rows_of(panel, t.col, t.cols), 0.0F,
             tile_of(part));
  }
  for (Index j = 0; j < t.cols; ++j) {
    const Index first = t.diagonal() ? j : 0;  // only the lower triangle is written
    double* sum = gram.data() + t.row + first + (t.col + j) * gram.rows();
    const float* from = part.data() + first + j * t.rows;
    if (accumulate) {
      add_to(sum, from, t.rows - first);
    } else {
      copy_to(sum, from, t.rows - first);
    }
  }
}

// Lower triangle of the Gram matrix of the prepared columns.
template <class T>
Matrix gram_matrix(const PreparedColumns& columns, const Context& context) {
  std::vector<TilePair> tiles = lower_tiles(columns.features(), gram_tile(columns.features()));
  // Those on the diagonal take half the time: done last, they even out what the threads have left to do.
  std::stable_partition(tiles.begin(), tiles.end(), [](const TilePair& t) { return !t.diagonal(); });
  Matrix gram(columns.features(), columns.features());
  std::vector<T> memory;
  for (Index first = 0; first < columns.samples(); first += rows_per_panel) {
    const Index count = std::min(rows_per_panel, columns.samples() - first);
    const Tile<const T> panel = fill_panel(columns, first, count, memory, context);
    context.parallel_for(static_cast<Index>(tiles.size()),
                         [&](Index t) { add_tile(panel, tiles[static_cast<std::size_t>(t)], first > 0, gram); });
    context.progress("distances", static_cast<double>(first + count) / static_cast<double>(columns.samples()));
  }
  return gram;
}

// One column of a tile: Gram values become squared distances, in place. Returns whether a pair is close.
DISC_SIMD bool to_distances(double* values, const double* norms, double norm, Index count, bool sign_free,
                            double close) {
  double closest = 1.0;
  for (Index i = 0; i < count; ++i) {
    const double product = sign_free ? std::abs(values[i]) : values[i];
    const double total = norms[i] + norm;
    const double squared = total - 2.0 * product;
    const double distance = squared > 0.0 ? squared : 0.0;
    values[i] = distance;
    const double excess = distance - close * total;  // negative: the difference has lost too many digits
    closest = excess < closest ? excess : closest;
  }
  return closest < 0.0;
}

DISC_SIMD double squared_difference(const double* x, const double* y, double sign, Index count) {
  double lanes[8] = {};
  Index i = 0;
  for (; i + 8 <= count; i += 8) {
    for (Index lane = 0; lane < 8; ++lane) {
      const double difference = x[i + lane] - sign * y[i + lane];
      lanes[lane] += difference * difference;
    }
  }
  for (; i < count; ++i) lanes[0] += (x[i] - sign * y[i]) * (x[i] - sign * y[i]);
  double sum = 0.0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

struct ClosePair {
  Index row, col;  // features
  Index x, y;      // their places among the features of this tile's close pairs
  double difference = 0.0, sum = 0.0;
};

// Direct differences for the close pairs of one tile. Only the features concerned are read.
void recompute(const PreparedColumns& columns, std::vector<ClosePair>& pairs) {
  std::vector<Index> which;
  for (const ClosePair& pair : pairs) which.insert(which.end(), {pair.row, pair.col});
  std::sort(which.begin(), which.end());
  which.erase(std::unique(which.begin(), which.end()), which.end());
  const auto place = [&](Index feature) {
    return std::lower_bound(which.begin(), which.end(), feature) - which.begin();
  };
  for (ClosePair& pair : pairs) {
    pair.x = place(pair.row);
    pair.y = place(pair.col);
  }
  RowMatrix rows;
  Matrix by_feature;
  constexpr Index chunk = 256;
  for (Index first = 0; first < columns.samples(); first += chunk) {
    const Index count = std::min(chunk, columns.samples() - first);
    columns.fill(first, count, which, rows);
    by_feature = rows;
    for (ClosePair& pair : pairs) {
      const double* x = by_feature.data() + pair.x * count;
      const double* y = by_feature.data() + pair.y * count;
      pair.difference += squared_difference(x, y, 1.0, count);
      if (columns.sign_free()) pair.sum += squared_difference(x, y, -1.0, count);
    }
  }
}

// Close: the pair's squared distance is so small beside the squared norms that the Gram form lost its digits.
std::vector<ClosePair> close_pairs(const Matrix& squared, const TilePair& t, const Vector& norms, double close) {
  std::vector<ClosePair> pairs;
  for (Index j = t.col; j < t.col + t.cols; ++j) {
    for (Index i = std::max(t.row, j + 1); i < t.row + t.rows; ++i) {
      if (squared(i, j) < close * (norms[i] + norms[j])) pairs.push_back({i, j, 0, 0});
    }
  }
  return pairs;
}

Index finish_tile(const PreparedColumns& columns, const TilePair& t, const Vector& norms, double close,
                  Matrix& values) {
  const Index p = columns.features();
  bool any_close = false;
  for (Index j = t.col; j < t.col + t.cols; ++j) {
    const Index first = std::max(t.row, j + 1);
    any_close |= to_distances(values.data() + first + j * p, norms.data() + first, norms[j], t.row + t.rows - first,
                              columns.sign_free(), close);
  }
  std::vector<ClosePair> pairs;
  if (any_close) pairs = close_pairs(values, t, norms, close);
  if (!pairs.empty()) recompute(columns, pairs);
  for (const ClosePair& pair : pairs) {
    values(pair.row, pair.col) = columns.sign_free() ? std::min(pair.difference, pair.sum) : pair.difference;
  }
  if (t.diagonal()) {
    auto block = values.block(t.row, t.row, t.rows, t.rows);
    block.diagonal().setZero();
    block.triangularView<Eigen::StrictlyUpper>() = block.transpose();
  } else {
    values.block(t.col, t.row, t.cols, t.rows) = values.block(t.row, t.col, t.rows, t.cols).transpose();
  }
  return static_cast<Index>(pairs.size());
}

}  // namespace

SquaredDistances squared_distances(const PreparedColumns& columns, Precision precision, const Context& context) {
  prepare_blas();
  const bool single = precision == Precision::single;
  SquaredDistances result;
  result.values = single ? gram_matrix<float>(columns, context) : gram_matrix<double>(columns, context);
  const Vector norms = result.values.diagonal();
  const double close = single ? close_in_single : close_in_double;
  const std::vector<TilePair> tiles = lower_tiles(columns.features(), finish_tile_size);
  std::atomic<Index> recomputed{0};
  context.parallel_for(static_cast<Index>(tiles.size()), [&](Index t) {
    recomputed += finish_tile(columns, tiles[static_cast<std::size_t>(t)], norms, close, result.values);
  });
  result.recomputed_pairs = recomputed;
  return result;
}

Matrix squared_distances_to(const PreparedColumns& columns, Index first, Index count, const Context& context) {
  prepare_blas();
  const Index p = columns.features();
  Matrix values = Matrix::Zero(p, count);
  Vector norms = Vector::Zero(p);
  std::vector<double> memory;
  for (Index row = 0; row < columns.samples(); row += rows_per_panel) {
    const Index here = std::min(rows_per_panel, columns.samples() - row);
    const Tile<const double> panel = fill_panel(columns, row, here, memory, context);
    const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> all(panel.data, p, here,
                                                                Eigen::OuterStride<>(panel.stride));
    norms += all.rowwise().squaredNorm();
    multiply(Op::plain, Op::transposed, 1.0, panel, rows_of(panel, first, count), 1.0, tile_of(values));
  }
  context.parallel_for(count, [&](Index j) {
    double* const column = values.data() + j * p;
    const Index feature = first + j;
    std::vector<ClosePair> pairs;
    if (to_distances(column, norms.data(), norms[feature], p, columns.sign_free(), close_in_double)) {
      for (Index i = 0; i < p; ++i) {
        const bool is_close = column[i] < close_in_double * (norms[i] + norms[feature]);
        if (i != feature && is_close) pairs.push_back({i, feature, 0, 0});
      }
    }
    if (!pairs.empty()) recompute(columns, pairs);
    for (const ClosePair& pair : pairs) {
      column[pair.row] = columns.sign_free() ? std::min(pair.difference, pair.sum) : pair.difference;
    }
    column[feature] = 0.0;
  });
  return values;
}

}  // namespace disc
