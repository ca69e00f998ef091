#include "spectral/block_lanczos.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "spectral/symmetric_dense.hpp"
#include "spectral/tall_skinny.hpp"

namespace disc {
namespace {

constexpr Index block_width = 8;
constexpr Index search_steps = 8;    // products spent on looking for missed copies at most, per search
constexpr Index min_steps = 3;       // and at least
constexpr double dependent = 1e-12;  // a direction this much shorter than its block is dependent

Block random_block(Index rows, std::uint64_t seed, std::uint64_t item) {
  std::mt19937_64 stream = random_stream(seed, "spectral/start", item);
  std::normal_distribution<double> normal;
  Block block(rows, block_width);
  for (Index i = 0; i < block.size(); ++i) block.data()[i] = normal(stream);
  return block;
}

// One Krylov space: an orthonormal basis V, the projection T = V' A V over the blocks processed so far, and a last block not
// yet multiplied by A, with A V = V T + last * coupling.
class KrylovSpace {
 public:
  KrylovSpace(const LanczosProblem& problem, const Matrix& found, Index capacity, std::uint64_t start,
              const Context& context)
      : problem_(problem), found_(found), context_(context), start_(start) {
    basis_.resize(problem.op.rows(), capacity);
    projected_ = Matrix::Zero(capacity, capacity);
    last_ = fresh_block();
    orthonormalize(last_);
  }

  Index size() const { return size_; }
  bool full() const { return size_ + block_width > basis_.cols(); }
  Index applications() const { return applications_; }

  // Moves the last block into the basis, multiplies it by A, and makes what is new in the image the next last block.
  void step() {
    context_.check_stop();
    for (Index c = 0; c < block_width; ++c) basis_.col(size_ + c) = last_.col(c);
    problem_.op.apply(last_, image_, context_);
    applications_ += block_width;
    last_.swap(image_);
    const Index first = size_;
    size_ += block_width;
    coupling_ = orthonormalize(last_);
    const Matrix& h = coefficients_;
    projected_.block(0, first, size_, block_width) = h;
    projected_.block(first, 0, block_width, size_) = h.transpose();
    auto corner = projected_.block(first, first, block_width, block_width);
    corner = (0.5 * (corner + corner.transpose())).eval();
  }

  // Ritz values in falling order and their residuals |A v - theta v|.
  void solve_projected() {
    SmallEigen small = small_symmetric_eigen(projected_.topLeftCorner(size_, size_));
    ritz_values_ = small.values.reverse();
    ritz_coefficients_ = small.vectors.rowwise().reverse();
    residuals_ = (coupling_ * ritz_coefficients_.bottomRows(block_width)).colwise().norm();
  }
  const Vector& ritz_values() const { return ritz_values_; }
  const Vector& residuals() const { return residuals_; }

  Matrix ritz_vectors(Index count) const {
    return combine(basis_, size_, ritz_coefficients_.leftCols(count), context_);
  }

  // Thick restart: keep the leading Ritz vectors; the last block goes on from there.
  void restart(Index keep) {
    basis_.leftCols(keep) = ritz_vectors(keep);
    projected_.setZero();
    projected_.topLeftCorner(keep, keep) = ritz_values_.head(keep).asDiagonal();
    size_ = keep;
  }

 private:
  Block fresh_block() { return random_block(basis_.rows(), context_.seed(), (start_ << 32) + randoms_++); }

  // Makes the columns orthonormal, and orthogonal to everything known and to the basis. Returns R with
  // block_before = (basis part) + block_after R; coefficients_ becomes the basis part. Two rounds: the second repairs what
  // cancellation left in the first.
  Matrix orthonormalize(Block& block) {
    Matrix r = Matrix::Identity(block_width, block_width);
    coefficients_ = Matrix::Zero(size_, block_width);
    for (int round = 0; round < 2; ++round) {
      remove(problem_.known, problem_.known.cols(), block);
      remove(found_, found_.cols(), block);
      coefficients_ += remove(basis_, size_, block) * r;
      r = normalize(block) * r;
    }
    return r;
  }

  Matrix remove(const Matrix& from, Index count, Block& block) const {
    Matrix h = project(from, count, block, context_);
    subtract(from, count, h, block, context_);
    return h;
  }

  // block <- block B with orthonormal columns (Stathopoulos & Wu 2002); returns R = B^-1. Directions that are not there (the
  // space is invariant) are replaced by random ones, with zeros in R: this is how other copies come in.
  Matrix normalize(Block& block) {
    const SmallEigen small = small_symmetric_eigen(gram(block, context_));
    const double largest = std::max(small.values.maxCoeff(), 0.0);
    Matrix to = small.vectors;
    Matrix back = small.vectors.transpose();
    Index missing = 0;
    for (Index c = 0; c < block_width; ++c) {
      const double length = std::sqrt(std::max(small.values[c], 0.0));
      const bool there = length > dependent * std::sqrt(largest) && length > absolute_zero();
      to.col(c) *= there ? 1.0 / length : 0.0;
      back.row(c) *= there ? length : 0.0;
      missing += there ? 0 : 1;
    }
    transform(block, to, context_);
    if (missing > 0) replace_missing(block);
    return back;
  }

  void replace_missing(Block& block) {
    const Block random = fresh_block();
    for (Index c = 0; c < block_width; ++c) {
      if (block.col(c).squaredNorm() < 0.25) block.col(c) = random.col(c).normalized();
    }
  }

  // What is left of an image after projection is rounding noise below this length.
  double absolute_zero() const { return applications_ == 0 ? 0.0 : 1e-3 * problem_.tolerance; }

  const LanczosProblem& problem_;
  const Matrix& found_;
  const Context& context_;
  std::uint64_t start_;
  std::uint64_t randoms_ = 0;
  Matrix basis_, projected_, coefficients_, coupling_, ritz_coefficients_;
  Vector ritz_values_, residuals_;
  Block last_, image_;
  Index size_ = 0, applications_ = 0;
};

// When to look at what has converged. A look takes about as long as a product with a small matrix, and a product too many is
// a waste with a large one. The residuals fall by about the same factor per product, so two looks tell when the next is due.
class LookSchedule {
  static constexpr double near = 4.0;  // products; guesses below this are taken at their word
  static constexpr double longest_wait = 8.0;

 public:
  LookSchedule(Index first, double tolerance) : next_(first), tolerance_(tolerance) {}

  bool due(Index step) const { return step >= next_; }

  void looked(Index step, double residual) {
    Index wait = 2;
    if (last_step_ > 0 && residual < last_residual_ && residual > tolerance_) {
      const double fall = std::log(last_residual_ / residual) / static_cast<double>(step - last_step_);
      const double steps = std::log(residual / tolerance_) / fall;
      // Far off, half the way: the residuals fall faster later on.
      wait = steps < near ? std::max<Index>(1, std::lround(steps)) : std::lround(std::min(0.5 * steps, longest_wait));
    }
    last_step_ = step;
    last_residual_ = residual;
    next_ = step + wait;
  }

 private:
  Index next_;
  double tolerance_;
  Index last_step_ = 0;
  double last_residual_ = 0;
};

struct Pairs {
  Vector values;
  Matrix vectors;
};

// The larger of all, in falling order.
Pairs merge(const Pairs& a, const Pairs& b) {
  const Index total = a.values.size() + b.values.size();
  std::vector<Index> order(static_cast<std::size_t>(total));
  for (Index i = 0; i < total; ++i) order[static_cast<std::size_t>(i)] = i;
  const auto value = [&](Index i) { return i < a.values.size() ? a.values[i] : b.values[i - a.values.size()]; };
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return value(i) > value(j); });
  Pairs merged{Vector(total), Matrix(std::max(a.vectors.rows(), b.vectors.rows()), total)};
  for (Index i = 0; i < total; ++i) {
    const Index from = order[static_cast<std::size_t>(i)];
    merged.values[i] = value(from);
    merged.vectors.col(i) = from < a.values.size() ? a.vectors.col(from) : b.vectors.col(from - a.values.size());
  }
  return merged;
}

class Search {
 public:
  Search(const LanczosProblem& problem, const Context& context) : problem_(problem), context_(context) {
    room_ = problem.op.rows() - problem.known.cols();
  }

  Eigenpairs run() {
    sweep(problem_.count, true);
    // Each further sweep starts from random vectors orthogonal to everything found. It ends the search when the largest
    // value it sees is not above the smallest one kept; after a sweep that did not converge there is no use in another.
    while (all_converged_ && found_.values.size() < room_ && sweep(problem_.count, false)) {
    }
    return result();
  }

 private:
  // Finds up to `wanted` pairs in the complement of what was found. A later sweep gives up after a few products unless it
  // sees a value above the ones kept; returns whether it found any.
  bool sweep(Index wanted, bool first) {
    const Index room = room_ - found_.values.size();
    wanted = std::min(wanted, room);
    const Index capacity = std::min(4 * wanted + 10 * block_width, room / block_width * block_width);
    const Index keep_most = std::max<Index>(wanted, capacity - 6 * block_width);
    const Matrix found_before = found_.vectors;
    KrylovSpace space(problem_, found_before, capacity, sweeps_++, context_);
    const double bound = first ? 0.0 : std::max(lowest_kept(), problem_.floor);
    LookSchedule looks((2 * wanted + block_width - 1) / block_width, problem_.tolerance);
    Index step = 0;
    for (Index round = 0; round < problem_.max_restarts; ++round, ++iterations_) {
      Index needed = 0;
      while (!space.full()) {
        space.step();
        ++step;
        const bool searching = !first && step >= min_steps && step <= search_steps;
        if (!searching && !looks.due(step) && !space.full()) continue;
        space.solve_projected();
        if (searching && clearly_below(space, bound, step == search_steps)) return finish(space, 0);
        needed = needed_of(space, wanted, first, bound);
        if (needed == 0 && !space.full()) continue;  // nothing above the bound yet: the search goes on
        const double residual = largest_residual(space, needed);
        if (residual <= problem_.tolerance) return finish(space, needed);
        looks.looked(step, residual);
      }
      if (first) report_progress(space, needed);
      space.restart(std::min(keep_most, needed + (capacity - needed) / 2));
    }
    all_converged_ = false;
    return finish(space, needed_of(space, wanted, first, bound));
  }

  // How many pairs of the space are wanted: in a later sweep those above the bound only.
  Index needed_of(const KrylovSpace& space, Index wanted, bool first, double bound) const {
    if (first) return std::min(wanted, space.ritz_values().size());
    return std::min(wanted, (space.ritz_values().array() > bound + problem_.tolerance).count());
  }

  // Of the pairs that may be above the floor.
  double largest_residual(const KrylovSpace& space, Index needed) const {
    double largest = 0;
    for (Index i = 0; i < needed; ++i) {
      const double residual = space.residuals()[i];
      if (space.ritz_values()[i] + residual > problem_.floor) largest = std::max(largest, residual);
    }
    return largest;
  }

  // Nothing in the space reaches the bound: the largest value is known to its residual, or time is up.
  bool clearly_below(const KrylovSpace& space, double bound, bool time_is_up) const {
    const double margin = time_is_up ? 0.0 : 2.0 * space.residuals()[0];
    return space.ritz_values()[0] + margin <= bound + problem_.tolerance;
  }

  void report_progress(const KrylovSpace& space, Index needed) const {
    const Index converged = (space.residuals().head(needed).array() <= problem_.tolerance).count();
    context_.progress("eigenpairs", static_cast<double>(converged) / static_cast<double>(needed));
  }

  // Adds the leading `count` Ritz pairs of the space to what was found.
  bool finish(const KrylovSpace& space, Index count) {
    applications_ += space.applications();
    if (count < space.ritz_values().size()) next_value_ = std::max(next_value_, space.ritz_values()[count]);
    if (count == 0) return false;
    residual_ = std::max(residual_, largest_residual(space, count));
    found_ = merge(found_, {space.ritz_values().head(count), space.ritz_vectors(count)});
    return true;
  }

  double lowest_kept() const { return found_.values[std::min(problem_.count, found_.values.size()) - 1]; }

  Eigenpairs result() {
    const Index count = std::min(problem_.count, found_.values.size());
    Eigenpairs pairs;
    pairs.values = found_.values.head(count);
    pairs.vectors = found_.vectors.leftCols(count);
    const double next = found_.values.size() > count ? found_.values[count] : next_value_;
    pairs.gap = std::isfinite(next) ? std::max(0.0, pairs.values[count - 1] - next) : 0.0;
    pairs.convergence = {all_converged_, iterations_ + 1, applications_, residual_};
    return pairs;
  }

  const LanczosProblem& problem_;
  const Context& context_;
  Index room_;
  Pairs found_;
  double next_value_ = -std::numeric_limits<double>::infinity();  // largest value seen that was not kept
  double residual_ = 0;
  bool all_converged_ = true;
  Index iterations_ = 0, applications_ = 0;
  std::uint64_t sweeps_ = 0;
};

}  // namespace

Eigenpairs block_lanczos(const LanczosProblem& problem, const Context& context) {
  return Search(problem, context).run();
}

}  // namespace disc
