#include "graph/comparison.hpp"

#include <algorithm>

#include "matrix/blas.hpp"
#include "matrix/simd.hpp"

namespace disc {
namespace {

constexpr Index others_at_once = 1024;

DISC_SIMD void keys_of_products(const float* half_squares, bool sign_free, Index count, float* products) {
  if (sign_free) {
    for (Index i = 0; i < count; ++i) products[i] = -(products[i] < 0 ? -products[i] : products[i]);
  } else {
    for (Index i = 0; i < count; ++i) products[i] = half_squares[i] - products[i];
  }
}

}  // namespace

Comparison::Comparison(const MatrixF& points, bool sign_free, Index base)
    : points_(points), sign_free_(sign_free), base_(base) {
  half_squares_ = 0.5F * points.colwise().squaredNorm().transpose();
}

void Comparison::offer(const MatrixF& queries, std::span<const std::int32_t> names, Index begin, Index end,
                       MatrixF& products, std::span<BestMatches* const> best) const {
  const MatrixF& x = points_;
  for (Index first = begin; first < end; first += others_at_once) {
    const Index here = std::min(others_at_once, end - first);
    products.resize(here, queries.cols());
    multiply(Op::transposed, Op::plain, 1.0F, {x.data() + first * x.rows(), x.rows(), here, x.rows()}, tile_of(queries),
             0.0F, tile_of(products));
    for (Index q = 0; q < queries.cols(); ++q) {
      const auto place = static_cast<std::size_t>(q);
      float* const keys = products.data() + q * here;
      keys_of_products(half_squares_.data() + first, sign_free_, here, keys);
      best[place]->offer(keys, here, static_cast<std::int32_t>(base_ + first), names[place]);
    }
  }
}

}  // namespace disc
