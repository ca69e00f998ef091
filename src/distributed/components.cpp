// Connected components of a graph whose rows are divided over processes.
#include <algorithm>
#include <numeric>

#include "distributed/solve.hpp"
#include "spectral/component_vectors.hpp"

namespace disc::distributed {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class Forest {
 public:
  explicit Forest(Index size) : parent_(at(size)) { std::iota(parent_.begin(), parent_.end(), Index{0}); }
  Index root(Index i) {
    while (parent_[at(i)] != i) {
      parent_[at(i)] = parent_[at(parent_[at(i)])];
      i = parent_[at(i)];
    }
    return i;
  }
  // The smaller root stays: roots are the first features of their trees.
  void join(Index i, Index j) {
    const Index a = root(i);
    const Index b = root(j);
    parent_[at(std::max(a, b))] = std::min(a, b);
  }
  Index size() const { return static_cast<Index>(parent_.size()); }

 private:
  std::vector<Index> parent_;
};

}  // namespace

// Every process joins what its own rows join, then what the others found joined: of each feature they tell the first of its tree.
Components find_components(const Walk& walk, const MpiTeam& team) {
  const Partition& partition = walk.partition();
  if (walk.uniform_weight() > 0) return {std::vector<Index>(at(partition.count), 0), 1};
  Forest forest(walk.size());
  walk.for_each_entry([&](Index row, Index column, double weight) {
    if (weight > 0) forest.join(partition.first + row, column);
  });
  // In the order of the processes, so that all come to the same result.
  for (int r = 0; r < team.size(); ++r) {
    std::vector<Index> roots;
    for (Index i = 0; r == team.rank() && i < forest.size(); ++i) roots.push_back(forest.root(i));
    roots = team.gather_all<Index>(roots);
    for (Index i = 0; i < forest.size(); ++i) forest.join(i, roots[at(i)]);
  }
  std::vector<Index> label(at(walk.size()));
  Index count = 0;
  for (Index i = 0; i < forest.size(); ++i) {
    const Index root = forest.root(i);
    label[at(i)] = root == i ? count++ : label[at(root)];
  }
  Components all = by_falling_size(std::move(label), count);
  const auto first = all.labels.begin() + partition.first;
  return {std::vector<Index>(first, first + partition.count), all.count};
}

}  // namespace disc::distributed
