#include "spectral/filtered_subspace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "matrix/blas.hpp"
#include "matrix/large_pages.hpp"
#include "spectral/lowest_eigenvalue.hpp"
#include "spectral/symmetric_dense.hpp"

namespace disc {
namespace {

constexpr Index filter_pays_from = 20'000;  // features; below the block method is as fast
constexpr Index min_columns = 32;
constexpr Index rows_at_once = 2048;
constexpr Index highest_degree = 80;
constexpr Index lowest_degree = 2;
// Within one filter the leading column may grow so much more than the last one without drowning it in rounding errors.
constexpr double largest_growth = 1e4;
// What is known leaves the columns each time the filter may have blown up so much what rounding brings back of it.
constexpr double growth_of_rounding = 1e3;
// And whatever the first Ritz values do not see yet must not overflow.
constexpr double no_overflow = 1e30;
constexpr double single_residual = 1e-6;  // single precision gets hardly further
constexpr Index rounds_of_patience = 5;   // without progress: then rounding is in the way
constexpr Index max_searches = 4;         // of the complement

Index pieces(Index rows) { return (rows + rows_at_once - 1) / rows_at_once; }

template <class F>
void for_pieces(Index rows, const Context& context, F&& work) {
  context.parallel_for(pieces(rows), [&](Index piece) {
    const Index first = piece * rows_at_once;
    work(first, std::min(rows_at_once, rows - first));
  });
}

// a' b in double, whatever the precision of the blocks; pieces are added in order.
template <class T>
Matrix products(const BlockOf<T>& a, const BlockOf<T>& b, const Context& context) {
  std::vector<Matrix> terms(static_cast<std::size_t>(pieces(a.rows())));
  for_pieces(a.rows(), context, [&](Index first, Index rows) {
    const Matrix left = a.middleRows(first, rows).transpose().template cast<double>();
    const Matrix right = b.middleRows(first, rows).transpose().template cast<double>();
    Matrix& term = terms[static_cast<std::size_t>(first / rows_at_once)];
    term.resize(a.cols(), b.cols());
    multiply(Op::plain, Op::transposed, 1.0, tile_of(left), tile_of(right), 0.0, tile_of(term));
  });
  Matrix sum = Matrix::Zero(a.cols(), b.cols());
  for (const Matrix& term : terms) sum += term;
  return sum;
}

// Some rows of a block as BLAS sees them: the transpose of a column-major tile.
template <class T>
Tile<const T> tile_of_rows(const BlockOf<T>& block, Index first, Index rows) {
  return {block.data() + first * block.cols(), block.cols(), rows, block.cols()};
}
template <class T>
Tile<T> tile_of_rows(BlockOf<T>& block, Index first, Index rows) {
  return {block.data() + first * block.cols(), block.cols(), rows, block.cols()};
}

// block = block * coefficients, which are square.
template <class T>
void transform(BlockOf<T>& block, const Matrix& coefficients, const Context& context) {
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> factors(coefficients.rows(), coefficients.cols());
  factors = coefficients.template cast<T>();
  for_pieces(block.rows(), context, [&](Index first, Index rows) {
    const BlockOf<T> before = block.middleRows(first, rows);
    multiply(Op::transposed, Op::plain, T{1}, tile_of(std::as_const(factors)), tile_of_rows(before, 0, rows), T{0},
             tile_of_rows(block, first, rows));
  });
}

// block -= basis basis' block, in the precision of the block; only the sums over pieces are in double.
template <class T>
void remove_span(const BlockOf<T>& basis, BlockOf<T>& block, const Context& context) {
  using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  std::vector<Columns> terms(static_cast<std::size_t>(pieces(block.rows())));
  for_pieces(block.rows(), context, [&](Index first, Index rows) {
    Columns& term = terms[static_cast<std::size_t>(first / rows_at_once)];
    term.resize(basis.cols(), block.cols());
    multiply(Op::plain, Op::transposed, T{1}, tile_of_rows(basis, first, rows),
             tile_of_rows(std::as_const(block), first, rows), T{0}, tile_of(term));
  });
  Matrix sum = Matrix::Zero(basis.cols(), block.cols());
  for (const Columns& term : terms) sum += term.template cast<double>();
  const Columns factors = sum.cast<T>();
  for_pieces(block.rows(), context, [&](Index first, Index rows) {
    multiply(Op::transposed, Op::plain, T{-1}, tile_of(factors), tile_of_rows(basis, first, rows), T{1},
             tile_of_rows(block, first, rows));
  });
}

template <class T>
class FilteredSubspace {
 public:
  FilteredSubspace(const LocalWalk<T>& walk, double lower_bound, const Matrix& known, Index columns,
                   const Context& context)
      : walk_(walk), lower_bound_(lower_bound), known_(walk.to_local(known, context)), context_(context) {
    resize_in_large_pages(x_, walk.size(), columns);
    resize_in_large_pages(image_, walk.size(), columns);
  }

  // Columns from `first` on are random again.
  void draw(Index first) {
    for_pieces(x_.rows(), context_, [&](Index begin, Index rows) {
      const auto item = static_cast<std::uint64_t>(draws_) << 40 | static_cast<std::uint64_t>(begin);
      std::mt19937_64 random = random_stream(context_.seed(), "spectral/filter", item);
      std::normal_distribution<T> normal;
      for (Index i = begin; i < begin + rows; ++i) {
        for (Index c = first; c < x_.cols(); ++c) x_(i, c) = normal(random);
      }
    });
    ++draws_;
  }
  void start_from(const BlockOf<T>& block) { x_ = block; }

  // Ritz pairs of the present columns, in falling order, and their residuals.
  void project() {
    orthonormalize();
    multiply_by_operator();
    Matrix h = products(x_, image_, context_);
    h = (0.5 * (h + h.transpose())).eval();
    const SmallEigen small = small_symmetric_eigen(h);
    values_ = small.values.reverse();
    // The bound was a good guess and no more.
    if (values_[values_.size() - 1] < lower_bound_) lower_bound_ = walk_.lower_bound();
    const Matrix q = small.vectors.rowwise().reverse();
    transform(x_, q, context_);
    transform(image_, q, context_);
    find_residuals();
  }

  // Makes everything between the lower bound and the last Ritz value small against the rest.
  void filter() {
    const double cut = std::max(values_[values_.size() - 1], lower_bound_ + 1e-3);
    const double center = 0.5 * (cut + lower_bound_);
    const double half = 0.5 * (cut - lower_bound_);
    const double top = (walk_.upper_bound() - center) / half;
    const Index degree = degree_for((values_[0] - center) / half, top);
    const Index clean_steps = degree_of(growth_of_rounding, top);
    before_.setZero(x_.rows(), x_.cols());
    for (Index k = 1; k <= degree; ++k) {
      context_.check_stop();
      walk_.recur(x_, static_cast<T>((k == 1 ? 1.0 : 2.0) / half), static_cast<T>(center), before_, context_);
      x_.swap(before_);
      applications_ += x_.cols();
      if (known_.cols() > 0 && k % clean_steps == 0) {
        remove_span(known_, x_, context_);
        remove_span(known_, before_, context_);
      }
    }
  }

  void round() {
    filter();
    project();
    ++rounds_;
  }

  // Rounds until the leading pairs have small residuals, or these stay as they are.
  bool converge(Index count, double tolerance, Index max_rounds) {
    double best = residual(count);
    for (Index idle = 0; residual(count) > tolerance && rounds_ < max_rounds && idle < rounds_of_patience; ++idle) {
      round();
      if (residual(count) >= 0.8 * best) continue;
      best = residual(count);
      idle = -1;
    }
    return residual(count) <= tolerance;
  }

  // Whether fresh random columns in place of those beyond `count` bring up a pair that was missed: then they stay.
  bool search_complement(Index count, double tolerance) {
    const BlockOf<T> before = x_;
    const Vector values = values_;
    const Vector residuals = residuals_;
    draw(count);
    project();
    round();
    if ((values_ - values).head(count).maxCoeff() > 10 * tolerance) return true;
    x_ = before;
    values_ = values;
    residuals_ = residuals;
    return false;
  }

  double residual(Index count) const { return residuals_.head(count).maxCoeff(); }
  const Vector& values() const { return values_; }
  const BlockOf<T>& vectors() const { return x_; }
  Index rounds() const { return rounds_; }
  Index applications() const { return applications_; }
  double lower_bound() const { return lower_bound_; }

 private:
  // Up to which degree a polynomial of Chebyshev grows so much at a place.
  static Index degree_of(double growth, double place) {
    const double degree = std::acosh(growth) / std::acosh(std::max(place, 1.0 + 1e-12));
    return static_cast<Index>(std::clamp(degree, 1.0, 1e6));
  }
  Index degree_for(double leading, double most) const {
    const Index degree = std::min(degree_of(largest_growth, leading), degree_of(no_overflow, std::max(leading, most)));
    return std::clamp(degree, lowest_degree, highest_degree);
  }

  void multiply_by_operator() {
    walk_.apply(x_, image_, context_);
    if (known_.cols() > 0) remove_span(known_, image_, context_);
    applications_ += x_.cols();
  }

  // Twice, because once leaves what rounding made of nearly dependent columns.
  void orthonormalize() {
    for (int pass = 0; pass < 2; ++pass) {
      if (known_.cols() > 0) remove_span(known_, x_, context_);
      const Matrix g = products(x_, x_, context_);
      const Vector scale = g.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
      const SmallEigen small = small_symmetric_eigen(scale.asDiagonal() * g * scale.asDiagonal());
      const Vector kept = small.values.cwiseMax(1e-12 * small.values.maxCoeff()).cwiseSqrt().cwiseInverse();
      transform(x_, scale.asDiagonal() * small.vectors * kept.asDiagonal(), context_);
    }
  }

  void find_residuals() {
    Matrix squares = Matrix::Zero(x_.cols(), pieces(x_.rows()));
    for_pieces(x_.rows(), context_, [&](Index first, Index rows) {
      auto sum = squares.col(first / rows_at_once);
      for (Index i = first; i < first + rows; ++i) {
        for (Index c = 0; c < x_.cols(); ++c) {
          const double apart = static_cast<double>(image_(i, c)) - values_[c] * static_cast<double>(x_(i, c));
          sum[c] += apart * apart;
        }
      }
    });
    residuals_ = squares.rowwise().sum().cwiseSqrt();
  }

  const LocalWalk<T>& walk_;
  double lower_bound_;
  BlockOf<T> known_;
  const Context& context_;
  BlockOf<T> x_, image_, before_;
  Vector values_, residuals_;
  Index rounds_ = 0, applications_ = 0;
  Index draws_ = 0;
};

Index columns_for(Index count, Index room) {
  const Index wanted = std::max(min_columns, count + std::max<Index>(8, count / 2));
  return std::min((wanted + 7) / 8 * 8, room / 8 * 8);
}

// Columns beyond the pairs that are asked for, at least: the next value tells the gap.
constexpr Index guard = 1;

struct SingleResult {
  Matrix vectors;
  double lower_bound = 0;
  Index rounds = 0, applications = 0;
};

SingleResult in_single(const FilterProblem& problem, Index columns, const Context& context) {
  const LocalWalk<float> walk(problem.walk, problem.product, context);
  FilteredSubspace<float> space(walk, bound_from_below(walk, context), problem.known, columns, context);
  space.draw(0);
  space.project();
  const double tolerance = std::max(problem.tolerance, single_residual);
  space.converge(problem.count, tolerance, problem.max_rounds);
  for (Index search = 0; search < max_searches && space.search_complement(problem.count, tolerance); ++search) {
    space.converge(problem.count, tolerance, problem.max_rounds);
  }
  return {walk.to_features(space.vectors(), columns, context), space.lower_bound(), space.rounds(),
          space.applications()};
}

}  // namespace

bool use_filter(const RandomWalk& walk, const SolverOptions& options) {
  if (!walk.conjugate.is_sparse()) return false;
  if (options.solver != Solver::automatic) return options.solver == Solver::chebyshev;
  return walk.size() >= filter_pays_from;
}

bool has_room_for_filter(Index room, Index count) { return columns_for(count, room) >= count + guard; }

Eigenpairs filtered_pairs(const FilterProblem& problem, const Context& context) {
  prepare_blas();
  const Index room = problem.walk.size() - problem.known.cols();
  const Index columns = columns_for(problem.count, room);
  SingleResult single = in_single(problem, columns, context);
  const LocalWalk<double> walk(problem.walk, problem.product, context);
  FilteredSubspace<double> space(walk, single.lower_bound, problem.known, columns, context);
  space.start_from(walk.to_local(single.vectors, context));
  single.vectors.resize(0, 0);
  space.project();
  Eigenpairs pairs;
  pairs.convergence.converged = space.converge(problem.count, problem.tolerance, problem.max_rounds);
  pairs.convergence.iterations = single.rounds + space.rounds();
  pairs.convergence.applications = single.applications + space.applications();
  pairs.convergence.residual = space.residual(problem.count);
  pairs.values = space.values().head(problem.count);
  pairs.gap = space.values()[problem.count - 1] - space.values()[problem.count];
  pairs.vectors = walk.to_features(space.vectors(), problem.count, context);
  return pairs;
}

}  // namespace disc
