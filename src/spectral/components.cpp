#include <algorithm>
#include <numeric>

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

std::vector<Index> label_components(const SparseMatrix& weights, Index& count) {
  std::vector<Index> label(static_cast<std::size_t>(weights.rows()), -1);
  std::vector<Index> queue;
  count = 0;
  for (Index first = 0; first < weights.rows(); ++first) {
    if (label[static_cast<std::size_t>(first)] >= 0) continue;
    queue.assign(1, first);
    label[static_cast<std::size_t>(first)] = count;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (SparseMatrix::InnerIterator entry(weights, queue[head]); entry; ++entry) {
        Index& other = label[static_cast<std::size_t>(entry.col())];
        if (other >= 0 || !(entry.value() > 0)) continue;
        other = count;
        queue.push_back(entry.col());
      }
    }
    ++count;
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

Components find_components(const RandomWalk& walk) {
  if (walk.uniform_weight > 0) return {std::vector<Index>(static_cast<std::size_t>(walk.size()), 0), 1};
  Index count = 0;
  std::vector<Index> label =
      walk.conjugate.visit([&](const auto& weights) { return label_components(weights, count); });
  return by_falling_size(std::move(label), count);
}

}  // namespace disc
