#include "distributed/walk.hpp"

#include "graph/normalise.hpp"

namespace disc::distributed {
namespace {

// The weights as the normalisation sees them: local parts of vectors, and sums over all processes.
class DividedWeights {
 public:
  DividedWeights(Mat weights, const Partition& partition, const MpiTeam& team)
      : weights_(weights), partition_(partition), team_(team) {}

  Vector row_sums() const {
    const OwnedVec sums = new_vector(partition_, team_);
    check(MatGetRowSum(weights_, sums));
    return local_part(sums);
  }
  void scale_both_sides(const Vector& scale) {
    const OwnedVec factors = vector_on(scale.data(), partition_, team_);
    check(MatDiagonalScale(weights_, factors, factors));
  }
  void connect_lone_to_themselves(const Vector& degrees) {
    for (Index i = 0; i < partition_.count; ++i) {
      const PetscInt feature = static_cast<PetscInt>(partition_.first + i);
      if (degrees[i] <= 0) check(MatSetValue(weights_, feature, feature, 1.0, INSERT_VALUES));
    }
    check(MatAssemblyBegin(weights_, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(weights_, MAT_FINAL_ASSEMBLY));
  }
  double mean(const Vector& degrees) const { return team_.sum(degrees.sum()) / static_cast<double>(size()); }
  Index size() const { return partition_.total(); }

 private:
  Mat weights_;
  const Partition& partition_;
  const MpiTeam& team_;
};

}  // namespace

Walk::Walk(OwnedMat weights, const GraphOptions& used, Partition partition, const MpiTeam& team)
    : dense_(std::move(weights)), partition_(std::move(partition)) {
  DividedWeights divided(dense_, partition_, team);
  uniform_weight_ = normalise_weights(divided, used);
  degrees_ = divided.row_sums().array() + uniform_weight_ * static_cast<double>(size());
  const Vector scale = degrees_.array().rsqrt();
  divided.scale_both_sides(scale);
  inverse_root_ = new_vector(partition_, team);
  set_local_part(inverse_root_, scale);
  PetscBool is_sparse = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(static_cast<Mat>(dense_)), MATMPIAIJ, &is_sparse));
  if (is_sparse == PETSC_FALSE) return;
  sparse_ = std::make_unique<const DividedProduct>(dense_, degrees_, uniform_weight_, partition_, team);
  dense_ = OwnedMat();
}

void Walk::multiply(Vec x, Vec y) const {
  if (sparse_) return sparse_->conjugate(x, y);
  check(MatMult(dense_, x, y));
  if (uniform_weight_ <= 0) return;
  PetscScalar sum = 0;
  check(VecDot(inverse_root_, x, &sum));
  check(VecAXPY(y, uniform_weight_ * sum, inverse_root_));
}

void Walk::multiply_normal(Vec x, Vec y) const {
  if (sparse_) return sparse_->normal(x, y);
  OwnedVec scaled;
  OwnedVec image;
  check(VecDuplicate(x, scaled.place()));
  check(VecDuplicate(x, image.place()));
  check(VecPointwiseDivide(scaled, x, inverse_root_));
  multiply(scaled, image);
  check(VecPointwiseMult(image, image, inverse_root_));
  check(VecPointwiseMult(image, image, inverse_root_));
  multiply(image, y);
  check(VecPointwiseDivide(y, y, inverse_root_));
}

void Walk::for_each_entry(const std::function<void(Index, Index, double)>& use) const {
  if (sparse_) return sparse_->for_each_entry(use);
  for (Index i = 0; i < partition_.count; ++i) {
    const auto row = static_cast<PetscInt>(partition_.first + i);
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    check(MatGetRow(dense_, row, &count, &columns, &values));
    for (PetscInt k = 0; k < count; ++k) use(i, columns[k], values[k]);
    check(MatRestoreRow(dense_, row, &count, &columns, &values));
  }
}

ShellOperator::ShellOperator(const Walk& walk, Kind kind, const MpiTeam& team) : walk_(walk), kind_(kind) {
  const Partition& partition = walk.partition();
  check(MatCreateShell(team.communicator(), partition.count, partition.count, partition.total(), partition.total(),
                       this, shell_.place()));
  check(MatShellSetOperation(shell_, MATOP_MULT, reinterpret_cast<void (*)()>(&ShellOperator::apply)));
  check(MatSetOption(shell_, MAT_SYMMETRIC, PETSC_TRUE));
}

// Called by PETSc, which knows no exceptions: an error of PETSc below is handed on as it came.
PetscErrorCode ShellOperator::apply(Mat shell, Vec x, Vec y) {
  void* context = nullptr;
  PetscCall(MatShellGetContext(shell, &context));
  auto& op = *static_cast<ShellOperator*>(context);
  ++op.applications_;
  try {
    if (op.kind_ == Kind::conjugate) {
      op.walk_.multiply(x, y);
    } else {
      op.walk_.multiply_normal(x, y);
    }
  } catch (const Error&) {
    return PETSC_ERR_LIB;
  }
  return 0;
}

OwnedMat dense_rows(const Matrix& columns, const Partition& partition, const MpiTeam& team) {
  OwnedMat matrix;
  check(MatCreateDense(team.communicator(), partition.count, partition.count, partition.total(), partition.total(),
                       nullptr, matrix.place()));
  PetscScalar* values = nullptr;
  PetscInt stride = 0;
  check(MatDenseGetLDA(matrix, &stride));
  check(MatDenseGetArray(matrix, &values));
  Eigen::Map<Matrix, 0, Eigen::OuterStride<>>(values, partition.count, partition.total(),
                                              Eigen::OuterStride<>(stride)) = columns.transpose();
  check(MatDenseRestoreArray(matrix, &values));
  check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  return matrix;
}

OwnedMat sparse_rows(const SparseRows& rows, const Partition& partition, const MpiTeam& team) {
  OwnedMat matrix;
  check(MatCreateMPIAIJWithArrays(team.communicator(), partition.count, partition.count, partition.total(),
                                  partition.total(), rows.begin.data(), rows.others.data(), rows.weights.data(),
                                  matrix.place()));
  return matrix;
}

}  // namespace disc::distributed
