// Which leaves lie next to which, and how many of them must be compared.
#pragma once

#include "graph/leaves.hpp"

namespace disc {

inline constexpr Index leaf_size = 256;  ///< features of a leaf, about
inline constexpr Index fewest_leaves_compared = 8;

/// The mean of every leaf: dimensions x leaves. `ordered` are the points in the order of the leaves.
MatrixF leaf_centres(const MatrixF& ordered, const Leaves& leaves, const Context& context);

/// For every leaf the others from near to far; itself first.
class LeafMap {
 public:
  explicit LeafMap(MatrixF centres);
  /// Sign-free points are as near to the mirror image of a centre as to the centre.
  std::vector<Index> from_near_to_far(Index leaf, Index most, bool sign_free) const;
  Index count() const { return centres_.cols(); }

 private:
  MatrixF centres_;
  Eigen::VectorXf half_squares_;
};

/// How many leaves must be compared, and which share of the nearest they hold.
struct Reach {
  Index leaves = 0;
  double recall = 1.0;
};
/// Features whose true nearest are to be found, to measure the recall: places in the order of the leaves, ascending.
std::vector<Index> sample_for_recall(Index features, const Context& context);
/// The true nearest of the sample, `truth`, are counted by the place of their leaf.
Reach find_reach(std::span<const Index> sample, std::span<const std::int32_t> truth, const Leaves& leaves,
                 const LeafMap& map, double recall, bool sign_free, const Context& context);

}  // namespace disc
