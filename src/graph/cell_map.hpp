// Which cells lie next to which, and how many of them must be compared.
#pragma once

#include <functional>

#include "graph/cells.hpp"

namespace disc {

inline constexpr Index cell_size = 256;  ///< features of a cell, about
inline constexpr Index min_cells_compared = 8;
inline constexpr double recall_margin = 0.004;  ///< above what is asked for: the sample has its own chance

/// The mean of every cell: dimensions x cells. `ordered` are the points in the order of the cells.
MatrixF cell_centers(const MatrixF& ordered, const Cells& cells, const Context& context);

/// For every cell the others from near to far; itself first.
class CellMap {
 public:
  explicit CellMap(MatrixF centers);
  /// Sign-free points are as near to the mirror image of a center as to the center.
  std::vector<Index> from_near_to_far(Index cell, Index most, bool sign_free) const;
  /// How near some points are to some cells: cells x points; the smaller, the nearer.
  MatrixF keys(std::span<const Index> cells, const MatrixF& points, bool sign_free) const;
  Index count() const { return centers_.cols(); }

 private:
  MatrixF centers_;
  Eigen::VectorXf half_squares_;
};

/// How many cells must be compared, and which share of the nearest they hold.
struct Reach {
  Index cells = 0;
  double recall = 1.0;
};
/// Features whose true nearest are to be found, to measure the recall: places in the order of the cells, ascending.
std::vector<Index> sample_for_recall(Index features, const Context& context);
/// The true nearest of the sample, `truth`, are counted by the place of their cell in near_of(i): cells in the order in which
/// they are compared with the i-th of the sample. As many as hold the share `recall` of them, or all that near_of names.
Reach find_reach(std::span<const Index> sample, std::span<const std::int32_t> truth, const Cells& cells, double recall,
                 const std::function<std::vector<Index>(Index)>& near_of, const Context& context);

}  // namespace disc
