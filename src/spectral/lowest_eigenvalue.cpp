#include "spectral/lowest_eigenvalue.hpp"

#include <algorithm>
#include <cmath>

#include "spectral/symmetric_dense.hpp"

namespace disc {
namespace {

constexpr Index vectors = 8;
constexpr Index steps = 12;
constexpr double margin = 0.02;  // of the spectrum
constexpr Index rows_at_once = 4096;

using Sums = Eigen::Array<double, vectors, 1>;

template <class F>
void for_pieces(Index rows, const Context& context, F&& work) {
  context.parallel_for((rows + rows_at_once - 1) / rows_at_once, [&](Index piece) {
    const Index first = piece * rows_at_once;
    work(piece, first, std::min(rows_at_once, rows - first));
  });
}

// Products of columns with columns of the same number, pieces added in order.
Sums column_products(const BlockOf<float>& a, const BlockOf<float>& b, const Context& context) {
  Matrix terms(vectors, (a.rows() + rows_at_once - 1) / rows_at_once);
  for_pieces(a.rows(), context, [&](Index piece, Index first, Index rows) {
    const auto products = a.middleRows(first, rows).cwiseProduct(b.middleRows(first, rows));
    terms.col(piece) = products.colwise().sum().transpose().template cast<double>();
  });
  return terms.rowwise().sum().array();
}

BlockOf<float> random_block(Index rows, const Context& context) {
  BlockOf<float> block(rows, vectors);
  for_pieces(rows, context, [&](Index piece, Index first, Index count) {
    std::mt19937_64 random = random_stream(context.seed(), "spectral/lowest", static_cast<std::uint64_t>(piece));
    std::normal_distribution<float> normal;
    for (Index i = first * vectors; i < (first + count) * vectors; ++i) block.data()[i] = normal(random);
  });
  return block;
}

// Every column has a recurrence of its own: x_next = (A x - diagonal x - side x_before) / next side.
struct Recurrences {
  Eigen::Array<double, steps, vectors> diagonal, side;  // side: below the diagonal; the last one is what remains
};

Recurrences run_recurrences(const LocalWalk<float>& walk, const Context& context) {
  Recurrences found;
  BlockOf<float> x = random_block(walk.size(), context);
  BlockOf<float> before = BlockOf<float>::Zero(x.rows(), vectors);
  BlockOf<float> image;
  const auto combine = [&](const Sums& of_x, const Sums& of_before, const Sums& divisor) {
    const auto factors = [](const Sums& sums) { return sums.cast<float>().matrix().transpose().eval(); };
    const auto a = factors(of_x), b = factors(of_before), scale = factors(divisor.inverse());
    for_pieces(x.rows(), context, [&](Index, Index first, Index rows) {
      for (Index i = first; i < first + rows; ++i) {
        image.row(i) = (image.row(i) - a.cwiseProduct(x.row(i)) - b.cwiseProduct(before.row(i))).cwiseProduct(scale);
      }
    });
  };
  const Sums none = Sums::Zero();
  Sums side = none;
  image = x;
  combine(none, none, column_products(x, x, context).sqrt());
  x.swap(image);
  for (Index step = 0; step < steps; ++step) {
    context.check_stop();
    walk.apply(x, image, context);
    const Sums diagonal = column_products(x, image, context);
    combine(diagonal, side, Sums::Ones());
    side = column_products(image, image, context).sqrt().max(1e-30);
    combine(none, none, side);
    found.diagonal.row(step) = diagonal.transpose();
    found.side.row(step) = side.transpose();
    before.swap(x);
    x.swap(image);
  }
  return found;
}

double lowest_of(const Recurrences& found, Index vector) {
  Matrix small = found.diagonal.col(vector).matrix().asDiagonal();
  for (Index k = 0; k + 1 < steps; ++k) small(k, k + 1) = small(k + 1, k) = found.side(k, vector);
  const SmallEigen eigen = small_symmetric_eigen(small);
  return eigen.values[0] - found.side(steps - 1, vector) * std::abs(eigen.vectors(steps - 1, 0));
}

}  // namespace

double bound_from_below(const LocalWalk<float>& walk, const Context& context) {
  const Recurrences found = run_recurrences(walk, context);
  double lowest = walk.upper_bound();
  for (Index vector = 0; vector < vectors; ++vector) lowest = std::min(lowest, lowest_of(found, vector));
  return std::max(walk.lower_bound(), lowest - margin * (walk.upper_bound() - lowest));
}

}  // namespace disc
