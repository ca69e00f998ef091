#include "groups/silhouette.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace disc {
namespace {

constexpr Index kLargestSample = 2000;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The members of each cluster that are looked at.
std::vector<std::vector<Index>> sampled_members(std::span<const Index> labels, Index clusters, const Context& context) {
  std::vector<std::vector<Index>> members(at(clusters));
  for (std::size_t i = 0; i < labels.size(); ++i) members[at(labels[i])].push_back(static_cast<Index>(i));
  if (static_cast<Index>(labels.size()) <= kLargestSample) return members;
  const Index share = std::max<Index>(2, kLargestSample / clusters);
  for (Index cluster = 0; cluster < clusters; ++cluster) {
    std::vector<Index>& all = members[at(cluster)];
    if (static_cast<Index>(all.size()) <= share) continue;
    std::mt19937_64 random = random_stream(context.seed(), "silhouette", static_cast<std::uint64_t>(cluster));
    std::vector<Index> some;
    std::ranges::sample(all, std::back_inserter(some), share, random);
    all = std::move(some);
  }
  return members;
}

}  // namespace

double mean_silhouette(const Matrix& points, std::span<const Index> labels, Index clusters, const Context& context) {
  if (clusters < 2) return 0;
  const std::vector<std::vector<Index>> members = sampled_members(labels, clusters, context);
  std::vector<RowMatrix> rows(at(clusters));
  for (Index cluster = 0; cluster < clusters; ++cluster) rows[at(cluster)] = points(members[at(cluster)], Eigen::all);

  Vector silhouettes = Vector::Zero(clusters);
  context.parallel_for(clusters, [&](Index own) {
    const Index size = rows[at(own)].rows();
    if (size < 2) return;
    double sum = 0;
    for (Index i = 0; i < size; ++i) {
      double within = 0;
      double nearest = std::numeric_limits<double>::infinity();
      for (Index other = 0; other < clusters; ++other) {
        const RowMatrix& others = rows[at(other)];
        if (others.rows() == 0) continue;
        const double distances = (others.rowwise() - rows[at(own)].row(i)).rowwise().norm().sum();
        if (other == own) {
          within = distances / static_cast<double>(size - 1);  // without the point itself
        } else {
          nearest = std::min(nearest, distances / static_cast<double>(others.rows()));
        }
      }
      const double larger = std::max(within, nearest);
      if (larger > 0 && std::isfinite(larger)) sum += (nearest - within) / larger;
    }
    silhouettes[own] = sum / static_cast<double>(size);
  });
  return silhouettes.mean();
}

}  // namespace disc
