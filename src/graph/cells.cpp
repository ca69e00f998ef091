#include "graph/cells.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "matrix/blas.hpp"

namespace disc {
namespace {

constexpr int rounds = 6;
constexpr Index points_at_once = 1024;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

// Distances up to what they have in common: |c|^2 / 2 - x'c.
void assign_to_centers(const MatrixF& points, std::span<const Index> which, const MatrixF& centers,
                       std::span<Index> label) {
  const Eigen::VectorXf half = 0.5F * centers.colwise().squaredNorm().transpose();
  const auto count = static_cast<Index>(which.size());
  MatrixF picked;
  MatrixF products;
  for (Index first = 0; first < count; first += points_at_once) {
    const Index here = std::min(points_at_once, count - first);
    picked.resize(points.rows(), here);
    for (Index i = 0; i < here; ++i) picked.col(i) = points.col(which[at(first + i)]);
    products.resize(centers.cols(), here);
    multiply(Op::transposed, Op::plain, 1.0F, tile_of(centers), tile_of(std::as_const(picked)), 0.0F,
             tile_of(products));
    for (Index i = 0; i < here; ++i) (half - products.col(i)).minCoeff(&label[at(first + i)]);
  }
}

// A center that lost all its points keeps its place.
MatrixF find_centers(const MatrixF& points, std::span<const Index> sample, Index count) {
  MatrixF centers(points.rows(), count);
  for (Index c = 0; c < count; ++c) centers.col(c) = points.col(sample[at(c)]);
  std::vector<Index> label(sample.size());
  for (int round = 0; round < rounds; ++round) {
    assign_to_centers(points, sample, centers, label);
    MatrixF sums = MatrixF::Zero(points.rows(), count);
    Eigen::VectorXf size = Eigen::VectorXf::Zero(count);
    for (std::size_t i = 0; i < sample.size(); ++i) {
      sums.col(label[i]) += points.col(sample[i]);
      size[label[i]] += 1;
    }
    for (Index c = 0; c < count; ++c) {
      if (size[c] > 0) centers.col(c) = sums.col(c) / size[c];
    }
  }
  return centers;
}

namespace {

std::vector<Index> sizes(std::span<const Index> label, Index count) {
  std::vector<Index> result(at(count), 0);
  for (const Index l : label) ++result[at(l)];
  return result;
}

// A part of the features that is still too large, and where it stands in the order.
struct Part {
  Index begin, end;
};

class Splitter {
 public:
  Splitter(const MatrixF& points, Index cell_size, const Context& context)
      : points_(points), cell_size_(cell_size), context_(context), order_(at(points.cols())) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  // Cuts one part into clusters, side by side in the order; returns where they begin. Where nearly all fall
  // into one (features that cannot be told apart), it is cut anywhere.
  std::vector<Index> cut(const Part& part) {
    const Index size = part.end - part.begin;
    const Index count = std::clamp<Index>((size + cell_size_ - 1) / cell_size_, 2, max_centers);
    const auto which = std::span(order_).subspan(at(part.begin), at(size));
    std::mt19937_64 random =
        random_stream(context_.seed(), "graph/cells", static_cast<std::uint64_t>(part.begin * 64 + size % 64));
    std::vector<Index> sample;
    std::ranges::sample(which, std::back_inserter(sample), count * points_per_center, random);
    std::ranges::shuffle(sample, random);
    const MatrixF centers = find_centers(points_, sample, count);
    std::vector<Index> label(at(size));
    constexpr Index piece = 16 * points_at_once;
    context_.parallel_for((size + piece - 1) / piece, [&](Index p) {
      const Index first = p * piece;
      const Index here = std::min(piece, size - first);
      assign_to_centers(points_, which.subspan(at(first), at(here)), centers,
                        std::span(label).subspan(at(first), at(here)));
    });
    const std::vector<Index> counts = sizes(label, count);
    std::vector<Index> next(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, next.begin() + 1);
    std::vector<Index> begins = next;
    std::vector<Index> sorted(at(size));
    for (Index i = 0; i < size; ++i) sorted[at(next[at(label[at(i)])]++)] = which[at(i)];
    std::ranges::copy(sorted, which.begin());
    begins.push_back(size);
    const bool hardly_cut = *std::ranges::max_element(counts) > size - size / 16;
    for (Index c = 0; c <= count && hardly_cut; ++c) begins[at(c)] = c * size / count;
    for (Index& begin : begins) begin += part.begin;
    return begins;
  }

  bool is_cell(const Part& part) const { return part.end - part.begin <= cell_size_ + cell_size_ / 2; }

  Cells run() {
    std::vector<Part> parts{{0, static_cast<Index>(order_.size())}};
    bool done = false;
    while (!done) {
      done = true;
      // Large parts one after the other with all threads, small ones side by side: either way the same cuts.
      std::vector<std::vector<Index>> cuts(parts.size());
      const auto is_large = [&](const Part& part) { return part.end - part.begin > 64 * points_at_once; };
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!is_cell(parts[i]) && is_large(parts[i])) cuts[i] = cut(parts[i]);
      }
      context_.parallel_for(static_cast<Index>(parts.size()), [&](Index i) {
        if (!is_cell(parts[at(i)]) && !is_large(parts[at(i)])) cuts[at(i)] = cut(parts[at(i)]);
      });
      std::vector<Part> next;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (cuts[i].empty()) {
          next.push_back(parts[i]);
          continue;
        }
        done = false;
        for (std::size_t c = 0; c + 1 < cuts[i].size(); ++c) {
          if (cuts[i][c] < cuts[i][c + 1]) next.push_back({cuts[i][c], cuts[i][c + 1]});
        }
      }
      parts = std::move(next);
    }
    Cells cells;
    for (const Part& part : parts) cells.begin.push_back(part.begin);
    cells.begin.push_back(static_cast<Index>(order_.size()));
    cells.order = std::move(order_);
    return cells;
  }

 private:
  const MatrixF& points_;
  Index cell_size_;
  const Context& context_;
  std::vector<Index> order_;
};

}  // namespace

Cells make_cells(const MatrixF& points, Index cell_size, const Context& context) {
  return Splitter(points, cell_size, context).run();
}

}  // namespace disc
