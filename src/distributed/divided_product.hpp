// Products with a sparse walk, whose matrix is one of PETSc. They take as long as it takes to read the matrix and the vector. So of two
// entries with the same value, in rows and columns of this process, one is read, and near features are side by side.
#pragma once

#include <vector>

#include "distributed/petsc.hpp"

namespace disc::distributed {

class DividedProduct {
 public:
  /// S = `matrix` + uniform weight D^-1/2 1 1' D^-1/2, for the degrees of the own features. The matrix is of type MPIAIJ; a copy is kept.
  DividedProduct(Mat matrix, const Vector& degrees, double uniform_weight, const Partition& partition,
                 const MpiTeam& team);

  /// y = S x.
  void conjugate(Vec x, Vec y) const;
  /// y = P' P x = D^1/2 S D^-1 S D^1/2 x.
  void normal(Vec x, Vec y) const;
  /// Calls use(own feature from 0, any feature, value) for every entry of the matrix in the rows of this process.
  template <class Use>
  void for_each_entry(Use&& use) const {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Index feature = order_[i];
      for_each_of_row(upper_, i, [&](std::size_t column, double value) {
        const Index other = order_[column];
        use(feature, first_ + other, value);
        if (other != feature) use(other, first_ + feature, value);
      });
      for_each_of_row(of_others_, i,
                      [&](std::size_t column, double value) { use(feature, Index{others_[column]}, value); });
    }
  }

 private:
  // The features of this process with some of their columns, in the order of order_.
  struct Rows {
    std::vector<PetscInt> begin{0};
    std::vector<PetscInt> columns;
    std::vector<PetscScalar> values;
  };
  template <class Use>
  static void for_each_of_row(const Rows& rows, std::size_t i, Use&& use) {
    for (auto k = static_cast<std::size_t>(rows.begin[i]); k < static_cast<std::size_t>(rows.begin[i + 1]); ++k) {
      use(static_cast<std::size_t>(rows.columns[k]), rows.values[k]);
    }
  }
  void keep_own(Mat matrix);
  void keep_others(Mat matrix, const PetscInt* columns);
  void prepare_exchange(const Partition& partition);
  void multiply() const;  // y_ = S x_
  void multiply_own() const;
  void add_others() const;

  const MpiTeam& team_;
  double uniform_weight_;
  Index first_;                   // feature of this process
  std::vector<PetscInt> order_;   // row i stands for own feature order_[i]
  Vector degrees_, root_;         // in the order of the rows: D, D^1/2
  Rows upper_;                    // columns of this process, from the diagonal on
  Rows of_others_;                // columns of other processes, in the order of others_
  std::vector<PetscInt> others_;  // features of other processes that have entries here
  mutable Vector x_, y_;          // in the order of the rows; one product at a time
  OwnedVec on_x_;                 // x_ for PETSc
  OwnedVec from_others_;          // the values of x for others_
  OwnedScatter scatter_;
};

}  // namespace disc::distributed
