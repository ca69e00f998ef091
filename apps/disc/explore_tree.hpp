// How a set of features falls apart, from correlations.
#pragma once

#include <span>
#include <vector>

#include "disc/matrix.hpp"

namespace disc::app {

/// Two parts that were joined. Features are parts 0 .. p - 1, and node k is part p + k.
struct TreeNode {
  Index left = 0, right = 0;
  double height = 0;  ///< mean correlation between the two
  Index size = 0;
  std::vector<double> correlations{};  ///< mean over all pairs of features below, per condition
};

/// Joins the two parts with the largest mean correlation in condition `home`, until one is left: p - 1 nodes of falling height
/// (average linkage).
std::vector<TreeNode> average_linkage(std::span<const Matrix> correlations, std::size_t home);

}  // namespace disc::app
