// Products with a walk of which every process has the rows of its own features. They take as long as it takes to read the matrix and
// the vector. So of two entries of a sparse one with the same value, in rows and columns of this process, one is read, and near
// features are side by side.
#pragma once

#include <vector>

#include "distributed/petsc.hpp"
#include "spectral/walk_eigenpairs.hpp"

namespace disc::distributed {

/// Products with S = conjugate + uniform weight D^-1/2 1 1' D^-1/2, one vector at a time: what solvers see is a matrix that is known by
/// them only. The walk must outlive it.
class DividedProduct {
 public:
  virtual ~DividedProduct() = default;
  DividedProduct(const DividedProduct&) = delete;
  DividedProduct& operator=(const DividedProduct&) = delete;
  /// S, or P' P = D^1/2 S D^-1 S D^1/2.
  Mat matrix() const { return shell_; }
  Index applications() const { return applications_; }
  /// Whether products take less time than keeping many vectors orthogonal.
  bool is_sparse() const { return is_sparse_; }

 protected:
  DividedProduct(const RandomWalk& walk, WalkProduct product, const MpiTeam& team);
  /// y_ = S x_ without the uniform weight.
  virtual void multiply_own() const = 0;

  const MpiTeam& team_;
  std::vector<PetscInt> order_;  // row i stands for own feature order_[i]
  Vector degrees_, root_;        // in the order of the rows: D, D^1/2
  mutable Vector x_, y_;         // in the order of the rows; one product at a time
  OwnedVec on_x_;                // x_ for PETSc
  OwnedVec gathered_;            // what of x other processes have and is needed here
  OwnedScatter scatter_;

 private:
  static PetscErrorCode apply(Mat shell, Vec x, Vec y);
  void multiply() const;

  double uniform_weight_;
  bool is_normal_, is_sparse_;
  OwnedMat shell_;
  Index applications_ = 0;
};

/// The product that suits the form of the walk.
std::unique_ptr<const DividedProduct> product_with(const RandomWalk& walk, WalkProduct product, const MpiTeam& team);

}  // namespace disc::distributed
