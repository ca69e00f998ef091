#include "groups/louvain.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace disc {
namespace {

constexpr int max_sweeps = 50;
constexpr double least_gain = 1e-12;  // relative to the total weight: rounding must not move a node

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Renumbers labels by first occurrence; returns how many there are.
Index number_by_occurrence(std::vector<Index>& labels) {
  std::vector<Index> number(labels.size(), -1);
  Index count = 0;
  for (Index& label : labels) {
    if (number[at(label)] < 0) number[at(label)] = count++;
    label = number[at(label)];
  }
  return count;
}

// Moves nodes to the neighboring community of largest gain until nobody moves. Asked to be quick, it looks again only at
// nodes that have had a neighbor move.
class LocalMoves {
 public:
  LocalMoves(const SparseMatrix& weights, bool quick, double resolution)
      : quick_(quick),
        resolution_(resolution),
        is_settled_(static_cast<std::size_t>(weights.rows()), false),
        degree_(weights.rows()),
        to_community_(Vector::Zero(weights.rows())) {
    begin_.push_back(0);
    others_.reserve(at(weights.nonZeros()));
    weights_.reserve(at(weights.nonZeros()));
    for (Index i = 0; i < weights.rows(); ++i) {
      degree_[i] = weights.row(i).sum();
      for (SparseMatrix::InnerIterator entry(weights, i); entry; ++entry) {
        if (entry.col() == i) continue;
        others_.push_back(static_cast<std::int32_t>(entry.col()));
        weights_.push_back(entry.value());
      }
      begin_.push_back(others_.size());
    }
    total_ = degree_.sum();
    labels_.resize(at(weights.rows()));
    std::iota(labels_.begin(), labels_.end(), Index{0});
    volume_ = degree_;
  }

  // False when every node stayed alone.
  bool run() {
    if (total_ <= 0) return false;
    bool moved_at_all = false;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
      bool moved = false;
      for (Index i = 0; i < degree_.size(); ++i) moved = (!is_settled_[at(i)] && move(i)) || moved;
      if (!moved) break;
      moved_at_all = true;
    }
    return moved_at_all;
  }
  std::vector<Index> labels() && { return std::move(labels_); }

 private:
  bool move(Index node) {
    const Index before = labels_[at(node)];
    volume_[before] -= degree_[node];
    touched_.clear();
    for (std::size_t entry = begin_[at(node)]; entry < begin_[at(node) + 1]; ++entry) {
      const Index community = labels_[at(others_[entry])];
      if (to_community_[community] == 0) touched_.push_back(community);
      to_community_[community] += weights_[entry];
    }
    const double expected = resolution_ * degree_[node] / total_;
    const auto gain = [&](Index c) { return to_community_[c] - expected * volume_[c]; };
    Index best = before;
    double largest = gain(before) + least_gain * total_;
    for (const Index community : touched_) {
      const double here = gain(community);
      if (here > largest || (here == largest && community < best)) {
        largest = here;
        best = community;
      }
    }
    for (const Index community : touched_) to_community_[community] = 0;
    labels_[at(node)] = best;
    volume_[best] += degree_[node];
    if (best == before) {
      is_settled_[at(node)] = quick_;
      return false;
    }
    for (std::size_t entry = begin_[at(node)]; entry < begin_[at(node) + 1]; ++entry) {
      is_settled_[at(others_[entry])] = false;
    }
    is_settled_[at(node)] = quick_;
    return true;
  }

  std::vector<std::size_t> begin_;  // of a node's entries
  std::vector<std::int32_t> others_;
  std::vector<double> weights_;
  bool quick_;
  double resolution_;
  std::vector<bool> is_settled_;
  Vector degree_, volume_, to_community_;
  double total_ = 0;
  std::vector<Index> labels_, touched_;
};

Index communities_of_several(const std::vector<Index>& labels, Index count) {
  std::vector<Index> size(at(count), 0);
  for (const Index label : labels) ++size[at(label)];
  return std::ranges::count_if(size, [](Index members) { return members > 1; });
}

// One node per community; weights inside a community become the node's self weight.
SparseMatrix aggregate(const SparseMatrix& weights, const std::vector<Index>& labels, Index count) {
  Vector row = Vector::Zero(count);
  std::vector<std::vector<Index>> members(at(count));
  for (std::size_t i = 0; i < labels.size(); ++i) members[at(labels[i])].push_back(static_cast<Index>(i));
  SparseMatrix coarse(count, count);
  std::vector<Index> columns;
  std::vector<double> values;
  std::vector<Index> touched;
  for (Index c = 0; c < count; ++c) {
    touched.clear();
    for (const Index i : members[at(c)]) {
      for (SparseMatrix::InnerIterator entry(weights, i); entry; ++entry) {
        const Index other = labels[at(entry.col())];
        if (row[other] == 0) touched.push_back(other);
        row[other] += entry.value();
      }
    }
    std::ranges::sort(touched);
    for (const Index other : touched) {
      columns.push_back(other);
      values.push_back(row[other]);
      row[other] = 0;
    }
    coarse.outerIndexPtr()[c + 1] = static_cast<Index>(columns.size());
  }
  coarse.resizeNonZeros(static_cast<Index>(columns.size()));
  std::ranges::copy(columns, coarse.innerIndexPtr());
  std::ranges::copy(values, coarse.valuePtr());
  return coarse;
}

}  // namespace

std::vector<Index> louvain(const SparseMatrix& weights, Index enough, double resolution) {
  std::vector<Index> labels(at(weights.rows()));
  std::iota(labels.begin(), labels.end(), Index{0});
  SparseMatrix level = weights;
  for (;;) {
    LocalMoves moves(level, enough > 0, resolution);
    if (!moves.run()) break;
    std::vector<Index> step = std::move(moves).labels();
    const Index count = number_by_occurrence(step);
    for (Index& label : labels) label = step[at(label)];
    if (count == level.rows() || communities_of_several(labels, count) <= enough) break;
    level = aggregate(level, step, count);
  }
  number_by_occurrence(labels);
  return labels;
}

}  // namespace disc
