#include "graph/cell_map.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "matrix/blas.hpp"

namespace disc {
namespace {

constexpr Index features_looked_at = 400;  // to measure the recall

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

MatrixF cell_centers(const MatrixF& ordered, const Cells& cells, const Context& context) {
  MatrixF centers(ordered.rows(), cells.count());
  context.parallel_for(cells.count(), [&](Index cell) {
    centers.col(cell) = ordered.middleCols(cells.begin[at(cell)], cells.size(cell)).rowwise().mean();
  });
  return centers;
}

CellMap::CellMap(MatrixF centers) : centers_(std::move(centers)) {
  half_squares_ = 0.5F * centers_.colwise().squaredNorm().transpose();
}

std::vector<Index> CellMap::from_near_to_far(Index cell, Index most, bool sign_free) const {
  Eigen::VectorXf keys = centers_.transpose() * centers_.col(cell);
  keys = sign_free ? (half_squares_ - keys.cwiseAbs()).eval() : (half_squares_ - keys).eval();
  keys[cell] = -std::numeric_limits<float>::infinity();
  std::vector<Index> order(at(centers_.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto middle = order.begin() + std::min<std::ptrdiff_t>(most, static_cast<std::ptrdiff_t>(order.size()));
  std::partial_sort(order.begin(), middle, order.end(),
                    [&](Index a, Index b) { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); });
  order.erase(middle, order.end());
  return order;
}

MatrixF CellMap::keys(std::span<const Index> cells, const MatrixF& points, bool sign_free) const {
  const auto count = static_cast<Index>(cells.size());
  MatrixF picked(centers_.rows(), count);
  Eigen::VectorXf half(count);
  for (Index i = 0; i < count; ++i) {
    picked.col(i) = centers_.col(cells[at(i)]);
    half[i] = half_squares_[cells[at(i)]];
  }
  MatrixF result(count, points.cols());
  multiply(Op::transposed, Op::plain, 1.0F, tile_of(std::as_const(picked)), tile_of(points), 0.0F, tile_of(result));
  if (sign_free) result = result.cwiseAbs();
  result = (-result).colwise() + half;
  return result;
}

std::vector<Index> sample_for_recall(Index features, const Context& context) {
  std::vector<Index> all(at(features));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Index> sample;
  std::mt19937_64 random = random_stream(context.seed(), "graph/recall");
  std::ranges::sample(all, std::back_inserter(sample), features_looked_at, random);
  return sample;
}

Reach find_reach(std::span<const Index> sample, std::span<const std::int32_t> truth, const Cells& cells, double recall,
                 const std::function<std::vector<Index>(Index)>& near_of, const Context& context) {
  const auto count = static_cast<Index>(truth.size() / sample.size());
  std::vector<std::vector<Index>> found(sample.size());
  context.parallel_for(static_cast<Index>(sample.size()), [&](Index i) {
    const std::vector<Index> near = near_of(i);
    std::vector<Index> hits(at(cells.count()), 0);
    for (Index k = 0; k < count; ++k) ++hits[at(cells.cell_of(truth[at(i * count + k)]))];
    for (const Index cell : near) found[at(i)].push_back(hits[at(cell)]);
  });
  const double total = static_cast<double>(sample.size()) * static_cast<double>(count);
  const auto most = static_cast<Index>(found.front().size());
  Reach reach;
  double so_far = 0;
  while (reach.cells < most && (reach.cells < min_cells_compared || so_far / total < recall)) {
    for (const auto& places : found) so_far += static_cast<double>(places[at(reach.cells)]);
    ++reach.cells;
  }
  reach.recall = so_far / total;
  return reach;
}

}  // namespace disc
