// Runs of points against queries, by one matrix product each.
#pragma once

#include "graph/best_matches.hpp"
#include "graph/nearest_features.hpp"

namespace disc {

/// Compares runs of points with queries; the smaller the key, the nearer. The points must outlive it.
class Comparison {
 public:
  /// Points are called `base`, `base` + 1, ...
  explicit Comparison(const FeaturePoints& points, Index base = 0)
      : Comparison(points.values, points.sign_free, base) {}
  Comparison(const MatrixF& points, bool sign_free, Index base);

  Index dimensions() const { return points_.rows(); }
  Index points() const { return points_.cols(); }
  /// Offers points begin .. end - 1 to every query; query q is queries.col(q), called names[q] itself, and keeps best[q].
  void offer(const MatrixF& queries, std::span<const std::int32_t> names, Index begin, Index end, MatrixF& products,
             std::span<BestMatches* const> best) const;

 private:
  const MatrixF& points_;
  bool sign_free_;
  Index base_;
  Eigen::VectorXf half_squares_;
};

}  // namespace disc
