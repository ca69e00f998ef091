// Counts of reads: differences of depth between samples and between conditions are not differences of connection.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "prepare/steps.hpp"

namespace disc {
namespace {

constexpr Index rows_at_once = 256;
// The features that vary most, as long as they hold no more than this share of all counts, have no say in the depth of a sample: a
// program of genes that takes a tenth of the counts where it is active would make all others look as if they fell together. With few
// features there is nobody left to tell the depth by.
constexpr double share_without_say = 0.25;
constexpr std::size_t min_features_for_say = 50;

template <class F>
void for_each_row(const SampleMatrix& values, F&& use) {
  const std::vector<Index> columns = all_columns(values);
  RowMatrix rows;
  for (Index first = 0; first < values.rows(); first += rows_at_once) {
    values.copy_rows(first, std::min(rows_at_once, values.rows() - first), columns, rows);
    for (Index i = 0; i < rows.rows(); ++i) use(first + i, rows.row(i));
  }
}

// Sum of every sample; throws where a value cannot be a count.
Vector depths_of(const Dataset& condition) {
  Vector depths = Vector::Zero(condition.values.rows());
  for_each_row(condition.values, [&](Index sample, const auto& row) {
    for (Index j = 0; j < row.size(); ++j) {
      if (row[j] >= 0 && row[j] == std::floor(row[j])) continue;
      throw InputError(
          {.file = condition.source, .value = std::to_string(row[j])},
          "sample '" + condition.samples[static_cast<std::size_t>(sample)] + "', feature '" +
              condition.features[static_cast<std::size_t>(j)] + "' is " + std::to_string(row[j]) +
              "; log-cpm needs counts: whole numbers of at least 0. Values that were normalized before need "
              "no --normalize");
    }
    depths[sample] = row.sum();
  });
  return depths;
}

// The depth below which the share lies, between the sorted values.
double quantile(const Vector& sorted, double share) {
  const double place =
      std::clamp(share * static_cast<double>(sorted.size()) - 0.5, 0.0, static_cast<double>(sorted.size() - 1));
  const auto below = static_cast<Index>(place);
  const Index above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Share of its reads that every sample keeps, so that the sample of a rank is as deep in every condition as in the shallowest one:
// conditions are then alike in the whole distribution of depths, not in the mean only.
std::vector<Vector> shares_kept(std::span<const Vector> depths) {
  std::vector<Vector> sorted(depths.begin(), depths.end());
  for (Vector& values : sorted) std::ranges::sort(values);
  std::vector<Vector> kept;
  for (const Vector& own : depths) {
    std::vector<Index> order(static_cast<std::size_t>(own.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return own[i]; });
    Vector shares = Vector::Ones(own.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const double share = (static_cast<double>(rank) + 0.5) / static_cast<double>(order.size());
      double depth = own[order[rank]];
      for (const Vector& other : sorted) depth = std::min(depth, quantile(other, share));
      if (depth > 0) shares[order[rank]] = depth / own[order[rank]];
    }
    kept.push_back(std::move(shares));
  }
  return kept;
}

// Every read is kept with the same probability: what shallower sequencing would have seen.
void thin(Eigen::RowVectorXd& row, double kept, std::mt19937_64& random) {
  for (double& count : row) {
    if (count <= 0) continue;
    count =
        static_cast<double>(std::binomial_distribution<std::int64_t>(static_cast<std::int64_t>(count), kept)(random));
  }
}

// Mean and variance of counts scaled to equal depth, by the name of the feature and over all conditions.
struct Spread {
  double sum = 0, squares = 0, counts = 0, samples = 0;
  // Variance beyond that of counting, relative to the mean.
  double beyond_counting() const {
    const double mean = sum / samples;
    return mean > 0 ? (squares / samples - mean * mean - mean) / (mean * mean) : 0.0;
  }
};

using SpreadOfFeature = std::unordered_map<std::string, Spread>;

SpreadOfFeature spreads_of(std::span<const Dataset> conditions, std::span<const Vector> depths, double depth) {
  SpreadOfFeature spreads;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    const Index features = conditions[m].values.cols();
    Vector sum = Vector::Zero(features), squares = Vector::Zero(features), counts = Vector::Zero(features);
    for_each_row(conditions[m].values, [&](Index sample, const auto& row) {
      if (depths[m][sample] <= 0) return;
      const double scale = depth / depths[m][sample];
      counts += row.transpose();
      sum += scale * row.transpose();
      squares += scale * scale * row.transpose().cwiseAbs2();
    });
    for (Index j = 0; j < features; ++j) {
      Spread& spread = spreads[conditions[m].features[static_cast<std::size_t>(j)]];
      spread.sum += sum[j];
      spread.squares += squares[j];
      spread.counts += counts[j];
      spread.samples += static_cast<double>(conditions[m].values.rows());
    }
  }
  return spreads;
}

// Who has a say in the depth of a sample, and what share of all counts they hold.
struct DepthFeatures {
  std::unordered_set<std::string> without_say;
  double share = 1;
};

DepthFeatures depth_features(const SpreadOfFeature& spreads) {
  DepthFeatures result;
  if (spreads.size() < min_features_for_say) return result;
  std::vector<std::pair<double, std::string>> order;
  double all = 0;
  for (const auto& [name, spread] : spreads) {
    order.emplace_back(-spread.beyond_counting(), name);
    all += spread.counts;
  }
  std::ranges::sort(order);
  double left_out = 0;
  for (const auto& [negative, name] : order) {
    const double counts = spreads.at(name).counts;
    if (negative >= 0 || left_out + counts > share_without_say * all) break;
    left_out += counts;
    result.without_say.insert(name);
  }
  if (all > 0) result.share = 1.0 - left_out / all;
  return result;
}

SampleMatrix normalized(const Dataset& condition, const Vector& kept, double depth, const DepthFeatures& telling,
                        const Context& context) {
  Eigen::RowVectorXd has_say = Eigen::RowVectorXd::Ones(condition.values.cols());
  for (Index j = 0; j < has_say.size(); ++j) {
    if (telling.without_say.contains(condition.features[static_cast<std::size_t>(j)])) has_say[j] = 0;
  }
  std::vector<Eigen::Triplet<double, Index>> entries;
  for_each_row(condition.values, [&](Index sample, const auto& given) {
    Eigen::RowVectorXd row = given;
    if (kept[sample] < 1) {
      std::mt19937_64 random =
          random_stream(context.seed(), "matrix/thin/" + condition.name, static_cast<std::uint64_t>(sample));
      thin(row, kept[sample], random);
    }
    const double told = row.dot(has_say) / telling.share;
    const double total = told > 0 ? told : row.sum();
    for (Index j = 0; j < row.size(); ++j) {
      if (row[j] > 0) entries.emplace_back(sample, j, std::log1p(row[j] * depth / total));
    }
  });
  SparseMatrix values(condition.values.rows(), condition.values.cols());
  values.setFromTriplets(entries.begin(), entries.end());
  return condition.values.is_sparse() ? SampleMatrix(values) : SampleMatrix(RowMatrix(values));
}

}  // namespace

std::vector<Dataset> normalize_counts(std::span<const Dataset> conditions, const Context& context) {
  std::vector<Vector> depths;
  for (const Dataset& condition : conditions) depths.push_back(depths_of(condition));
  const std::vector<Vector> kept = shares_kept(depths);
  double shallowest = std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < depths.size(); ++m)
    shallowest = std::min(shallowest, depths[m].dot(kept[m]) / static_cast<double>(kept[m].size()));
  const DepthFeatures telling = depth_features(spreads_of(conditions, depths, shallowest));
  std::vector<Dataset> result(conditions.begin(), conditions.end());
  for (std::size_t m = 0; m < result.size(); ++m) {
    result[m].values = normalized(conditions[m], kept[m], shallowest, telling, context);
  }
  return result;
}

}  // namespace disc
