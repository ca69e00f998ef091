#include "graph/leaf_map.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace disc {
namespace {

constexpr Index features_looked_at = 400;  // to measure the recall
constexpr double recall_margin = 0.004;    // above what is asked for: the sample has its own chance

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

MatrixF leaf_centres(const MatrixF& ordered, const Leaves& leaves, const Context& context) {
  MatrixF centres(ordered.rows(), leaves.count());
  context.parallel_for(leaves.count(), [&](Index leaf) {
    centres.col(leaf) = ordered.middleCols(leaves.begin[at(leaf)], leaves.size(leaf)).rowwise().mean();
  });
  return centres;
}

LeafMap::LeafMap(MatrixF centres) : centres_(std::move(centres)) {
  half_squares_ = 0.5F * centres_.colwise().squaredNorm().transpose();
}

std::vector<Index> LeafMap::from_near_to_far(Index leaf, Index most, bool sign_free) const {
  Eigen::VectorXf keys = centres_.transpose() * centres_.col(leaf);
  keys = sign_free ? (half_squares_ - keys.cwiseAbs()).eval() : (half_squares_ - keys).eval();
  keys[leaf] = -std::numeric_limits<float>::infinity();
  std::vector<Index> order(at(centres_.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto middle = order.begin() + std::min<std::ptrdiff_t>(most, static_cast<std::ptrdiff_t>(order.size()));
  std::partial_sort(order.begin(), middle, order.end(),
                    [&](Index a, Index b) { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); });
  order.erase(middle, order.end());
  return order;
}

std::vector<Index> sample_for_recall(Index features, const Context& context) {
  std::vector<Index> all(at(features));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Index> sample;
  std::mt19937_64 random = random_stream(context.seed(), "graph/recall");
  std::ranges::sample(all, std::back_inserter(sample), features_looked_at, random);
  return sample;
}

Reach find_reach(std::span<const Index> sample, std::span<const std::int32_t> truth, const Leaves& leaves,
                 const LeafMap& map, double recall, bool sign_free, const Context& context) {
  const auto count = static_cast<Index>(truth.size() / sample.size());
  const auto leaf_of = [&](Index place) {
    return std::upper_bound(leaves.begin.begin(), leaves.begin.end(), place) - leaves.begin.begin() - 1;
  };
  std::vector<std::vector<Index>> found(sample.size(), std::vector<Index>(at(leaves.count()), 0));
  context.parallel_for(static_cast<Index>(sample.size()), [&](Index i) {
    const std::vector<Index> near = map.from_near_to_far(leaf_of(sample[at(i)]), leaves.count(), sign_free);
    std::vector<Index> place(near.size());
    for (std::size_t k = 0; k < near.size(); ++k) place[at(near[k])] = static_cast<Index>(k);
    for (Index k = 0; k < count; ++k) ++found[at(i)][at(place[at(leaf_of(truth[at(i * count + k)]))])];
  });
  const double total = static_cast<double>(sample.size()) * static_cast<double>(count);
  Reach reach;
  double so_far = 0;
  while (reach.leaves < leaves.count() &&
         (reach.leaves < fewest_leaves_compared || so_far / total < std::min(1.0, recall + recall_margin))) {
    for (const auto& places : found) so_far += static_cast<double>(places[at(reach.leaves)]);
    ++reach.leaves;
  }
  reach.recall = so_far / total;
  return reach;
}

}  // namespace disc
