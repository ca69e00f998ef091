// The random walk of one condition as matrices of PETSc: every process has the rows of its features.
#pragma once

#include <functional>
#include <memory>

#include "disc/graph.hpp"
#include "distributed/divided_product.hpp"

namespace disc::distributed {

/// P = D^-1 W through its conjugate S, as RandomWalk; W includes the uniform weight. method section 2
class Walk {
 public:
  /// From weights before normalisation. method (3), (4)
  Walk(OwnedMat weights, const GraphOptions& used, Partition partition, const MpiTeam& team);

  const Partition& partition() const { return partition_; }
  Index size() const { return partition_.total(); }
  double uniform_weight() const { return uniform_weight_; }
  const Vector& degrees() const { return degrees_; }  ///< of the features of this process
  /// Calls use(own feature from 0, any feature, entry of S without the uniform weight) for every entry in the rows of this process.
  void for_each_entry(const std::function<void(Index, Index, double)>& use) const;
  /// Whether products take less time than keeping many vectors orthogonal.
  bool is_sparse() const { return sparse_ != nullptr; }
  /// y = S x, with the uniform weight.
  void multiply(Vec x, Vec y) const;
  /// y = P' P x = D^1/2 S D^-1 S D^1/2 x.
  void multiply_normal(Vec x, Vec y) const;

 private:
  OwnedMat dense_;                                // S without the uniform weight
  std::unique_ptr<const DividedProduct> sparse_;  // or this, where the graph is sparse
  Partition partition_;
  double uniform_weight_ = 0;
  Vector degrees_;
  OwnedVec inverse_root_;  // D^-1/2 1
};

/// An operator that solvers see: the matrix is a shell around a walk, which must outlive it.
class ShellOperator {
 public:
  enum class Kind {
    conjugate,  ///< S
    normal      ///< P' P
  };
  ShellOperator(const Walk& walk, Kind kind, const MpiTeam& team);
  ShellOperator(const ShellOperator&) = delete;
  ShellOperator& operator=(const ShellOperator&) = delete;
  Mat matrix() const { return shell_; }
  Index applications() const { return applications_; }
  bool is_sparse() const { return walk_.is_sparse(); }

 private:
  static PetscErrorCode apply(Mat shell, Vec x, Vec y);

  const Walk& walk_;
  Kind kind_;
  OwnedMat shell_;
  Index applications_ = 0;
};

/// Rows first .. of a matrix whose columns are given: weights(j, i) is that of own feature i and feature j. Takes the memory.
OwnedMat dense_rows(const Matrix& columns, const Partition& partition, const MpiTeam& team);

/// Own rows as lists: row i has the columns others[begin[i]] .. and their weights, ascending; the diagonal must be there.
struct SparseRows {
  std::vector<PetscInt> begin, others;
  std::vector<double> weights;
};
OwnedMat sparse_rows(const SparseRows& rows, const Partition& partition, const MpiTeam& team);

}  // namespace disc::distributed
