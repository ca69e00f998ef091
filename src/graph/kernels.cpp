#include "graph/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/selection.hpp"
#include "graph/tiles.hpp"
#include "matrix/simd.hpp"
#include "matrix/vector_exp.hpp"

namespace disc {
namespace {

constexpr Index kernel_tile = 64;  // a tile and its mirror image stay in the first-level cache

// method section 2: bandwidth = distance to the k-th nearest other feature, squared here. Duplicates (0) get the smallest
// positive one. Of all features in every process, from the columns of own features.
Vector squared_bandwidths(const Matrix& squared, Index k, const Partition& partition, Index& duplicates,
                          const Context& context) {
  const Index p = squared.rows();
  Vector own(partition.count);
  constexpr Index features_at_once = 64;
  context.parallel_for((partition.count + features_at_once - 1) / features_at_once, [&](Index block) {
    std::vector<double> scratch;
    const Index end = std::min(partition.count, (block + 1) * features_at_once);
    for (Index j = block * features_at_once; j < end; ++j) {
      own[j] = kth_smallest(squared.data() + j * p, p, partition.first + j, k, scratch);
    }
  });
  return without_zeros(context.team().rows_to_all(own), duplicates);
}

double correlation(double squared_distance) { return 1.0 - 0.5 * squared_distance; }

// Upper tail of the standard normal distribution.
double tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

// The smallest correlation such that, of the pairs at or above it, a share of at most `level` is expected by chance
// (Benjamini & Hochberg on Fisher's z), to a resolution of 1e-4.
double false_discovery_cut(const Matrix& squared, Index first, Index samples, const GraphOptions& options,
                           const Team& team) {
  constexpr Index bins = 10'000;
  std::vector<double> histogram(bins + 1, 0);  // whole numbers
  const Index p = squared.rows();
  for (Index j = 0; j < squared.cols(); ++j) {
    for (Index i = first + j + 1; i < p; ++i) {
      const double r = correlation(squared(i, j));
      if (r > 0) ++histogram[static_cast<std::size_t>(std::min(bins, static_cast<Index>(r * bins)))];
    }
  }
  team.sum(histogram.data(), bins + 1);
  const double tails = options.distance == Distance::abs_correlation ? 2.0 : 1.0;
  const double pairs = 0.5 * static_cast<double>(p) * static_cast<double>(p - 1);
  const double root = std::sqrt(std::max(1.0, static_cast<double>(samples - 3)));
  double cut = std::numeric_limits<double>::infinity();
  double above = 0;
  for (Index bin = bins; bin >= 1; --bin) {
    above += histogram[static_cast<std::size_t>(bin)];
    if (above == 0) continue;
    const double r = static_cast<double>(bin) / bins;
    const double chance = tails * tail(std::atanh(std::min(r, 1.0 - 1e-15)) * root);
    if (chance * pairs <= options.association_fdr * above) cut = r;
  }
  return cut;
}

// Each kernel turns a run of squared distances between features i .. and feature j into weights.
DISC_SIMD void self_tuning(const double* squared, const double* inverse, double inverse_j, Index count,
                           double* weights) {
  for (Index i = 0; i < count; ++i) weights[i] = exp_not_positive(-squared[i] * (inverse[i] * inverse_j));
}

DISC_SIMD void adaptive(const double* squared, const double* inverse, double inverse_j, Index count, double* weights) {
  for (Index i = 0; i < count; ++i) {
    weights[i] = 0.5 * (exp_not_positive(-squared[i] * inverse[i]) + exp_not_positive(-squared[i] * inverse_j));
  }
}

DISC_SIMD void rbf(const double* squared, double inverse, Index count, double* weights) {
  for (Index i = 0; i < count; ++i) weights[i] = exp_not_positive(-squared[i] * inverse);
}

DISC_SIMD Index count_at_least(const float* values, float least, Index count) {
  int found = 0;
  for (Index i = 0; i < count; ++i) found += values[i] >= least ? 1 : 0;
  return found;
}

void association(const double* squared, const GraphOptions& options, double cut, Index count, double* weights) {
  const double subtract = options.association_cut == AssociationCut::soft ? cut : 0.0;
  for (Index i = 0; i < count; ++i) {
    const double r = 1.0 - 0.5 * squared[i];
    const double kept = r > 0.0 && r >= cut ? r - subtract : 0.0;
    weights[i] = options.association_power == 1.0 ? kept : std::pow(kept, options.association_power);
  }
}

}  // namespace

KernelColumn::KernelColumn(const KernelInputs& inputs, const GraphOptions& options)
    : options_(options), cut_(inputs.cut) {
  // self-tuning multiplies 1/s_i and 1/s_j, adaptive uses 1/s_i^2.
  if (options.kernel == Kernel::self_tuning) inverse_ = inputs.bandwidths.cwiseInverse();
  if (options.kernel == Kernel::adaptive) inverse_ = inputs.bandwidths.array().square().inverse();
}

void KernelColumn::operator()(const double* squared, Index first, Index count, Index j, double* weights) const {
  switch (options_.kernel) {
    case Kernel::self_tuning:
      self_tuning(squared, inverse_.data() + first, inverse_[j], count, weights);
      break;
    case Kernel::adaptive:
      adaptive(squared, inverse_.data() + first, inverse_[j], count, weights);
      break;
    case Kernel::rbf:
      rbf(squared, 1.0 / (*options_.bandwidth * *options_.bandwidth), count, weights);
      break;
    case Kernel::association:
      association(squared, options_, cut_, count, weights);
      break;
    case Kernel::precomputed:
      break;
  }
}

namespace {

// `to` may be the memory of `from`: every pair is read before it and its mirror image are written.
template <class T>
void weigh_tile(const TilePair& t, const KernelColumn& kernel, double self_weight, const Matrix& from,
                Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& to) {
  Eigen::Matrix<double, kernel_tile, kernel_tile> weights;
  for (Index j = 0; j < t.cols; ++j) {
    kernel(from.data() + t.row + (t.col + j) * from.rows(), t.row, t.rows, t.col + j, weights.data() + j * kernel_tile);
  }
  auto block = weights.topLeftCorner(t.rows, t.cols);
  if (t.diagonal()) {
    block.template triangularView<Eigen::StrictlyUpper>() = block.transpose().eval();
    block.diagonal().setConstant(self_weight);
    to.block(t.row, t.col, t.rows, t.cols) = block.template cast<T>();
    return;
  }
  to.block(t.row, t.col, t.rows, t.cols) = block.template cast<T>();
  to.block(t.col, t.row, t.cols, t.rows) = block.transpose().template cast<T>();
}

template <class T>
void weigh_all(const KernelColumn& kernel, double self_weight, const Matrix& from,
               Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& to, const Context& context) {
  const std::vector<TilePair> tiles = lower_tiles(from.rows(), kernel_tile);
  constexpr Index tiles_at_once = 64;
  const Index count = static_cast<Index>(tiles.size());
  context.parallel_for((count + tiles_at_once - 1) / tiles_at_once, [&](Index block) {
    const Index end = std::min(count, (block + 1) * tiles_at_once);
    for (Index t = block * tiles_at_once; t < end; ++t)
      weigh_tile(tiles[static_cast<std::size_t>(t)], kernel, self_weight, from, to);
  });
}

// The columns of own features only: nobody has their mirror images.
SymmetricMatrix weigh_columns(Matrix&& squared, const KernelColumn& kernel, double self_weight, Index first) {
  for (Index j = 0; j < squared.cols(); ++j) {
    double* const column = squared.data() + j * squared.rows();
    kernel(column, 0, squared.rows(), first + j, column);
    column[first + j] = self_weight;
  }
  return SymmetricMatrix(std::move(squared));
}

}  // namespace

Vector without_zeros(Vector bandwidths, Index& duplicates) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double value : bandwidths) {
    if (value > 0) smallest = std::min(smallest, value);
  }
  if (!std::isfinite(smallest)) smallest = 1.0;  // every feature is a duplicate: all distances that matter are 0
  duplicates = (bandwidths.array() <= 0).count();
  return (bandwidths.array() <= 0).select(smallest, bandwidths);
}

Index usual_neighbors(Index features) {
  return std::clamp<Index>(std::lround(std::log2(static_cast<double>(features))), 1, features - 1);
}

double noise_cut(Index samples, const GraphOptions& options) {
  return options.association_z / std::sqrt(static_cast<double>(samples));
}

KernelInputs resolve_kernel(const Matrix& squared_distances, Index samples, GraphOptions& options,
                            const Context& context) {
  const Team& team = context.team();
  const Partition partition = team.partition_of(squared_distances.cols());
  KernelInputs inputs;
  if (options.kernel == Kernel::self_tuning || options.kernel == Kernel::adaptive) {
    if (!options.bandwidth_neighbors) options.bandwidth_neighbors = usual_neighbors(partition.total());
    inputs.bandwidths =
        squared_bandwidths(squared_distances, *options.bandwidth_neighbors, partition, inputs.duplicates, context)
            .cwiseSqrt();
  } else if (options.kernel == Kernel::rbf && !options.bandwidth) {
    const double squared = median_of_pairs(squared_distances, partition.first, &team);
    options.bandwidth = squared > 0 ? std::sqrt(squared) : 1.0;
  } else if (options.kernel == Kernel::association) {
    inputs.cut = options.association_cut == AssociationCut::fdr
                     ? false_discovery_cut(squared_distances, partition.first, samples, options, team)
                     : noise_cut(samples, options);
  }
  return inputs;
}

SparseMatrix associations(const Correlations& correlations, const GraphOptions& options) {
  const Index p = correlations.values.rows();
  const auto samples = static_cast<double>(std::max<Index>(1, correlations.samples));
  const auto cut = static_cast<float>(options.association_z / std::sqrt(samples));
  const float least = std::max(cut, std::numeric_limits<float>::min());  // a weight is positive
  const float subtract = options.association_cut == AssociationCut::soft ? cut : 0.0F;
  const double own = *options.self_weight;
  SparseMatrix weights(p, p);
  Index* const start = weights.outerIndexPtr();
  start[0] = 0;
  for (Index j = 0; j < p; ++j) {  // by symmetry a row is a column, contiguous in memory
    const float* const r = correlations.values.data() + j * p;
    start[j + 1] = start[j] + count_at_least(r, least, p) + (own > 0 ? 1 : 0) - (r[j] >= least ? 1 : 0);
  }
  weights.resizeNonZeros(start[p]);
  for (Index j = 0; j < p; ++j) {
    const float* const r = correlations.values.data() + j * p;
    Index next = start[j];
    const auto add = [&](Index i, double weight) {
      weights.innerIndexPtr()[next] = i;
      weights.valuePtr()[next++] = weight;
    };
    for (Index i = 0; i < p; ++i) {
      if (i == j) {
        if (own > 0) add(i, own);
      } else if (r[i] >= least) {
        const double kept = static_cast<double>(r[i] - subtract);
        add(i, options.association_power == 1.0 ? kept : std::pow(kept, options.association_power));
      }
    }
  }
  return weights;
}

SymmetricMatrix apply_kernel(Matrix&& squared_distances, const KernelInputs& inputs, const GraphOptions& options,
                             const Context& context) {
  const KernelColumn kernel(inputs, options);
  const Partition partition = context.team().partition_of(squared_distances.cols());
  if (partition.count < partition.total()) {
    return weigh_columns(std::move(squared_distances), kernel, *options.self_weight, partition.first);
  }
  if (options.precision == Precision::single) {
    MatrixF weights(squared_distances.rows(), squared_distances.cols());
    weigh_all(kernel, *options.self_weight, squared_distances, weights, context);
    return SymmetricMatrix(std::move(weights));
  }
  weigh_all(kernel, *options.self_weight, squared_distances, squared_distances, context);
  return SymmetricMatrix(std::move(squared_distances));
}

}  // namespace disc
