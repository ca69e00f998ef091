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

 private:
  // The features of this process with some of their columns, in the order of order_.
  struct Rows {
    std::vector<PetscInt> begin{0};
    std::vector<PetscInt> columns;
    std::vector<PetscScalar> values;
  };
  void keep_own(Mat matrix);
  std::vector<PetscInt> keep_others(Mat matrix);
  void prepare_exchange(const std::vector<PetscInt>& needed, const Partition& partition);
  void multiply() const;  // y_ = S x_
  void multiply_own() const;
  void add_others() const;

  const MpiTeam& team_;
  double uniform_weight_;
  std::vector<PetscInt> order_;  // row i stands for own feature order_[i]
  Vector degrees_, root_;        // in the order of the rows: D, D^1/2
  Rows upper_;                   // columns of this process, from the diagonal on
  Rows of_others_;               // columns of other processes, in the order of from_others_
  mutable Vector x_, y_;         // in the order of the rows; one product at a time
  OwnedVec on_x_;                // x_ for PETSc
  OwnedVec from_others_;         // the values of x that the rows of this process need of others
  OwnedScatter scatter_;
};

}  // namespace disc::distributed
