// A polynomial of an operator that keeps its leading eigenvectors and moves them away from all others: on sparse graphs the leading
// eigenvalues crowd near 1, and a solver spends most of its time keeping many vectors orthogonal between two cheap products.
#pragma once

#include "distributed/divided_product.hpp"

namespace disc::distributed {

/// A Chebyshev polynomial of odd degree: from `low` to `cut` it stays within -1 and 1, above `cut` it grows, and below `low` it falls.
struct FilterShape {
  double low = -1, cut = 0;
  Index degree = 1;

  double center() const { return (low + cut) / 2; }
  double half_width() const { return (cut - low) / 2; }
  /// By how much differences between values above `cut` grow at least.
  double steepness() const { return static_cast<double>(degree * degree) / half_width(); }
  /// The polynomial at a value that is above `cut` or nowhere near: 1 at most for those below.
  double filtered(double value) const;
  /// The value of the operator whose filtered one is given; `cut` for all that are not above it.
  double unfiltered(double filtered) const;
};

/// So that about `above` values stay above the cut, given rough ones in falling order.
FilterShape filter_for(const std::vector<double>& rough, Index above, double low);

/// Makes vectors orthogonal to the orthonormal columns of `known`; own rows of both.
template <class Vectors>
void leave_out(const Matrix& known, Vectors& vectors, const MpiTeam& team) {
  Matrix shares = known.transpose() * vectors;
  team.sum(shares.data(), shares.size());
  vectors.noalias() -= known * shares;
}

/// The polynomial of an operator, which must outlive it; without a shape the operator itself.
class FilteredOperator {
 public:
  /// Stays orthogonal to the columns of `projected`, own rows; nullptr: they are eigenvectors and stay so by themselves.
  FilteredOperator(const DividedProduct& op, const FilterShape* shape, const Matrix* projected,
                   const Partition& partition, const MpiTeam& team);
  FilteredOperator(const FilteredOperator&) = delete;
  FilteredOperator& operator=(const FilteredOperator&) = delete;
  Mat matrix() const { return shape_ != nullptr ? shell_ : op_.matrix(); }

 private:
  static PetscErrorCode apply(Mat shell, Vec x, Vec y);
  void multiply(Vec x, Vec y) const;

  const DividedProduct& op_;
  const FilterShape* shape_;
  const Matrix* projected_;
  const MpiTeam& team_;
  OwnedMat shell_;
  OwnedVec before_, image_;
};

}  // namespace disc::distributed
