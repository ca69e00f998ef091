// k-means++ starts, Lloyd's iterations, the best of several restarts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "disc/groups.hpp"

namespace disc {
namespace {

constexpr Index kMaxIterations = 300;
constexpr Index kBlockRows = 4096;  // a block of points and its scores stay in cache

using Label = std::int32_t;  // labels of all restarts are kept: half the memory of Index

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// What one restart ends with.
struct Clustering {
  std::vector<Label> labels;
  RowMatrix centers;
  double inertia = 0;
};

/// Squared distance by differences: exactly zero for equal points, unlike |x|^2 - 2 xc + |c|^2.
double squared_distance(const RowMatrix& points, Index row, const RowMatrix& centers, Index center) {
  return (points.row(row) - centers.row(center)).squaredNorm();
}

/// The row where the running sum of `weights` passes `target`; never a row of weight zero.
Index weighted_choice(const Vector& weights, double target) {
  double sum = 0;
  Index last = 0;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    sum += weights[i];
    last = i;
    if (sum > target) return i;
  }
  return last;  // rounding left the target beyond the end
}

/// Greedy k-means++: of a few candidates drawn with probability proportional to the squared distance to the nearest
/// center, the one that lowers the total most. Fewer centers come back when there are fewer distinct points.
RowMatrix starting_centers(const RowMatrix& points, Index clusters, std::mt19937_64& random, const Context& context) {
  const Index count = points.rows();
  const Index candidates = 2 + static_cast<Index>(std::log(static_cast<double>(clusters)));
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  RowMatrix centers(clusters, points.cols());
  centers.row(0) = points.row(std::uniform_int_distribution<Index>(0, count - 1)(random));
  Vector nearest = (points.rowwise() - centers.row(0)).rowwise().squaredNorm();
  Vector trial(count);
  Vector best(count);
  for (Index cluster = 1; cluster < clusters; ++cluster) {
    context.check_stop();
    const double total = nearest.sum();
    if (!(total > 0)) return centers.topRows(cluster);
    double best_total = std::numeric_limits<double>::infinity();
    for (Index candidate = 0; candidate < candidates; ++candidate) {
      const Index row = weighted_choice(nearest, uniform(random) * total);
      trial = (points.rowwise() - points.row(row)).rowwise().squaredNorm().cwiseMin(nearest);
      const double trial_total = trial.sum();
      if (trial_total < best_total) {
        best_total = trial_total;
        best.swap(trial);
        centers.row(cluster) = points.row(row);
      }
    }
    nearest.swap(best);
  }
  return centers;
}

/// Gives every point the label of its nearest center, the lowest label on ties. A point is looked at again only when
/// the centers moved far enough to change its label (bounds of Hamerly 2010); the labels are those of the plain method.
class Assignment {
 public:
  explicit Assignment(const RowMatrix& points)
      : points_(points),
        squared_norms_(points.rowwise().squaredNorm()),
        upper_(Vector::Constant(points.rows(), std::numeric_limits<double>::infinity())),
        lower_(Vector::Zero(points.rows())),
        slack_(kRoundingOfBounds * std::sqrt(squared_norms_.maxCoeff())) {}

  /// Returns whether a label changed.
  bool update(const RowMatrix& centers, std::vector<Label>& labels);
  /// Widens the bounds after each center moved by `moves`.
  void loosen(const Vector& moves, const std::vector<Label>& labels);
  /// The label of a point was changed by hand.
  void forget(Index row) { upper_[row] = std::numeric_limits<double>::infinity(); }

 private:
  // Distances come from |x|^2 - 2 xc + |c|^2: the rounding is near sqrt(1e-16) of |x| in the worst case.
  static constexpr double kRoundingOfBounds = 1e-7;

  bool update_block(const RowMatrix& centers, const Eigen::RowVectorXd& half_norms, std::vector<Label>& labels);

  const RowMatrix& points_;
  Vector squared_norms_;
  Vector upper_;  // at least the distance to the own center
  Vector lower_;  // at most the distance to every other center
  double slack_;
  std::vector<Index> block_;  // points to look at
  RowMatrix gathered_, scores_;
};

bool Assignment::update(const RowMatrix& centers, std::vector<Label>& labels) {
  const Eigen::RowVectorXd half_norms = 0.5 * centers.rowwise().squaredNorm().transpose();
  bool changed = false;
  for (Index i = 0; i < points_.rows(); ++i) {
    if (upper_[i] + slack_ < lower_[i]) continue;
    block_.push_back(i);
    if (static_cast<Index>(block_.size()) == kBlockRows) changed = update_block(centers, half_norms, labels) || changed;
  }
  return update_block(centers, half_norms, labels) || changed;
}

bool Assignment::update_block(const RowMatrix& centers, const Eigen::RowVectorXd& half_norms,
                              std::vector<Label>& labels) {
  if (block_.empty()) return false;
  gathered_ = points_(block_, Eigen::all);
  scores_.noalias() = gathered_ * centers.transpose();
  bool changed = false;
  for (std::size_t k = 0; k < block_.size(); ++k) {
    double lowest = std::numeric_limits<double>::infinity();
    double second = lowest;
    Index label = 0;
    for (Index cluster = 0; cluster < centers.rows(); ++cluster) {
      const double score = half_norms[cluster] - scores_(static_cast<Index>(k), cluster);
      if (score < lowest) {
        second = lowest;
        lowest = score;
        label = cluster;
      } else if (score < second) {
        second = score;
      }
    }
    const Index row = block_[k];
    upper_[row] = std::sqrt(std::max(0.0, squared_norms_[row] + 2 * lowest));
    lower_[row] = std::sqrt(std::max(0.0, squared_norms_[row] + 2 * second));
    changed = changed || labels[at(row)] != label;
    labels[at(row)] = static_cast<Label>(label);
  }
  block_.clear();
  return changed;
}

void Assignment::loosen(const Vector& moves, const std::vector<Label>& labels) {
  Index farthest = 0;
  const double largest = moves.maxCoeff(&farthest);
  double second = 0;
  for (Index cluster = 0; cluster < moves.size(); ++cluster) {
    if (cluster != farthest) second = std::max(second, moves[cluster]);
  }
  for (Index i = 0; i < points_.rows(); ++i) {
    const Label label = labels[at(i)];
    upper_[i] += moves[label];
    lower_[i] -= label == farthest ? second : largest;
  }
}

/// Moves the point farthest from its center into each empty cluster. Returns whether a label changed.
bool fill_empty_clusters(const RowMatrix& points, const RowMatrix& centers, std::vector<Label>& labels,
                         Assignment& assignment) {
  std::vector<Index> sizes(at(centers.rows()), 0);
  for (const Label label : labels) ++sizes[at(label)];
  if (std::ranges::find(sizes, Index{0}) == sizes.end()) return false;
  Vector distances(points.rows());
  for (Index i = 0; i < points.rows(); ++i) distances[i] = squared_distance(points, i, centers, labels[at(i)]);
  bool changed = false;
  for (Index cluster = 0; cluster < centers.rows(); ++cluster) {
    if (sizes[at(cluster)] > 0) continue;
    Index farthest = -1;
    for (Index i = 0; i < points.rows(); ++i) {
      if (sizes[at(labels[at(i)])] < 2 || distances[i] <= 0) continue;
      if (farthest < 0 || distances[i] > distances[farthest]) farthest = i;
    }
    if (farthest < 0) break;  // every point is its own center already
    --sizes[at(labels[at(farthest)])];
    ++sizes[at(cluster)];
    labels[at(farthest)] = static_cast<Label>(cluster);
    distances[farthest] = 0;
    assignment.forget(farthest);
    changed = true;
  }
  return changed;
}

/// Centers become the means of their points; an empty cluster keeps its center.
void move_centers(const RowMatrix& points, const std::vector<Label>& labels, RowMatrix& centers) {
  RowMatrix sums = RowMatrix::Zero(centers.rows(), centers.cols());
  std::vector<Index> sizes(at(centers.rows()), 0);
  for (Index i = 0; i < points.rows(); ++i) {
    const Label label = labels[at(i)];
    sums.row(label) += points.row(i);
    ++sizes[at(label)];
  }
  for (Index cluster = 0; cluster < centers.rows(); ++cluster) {
    if (sizes[at(cluster)] > 0) centers.row(cluster) = sums.row(cluster) / static_cast<double>(sizes[at(cluster)]);
  }
}

double inertia_of(const RowMatrix& points, const std::vector<Label>& labels, const RowMatrix& centers) {
  double sum = 0;
  for (Index i = 0; i < points.rows(); ++i) sum += squared_distance(points, i, centers, labels[at(i)]);
  return sum;
}

Clustering one_restart(const RowMatrix& points, Index clusters, Index restart, const Context& context) {
  std::mt19937_64 random = random_stream(context.seed(), "kmeans", static_cast<std::uint64_t>(restart));
  Clustering partition;
  partition.centers = starting_centers(points, clusters, random, context);
  partition.labels.assign(at(points.rows()), -1);
  Assignment assignment(points);
  for (Index iteration = 0; iteration < kMaxIterations; ++iteration) {
    context.check_stop();
    bool changed = assignment.update(partition.centers, partition.labels);
    changed = fill_empty_clusters(points, partition.centers, partition.labels, assignment) || changed;
    if (!changed) break;
    const RowMatrix before = partition.centers;
    move_centers(points, partition.labels, partition.centers);
    assignment.loosen((partition.centers - before).rowwise().norm(), partition.labels);
  }
  partition.inertia = inertia_of(points, partition.labels, partition.centers);
  return partition;
}

/// Numbers clusters by their first point; clusters without points disappear. Returns how many are left.
Index renumber(std::vector<Label>& labels, Index clusters) {
  std::vector<Label> number(at(clusters), -1);
  Label next = 0;
  for (Label& label : labels) {
    Label& renamed = number[at(label)];
    if (renamed < 0) renamed = next++;
    label = renamed;
  }
  return next;
}

}  // namespace

KMeansResult kmeans(const Matrix& points, Index clusters, Index restarts, const Context& context) {
  if (clusters < 1 || clusters > points.rows()) {
    throw OptionError("clusters", std::to_string(clusters),
                      "must be between 1 and the number of points, " + std::to_string(points.rows()));
  }
  if (restarts < 1) throw OptionError("restarts", std::to_string(restarts), "must be at least 1");
  if (!points.allFinite()) throw InputError("k-means needs finite values, but some of the points are not finite");

  // About the mean, so that products of points and centers lose no digits to a common offset.
  const Eigen::RowVectorXd mean = points.colwise().mean();
  const RowMatrix centered = points.rowwise() - mean;
  std::vector<Clustering> partitions(at(restarts));
  context.parallel_for(
      restarts, [&](Index restart) { partitions[at(restart)] = one_restart(centered, clusters, restart, context); });
  const auto best = std::ranges::min_element(partitions, {}, &Clustering::inertia);  // the first of equals

  // Centers from the renumbered labels: the same partition gives the same bits whichever restart found it.
  const Index used = renumber(best->labels, best->centers.rows());
  RowMatrix centers = RowMatrix::Zero(used, points.cols());
  move_centers(centered, best->labels, centers);
  KMeansResult result;
  result.inertia = inertia_of(centered, best->labels, centers);
  result.centers = centers.rowwise() + mean;
  result.labels.assign(best->labels.begin(), best->labels.end());
  return result;
}

}  // namespace disc
