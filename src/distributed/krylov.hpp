// One call of SLEPc's Krylov-Schur: leading eigenpairs of an operator or of a polynomial of it, in the complement of what is known;
// and what tells whether it missed any.
#pragma once

#include <limits>

#include "distributed/filter.hpp"

namespace disc::distributed {

constexpr Index never = std::numeric_limits<Index>::max();
constexpr double no_floor = -std::numeric_limits<double>::infinity();

/// A vector is made orthogonal to the others once more where the first time left less than this part of it: SLEPc's own value.
constexpr double repeat_safely = 0.7071;

/// Which eigenpairs are wanted of what.
struct Problem {
  const DividedProduct& op;
  const Partition& partition;
  const Matrix& known;  ///< own rows of orthonormal columns to stay orthogonal to
  bool known_are_eigenvectors;
  Index count;
  double tolerance;
  Index max_restarts;
  double repeat_below = repeat_safely;  ///< when to make vectors orthogonal once more
  /// What a product must be kept out of; nullptr: eigenvectors stay out by themselves.
  const Matrix* kept_out() const { return known_are_eigenvectors ? nullptr : &known; }
};

/// What a call found: own rows of the vectors.
struct Found {
  Vector values;
  Matrix vectors;
  bool converged = false;
  Index restarts = 0;
  double residual = 0;
  std::vector<double> seen;  ///< Ritz values in falling order, converged or not
};

/// What is asked of one call.
struct Attempt {
  const Matrix& before;  ///< own rows of what was found already
  Index wanted;
  double tolerance;
  Index max_restarts;
  double floor = no_floor;  ///< no more are wanted once one below it was found
  Index half_by = never;    ///< the restart by which half of the pairs must have converged, or it is given up
  std::uint64_t start = 0;  ///< number of the random vector
  const FilterShape* filter = nullptr;
};

/// Up to `wanted` leading pairs in the complement of what is known and of what was found before.
Found solve_once(const Problem& problem, const Attempt& attempt, const MpiTeam& team, const Context& context);

/// Random numbers that belong to the features of this process, however these are divided.
Vector random_start(const Partition& partition, std::uint64_t seed, std::uint64_t item);

/// The operator times some vectors, without what is known.
Matrix images_of(const Problem& problem, const Matrix& vectors, const MpiTeam& team);

/// The largest eigenvalue in the complement of what was found, to tell whether anything was missed: Lanczos with two vectors and no
/// restarts, for a value is wanted, roughly, and no vector. Its error is about the square of the tolerance; a polynomial is undone.
/// Copies of values that come of rounding do no harm: none is above the largest.
Found deflated_lanczos(const Problem& problem, const Attempt& attempt, const MpiTeam& team, const Context& context);

}  // namespace disc::distributed
