#include "distributed/petsc.hpp"

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

OwnedMat shell_of(void* object, PetscErrorCode (*apply)(Mat, Vec, Vec), const Partition& partition,
                  const MpiTeam& team) {
  OwnedMat shell;
  check(MatCreateShell(team.communicator(), partition.count, partition.count, partition.total(), partition.total(),
                       object, shell.place()));
  check(MatShellSetOperation(shell, MATOP_MULT, reinterpret_cast<void (*)()>(apply)));
  check(MatSetOption(shell, MAT_SYMMETRIC, PETSC_TRUE));
  return shell;
}

}  // namespace disc::distributed
