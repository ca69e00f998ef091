#include "distributed/petsc.hpp"

#include <algorithm>

namespace disc::distributed {

void check(PetscErrorCode code) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw Error(std::string("PETSc: ") + (text != nullptr ? text : "error") + " (code " + std::to_string(code) + ")");
}

OwnedVec vector_on(const double* values, const Partition& partition, const MpiTeam& team) {
  OwnedVec vector;
  check(VecCreateMPIWithArray(team.communicator(), 1, partition.count, partition.total(), values, vector.place()));
  return vector;
}

OwnedVec new_vector(const Partition& partition, const MpiTeam& team) {
  OwnedVec vector;
  check(VecCreateMPI(team.communicator(), partition.count, partition.total(), vector.place()));
  return vector;
}

Vector local_part(Vec vector) {
  PetscInt count = 0;
  const PetscScalar* values = nullptr;
  check(VecGetLocalSize(vector, &count));
  check(VecGetArrayRead(vector, &values));
  Vector result = Eigen::Map<const Vector>(values, count);
  check(VecRestoreArrayRead(vector, &values));
  return result;
}

void set_local_part(Vec vector, const Vector& values) {
  PetscScalar* to = nullptr;
  check(VecGetArray(vector, &to));
  std::copy(values.begin(), values.end(), to);
  check(VecRestoreArray(vector, &to));
}

}  // namespace disc::distributed
