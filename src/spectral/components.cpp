#include <algorithm>
#include <numeric>

#include "disc/team.hpp"
#include "spectral/component_vectors.hpp"

namespace disc {
namespace {

// Flood fill: every feature looks once at those not reached yet, so a connected graph costs little more than one column.
template <class T>
std::vector<Index> label_components(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& weights, Index& count) {
  const Index p = weights.rows();
  std::vector<Index> label(static_cast<std::size_t>(p), -1);
  std::vector<Index> unreached(static_cast<std::size_t>(p));
  std::iota(unreached.begin(), unreached.end(), Index{0});
  std::vector<Index> queue;
  count = 0;
  while (!unreached.empty()) {
    queue.assign(1, unreached.front());
    label[static_cast<std::size_t>(unreached.front())] = count;
    unreached.erase(unreached.begin());
    for (std::size_t head = 0; head < queue.size() && !unreached.empty(); ++head) {
      const T* column = weights.data() + queue[head] * p;
      std::erase_if(unreached, [&](Index i) {
        if (!(column[i] > T{0})) return false;
        label[static_cast<std::size_t>(i)] = count;
        queue.push_back(i);
        return true;
      });
    }
    ++count;
  }
  return label;
}

class Forest {
 public:
  explicit Forest(Index size) : parent_(static_cast<std::size_t>(size)) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index root(Index i) {
    while (parent(i) != i) {
      parent(i) = parent(parent(i));
      i = parent(i);
    }
    return i;
  }
  // The smaller root stays: roots are the first features of their trees.
  void join(Index i, Index j) {
    const Index a = root(i);
    const Index b = root(j);
    parent(std::max(a, b)) = std::min(a, b);
  }
  Index size() const { return static_cast<Index>(parent_.size()); }

 private:
  Index& parent(Index i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<Index> parent_;
};

// Joins what the rows of this process join: of features first ..
void join_all(const SparseMatrix& rows, Index first, Forest& forest) {
  for (Index j = 0; j < rows.rows(); ++j) {
    for (SparseMatrix::InnerIterator entry(rows, j); entry; ++entry) {
      if (entry.value() > 0) forest.join(first + j, entry.col());
    }
  }
}
template <class Dense>
void join_all(const Dense& columns, Index first, Forest& forest) {
  for (Index j = 0; j < columns.cols(); ++j) {
    for (Index i = 0; i < columns.rows(); ++i) {
      if (columns(i, j) > 0) forest.join(first + j, i);
    }
  }
}

// Every process joins what its own rows join, then what the others found joined: of each feature they tell the first of its tree.
// Processes take turns, so that all come to the same result.
std::vector<Index> label_components(const SymmetricMatrix& rows, const Partition& partition, const Team& team,
                                    Index& count) {
  Forest forest(partition.total());
  rows.visit([&](const auto& values) { join_all(values, partition.first, forest); });
  for (int r = 0; r < team.size() && team.size() > 1; ++r) {
    std::vector<Index> roots;
    for (Index i = 0; r == team.rank() && i < forest.size(); ++i) roots.push_back(forest.root(i));
    roots = team.gather_all<Index>(roots);
    for (Index i = 0; i < forest.size(); ++i) forest.join(i, roots[static_cast<std::size_t>(i)]);
  }
  std::vector<Index> label(static_cast<std::size_t>(forest.size()));
  count = 0;
  for (Index i = 0; i < forest.size(); ++i) {
    const Index root = forest.root(i);
    label[static_cast<std::size_t>(i)] = root == i ? count++ : label[static_cast<std::size_t>(root)];
  }
  return label;
}

}  // namespace

Components by_falling_size(std::vector<Index> label, Index count) {
  Components result;
  result.count = count;
  std::vector<Index> size(static_cast<std::size_t>(count), 0);
  for (const Index component : label) ++size[static_cast<std::size_t>(component)];
  std::vector<Index> order(size.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return size[static_cast<std::size_t>(a)] > size[static_cast<std::size_t>(b)];
  });
  std::vector<Index> rank(size.size());
  for (std::size_t r = 0; r < order.size(); ++r) rank[static_cast<std::size_t>(order[r])] = static_cast<Index>(r);
  for (Index& component : label) component = rank[static_cast<std::size_t>(component)];
  result.labels = std::move(label);
  return result;
}

Components find_components(const RandomWalk& walk, const Context& context) {
  if (walk.uniform_weight > 0) return {std::vector<Index>(static_cast<std::size_t>(walk.degrees.size()), 0), 1};
  const Team& team = context.team();
  const Partition partition = team.partition_of(walk.degrees.size());
  Index count = 0;
  std::vector<Index> label = walk.conjugate.visit([&](const auto& weights) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, SparseMatrix>) {
      if (team.size() == 1) return label_components(weights, count);
    }
    return label_components(walk.conjugate, partition, team, count);
  });
  Components components = by_falling_size(std::move(label), count);
  const auto first = components.labels.begin() + partition.first;
  components.labels = std::vector<Index>(first, first + partition.count);
  return components;
}

}  // namespace disc
