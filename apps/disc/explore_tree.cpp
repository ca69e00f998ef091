#include "explore_tree.hpp"

#include <numeric>

namespace disc::app {
namespace {

// What is not joined yet.
class Parts {
 public:
  explicit Parts(std::span<const Matrix> correlations)
      : between_(correlations.begin(), correlations.end()),
        size_(static_cast<std::size_t>(correlations.front().rows()), 1),
        number_(size_.size()),
        within_(correlations.size(), std::vector<double>(size_.size(), 0.0)) {
    std::iota(number_.begin(), number_.end(), Index{0});
    next_ = static_cast<Index>(size_.size());
  }
  std::size_t count() const { return size_.size(); }

  /// Mean correlation between two parts.
  double likeness(std::size_t a, std::size_t b, std::size_t home) const {
    return between_[home](static_cast<Index>(a), static_cast<Index>(b)) / static_cast<double>(size_[a] * size_[b]);
  }

  /// b becomes a part of a; the last one takes its place.
  TreeNode join(std::size_t a, std::size_t b, std::size_t home) {
    TreeNode node{number_[a], number_[b], likeness(a, b, home), size_[a] + size_[b]};
    const double pairs = 0.5 * static_cast<double>(node.size) * static_cast<double>(node.size - 1);
    const auto [i, j] = std::pair(static_cast<Index>(a), static_cast<Index>(b));
    const auto last = static_cast<Index>(count()) - 1;
    for (std::size_t m = 0; m < between_.size(); ++m) {
      Matrix& sums = between_[m];
      within_[m][a] += within_[m][b] + sums(i, j);
      node.correlations.push_back(within_[m][a] / pairs);
      sums.col(i) += sums.col(j);
      sums.row(i) += sums.row(j);
      sums.col(j) = sums.col(last).eval();
      sums.row(j) = sums.row(last).eval();
      within_[m][b] = within_[m].back();
      within_[m].pop_back();
    }
    size_[a] = node.size;
    number_[a] = next_++;
    size_[b] = size_.back();
    number_[b] = number_.back();
    size_.pop_back();
    number_.pop_back();
    return node;
  }

 private:
  std::vector<Matrix> between_;  // per condition: sums of correlations between parts; the diagonal is not used
  std::vector<Index> size_, number_;
  std::vector<std::vector<double>> within_;  // per condition and part: sum over its pairs
  Index next_ = 0;
};

}  // namespace

std::vector<TreeNode> average_linkage(std::span<const Matrix> correlations, std::size_t home) {
  Parts parts(correlations);
  std::vector<TreeNode> nodes;
  while (parts.count() > 1) {
    std::size_t first = 0, second = 1;
    for (std::size_t b = 1; b < parts.count(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (parts.likeness(a, b, home) > parts.likeness(first, second, home)) {
          first = a;
          second = b;
        }
      }
    }
    nodes.push_back(parts.join(first, second, home));
  }
  return nodes;
}

}  // namespace disc::app
