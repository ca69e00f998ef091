// k-means of feature profiles: trained on a sample, then one pass over all features. method (27)
#include "disc/prototypes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "graph/cells.hpp"
#include "graph/prepared_columns.hpp"
#include "matrix/blas.hpp"

namespace disc {
namespace {

constexpr int rounds = 8;
constexpr Index features_at_once = 1 << 16;  // of the pass over all features: their profiles are in memory together
constexpr Index features_per_piece = 4096;   // of one thread
constexpr Index samples_per_piece = 16;
constexpr Index features_for_the_loss = 2000;
// With so few prototypes the loss is known in a second. With more it falls, but from above this value to no useful one.
constexpr Index few_prototypes = 128;
constexpr double hopeless_loss = 0.6;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Index pieces(Index count, Index size) { return (count + size - 1) / size; }

// Profiles of some features, samples of all conditions x features: of variance 1 within every condition.
MatrixF profiles_of(std::span<const Dataset> conditions, const FeatureMatch& match, Distance distance,
                    std::span<const Index> features, const Context& context) {
  Index total = 0;
  for (const Dataset& condition : conditions) total += condition.values.rows();
  MatrixF points(total, static_cast<Index>(features.size()));
  Index first = 0;
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    std::vector<Index> columns;
    columns.reserve(features.size());
    for (const Index feature : features) columns.push_back(match.columns[m][at(feature)]);
    const PreparedColumns prepared(conditions[m], columns, distance, context);
    prepared.fill_points(points, first, context);
    points.middleRows(first, prepared.samples()) *= std::sqrt(static_cast<float>(prepared.samples()));
    first += prepared.samples();
  }
  return points;
}

std::vector<Index> nearest_centers(const MatrixF& points, const MatrixF& centers, const Context& context) {
  std::vector<Index> all(at(points.cols()));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Index> label(all.size());
  context.parallel_for(pieces(points.cols(), features_per_piece), [&](Index piece) {
    const Index first = piece * features_per_piece;
    const Index here = std::min(features_per_piece, points.cols() - first);
    assign_to_centers(points, std::span(all).subspan(at(first), at(here)), centers,
                      std::span(label).subspan(at(first), at(here)));
  });
  return label;
}

// sums.col(label) += point, for all points: some samples each, so that the order of the sums never changes.
void add_to_sums(const MatrixF& points, std::span<const Index> label, Matrix& sums, const Context& context) {
  context.parallel_for(pieces(points.rows(), samples_per_piece), [&](Index piece) {
    const Index first = piece * samples_per_piece;
    const Index here = std::min(samples_per_piece, points.rows() - first);
    for (Index j = 0; j < points.cols(); ++j) {
      sums.col(label[at(j)]).segment(first, here) += points.col(j).segment(first, here).cast<double>();
    }
  });
}

// A center that lost all its points keeps its place.
MatrixF train(const MatrixF& points, Index count, const Context& context) {
  MatrixF centers = points.leftCols(count);  // the points are in random order
  for (int round = 0; round < rounds; ++round) {
    context.check_stop();
    const std::vector<Index> label = nearest_centers(points, centers, context);
    Matrix sums = Matrix::Zero(points.rows(), count);
    add_to_sums(points, label, sums, context);
    Vector size = Vector::Zero(count);
    for (const Index l : label) size[l] += 1;
    for (Index c = 0; c < count; ++c) {
      if (size[c] > 0) centers.col(c) = (sums.col(c) / size[c]).cast<float>();
    }
    context.progress("prototypes", static_cast<double>(round + 1) / rounds);
  }
  return centers;
}

double loss_of(const MatrixF& points, const MatrixF& centers, const Context& context) {
  const std::vector<Index> label = nearest_centers(points, centers, context);
  double lost = 0;
  for (Index j = 0; j < points.cols(); ++j) {
    lost += static_cast<double>((points.col(j) - centers.col(label[at(j)])).squaredNorm());
  }
  return lost / std::max(1e-30, points.cast<double>().squaredNorm());
}

// Positions of some features in random order: those that the search looks at, then those that tell the loss.
struct Drawn {
  std::vector<Index> searched, measured;
};

Drawn draw(Index features, Index searched, const Context& context) {
  std::vector<Index> all(at(features));
  std::iota(all.begin(), all.end(), Index{0});
  std::mt19937_64 random = random_stream(context.seed(), "graph/prototypes");
  const Index wanted = std::min(features, searched + features_for_the_loss);
  for (Index i = 0; i < wanted; ++i) {  // the first of a shuffle
    std::uniform_int_distribution<Index> other(i, features - 1);
    std::swap(all[at(i)], all[at(other(random))]);
  }
  const Index measured = std::min(features_for_the_loss, wanted / 4);
  Drawn drawn;
  drawn.searched.assign(all.begin(), all.begin() + (wanted - measured));
  drawn.measured.assign(all.begin() + (wanted - measured), all.begin() + wanted);
  return drawn;
}

// What the pass over all features collects.
struct Pass {
  Matrix sums;  // samples of all conditions x prototypes
  Vector size;
  Vector nearest;  // squared distance of the representative
  std::vector<Index> representative;
  std::vector<std::int32_t> of;
  double squares = 0;

  Pass(Index samples, Index prototypes, Index features)
      : sums(Matrix::Zero(samples, prototypes)),
        size(Vector::Zero(prototypes)),
        nearest(Vector::Constant(prototypes, std::numeric_limits<double>::infinity())),
        representative(at(prototypes), -1),
        of(at(features)) {}

  void add(const MatrixF& points, const MatrixF& centers, std::span<const Index> label, Index first,
           const Context& context) {
    add_to_sums(points, label, sums, context);
    Vector distance(points.cols());
    Vector square(points.cols());
    context.parallel_for(pieces(points.cols(), features_per_piece), [&](Index piece) {
      for (Index j = piece * features_per_piece; j < std::min(points.cols(), (piece + 1) * features_per_piece); ++j) {
        square[j] = static_cast<double>(points.col(j).squaredNorm());
        distance[j] =
            centers.cols() == 0 ? 0.0 : static_cast<double>((points.col(j) - centers.col(label[at(j)])).squaredNorm());
      }
    });
    squares += square.sum();
    for (Index j = 0; j < points.cols(); ++j) {
      const Index own = label[at(j)];
      size[own] += 1;
      of[at(first + j)] = static_cast<std::int32_t>(own);
      if (distance[j] >= nearest[own]) continue;
      nearest[own] = distance[j];
      representative[at(own)] = first + j;
    }
  }
};

// Prototypes with features, numbered in the order of their representatives.
std::vector<Index> used_prototypes(const Pass& pass) {
  std::vector<Index> used;
  for (Index c = 0; c < pass.size.size(); ++c) {
    if (pass.size[c] > 0) used.push_back(c);
  }
  std::ranges::sort(used, {}, [&](Index c) { return pass.representative[at(c)]; });
  return used;
}

Prototypes finish(Pass pass, std::span<const Dataset> conditions) {
  const std::vector<Index> used = used_prototypes(pass);
  const auto count = static_cast<Index>(used.size());
  Prototypes result;
  result.sizes.resize(count);
  std::vector<std::int32_t> number(at(pass.size.size()), -1);
  Matrix means(pass.sums.rows(), count);
  double kept = 0;
  for (Index c = 0; c < count; ++c) {
    const Index old = used[at(c)];
    number[at(old)] = static_cast<std::int32_t>(c);
    result.sizes[c] = pass.size[old];
    result.representatives.push_back(pass.representative[at(old)]);
    means.col(c) = pass.sums.col(old) / pass.size[old];
    kept += result.sizes[c] * means.col(c).squaredNorm();
  }
  result.loss = std::max(0.0, 1.0 - kept / std::max(1e-30, pass.squares));
  result.of = std::move(pass.of);
  for (std::int32_t& own : result.of) own = number[static_cast<std::size_t>(own)];
  Index first = 0;
  for (const Dataset& condition : conditions) {
    const Index samples = condition.values.rows();
    result.profiles.emplace_back(
        (means.middleRows(first, samples) / std::sqrt(static_cast<double>(samples))).cast<float>());
    first += samples;
  }
  return result;
}

}  // namespace

PrototypeCenters find_prototypes(std::span<const Dataset> conditions, const FeatureMatch& match, Distance distance,
                                 Index count, const Context& context) {
  const auto features = static_cast<Index>(match.features.size());
  PrototypeCenters result;
  if (count >= features) return result;
  prepare_blas();
  const auto search = [&](Index wanted) {
    const Drawn drawn = draw(features, wanted * points_per_center, context);
    const Index possible = std::min(wanted, static_cast<Index>(drawn.searched.size()));
    result.centers = train(profiles_of(conditions, match, distance, drawn.searched, context), possible, context);
    result.loss = loss_of(profiles_of(conditions, match, distance, drawn.measured, context), result.centers, context);
  };
  search(std::min(count, few_prototypes));
  if (count > few_prototypes && result.loss < hopeless_loss) search(count);
  return result;
}

Prototypes assign_prototypes(std::span<const Dataset> conditions, const FeatureMatch& match, Distance distance,
                             const PrototypeCenters& found, const Context& context) {
  prepare_blas();
  const auto features = static_cast<Index>(match.features.size());
  const bool each_its_own = found.centers.cols() == 0;
  Index samples = 0;
  for (const Dataset& condition : conditions) samples += condition.values.rows();
  Pass pass(samples, each_its_own ? features : found.centers.cols(), features);
  for (Index first = 0; first < features; first += features_at_once) {
    context.check_stop();
    std::vector<Index> which(at(std::min(features_at_once, features - first)));
    std::iota(which.begin(), which.end(), first);
    const MatrixF points = profiles_of(conditions, match, distance, which, context);
    pass.add(points, found.centers, each_its_own ? which : nearest_centers(points, found.centers, context), first,
             context);
    context.progress("prototypes",
                     static_cast<double>(std::min(features, first + features_at_once)) / static_cast<double>(features));
  }
  return finish(std::move(pass), conditions);
}

Matrix correlations_of_prototypes(const Prototypes& prototypes, Index condition) {
  const Matrix profiles = prototypes.profiles[at(condition)].cast<double>();
  Matrix r = profiles.transpose() * profiles;
  for (Index a = 0; a < r.cols(); ++a) {
    const double size = prototypes.sizes[a];
    r(a, a) = size > 1 ? (size * r(a, a) - 1.0) / (size - 1.0) : 0.0;
  }
  return r;
}

Matrix lift_to_features(const Matrix& vectors, const Prototypes& prototypes) {
  const Vector factor = prototypes.sizes.array().rsqrt();
  Matrix lifted(static_cast<Index>(prototypes.of.size()), vectors.cols());
  for (Index k = 0; k < vectors.cols(); ++k) {
    const Vector values = vectors.col(k).cwiseProduct(factor);
    for (std::size_t j = 0; j < prototypes.of.size(); ++j) lifted(static_cast<Index>(j), k) = values[prototypes.of[j]];
  }
  return lifted;
}

}  // namespace disc
