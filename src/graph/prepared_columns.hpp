// The feature columns of one condition in the form a distance wants them: euclidean distance between prepared columns is
// the distance of method (1).
#pragma once

#include <vector>

#include "disc/graph.hpp"

namespace disc {

class PreparedColumns {
 public:
  /// The columns of this process, of those that the processes of context.team() have.
  PreparedColumns(const Dataset& condition, std::span<const Index> columns, Distance distance, const Context& context);

  Index samples() const { return values_.rows(); }
  Index features() const { return static_cast<Index>(columns_.size()); }
  /// The distance is the smaller of |x - y| and |x + y| (abs-correlation).
  bool sign_free() const { return sign_free_; }

  /// out(i, j) = prepared value of sample first + i in feature `which[j]`.
  void fill(Index first, Index count, std::span<const Index> which, RowMatrix& out) const;
  /// The same for all features, as samples side by side: out[i * features() + j].
  template <class T>
  void fill_all(Index first, Index count, T* out) const;
  /// Features as columns of points: points(first + i, j) = prepared value of sample i in feature j.
  template <class T>
  void fill_points(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& points, Index first, const Context& context) const;
  /// Where the values need no preparation and lie row by row in memory: row `first` of them; else nullptr.
  const double* as_they_are(Index first) const;
  /// Distance between rows of as_they_are().
  Index row_stride() const { return values_.row_stride(); }

 private:
  void center_and_scale(bool center, const Context& context);
  void choose_sample_shift(const Context& context);

  SampleMatrix values_;
  std::vector<Index> columns_;
  bool sign_free_ = false;
  Vector offset_;        // per feature, subtracted; empty = 0
  Vector scale_;         // per feature, multiplied; empty = 1
  Vector sample_shift_;  // per sample, subtracted from every feature: changes no distance; empty = 0
};

}  // namespace disc
