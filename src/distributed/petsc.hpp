// PETSc's objects with C++ lifetimes, and its errors as exceptions.
#pragma once

#include <slepceps.h>

#include <utility>

#include "distributed/team.hpp"

namespace disc::distributed {

/// Throws Error for any code but success.
void check(PetscErrorCode code);

/// Owns a Mat, Vec, EPS or VecScatter.
template <class Object, PetscErrorCode (*destroy)(Object*)>
class Owned {
 public:
  Owned() = default;
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (object_ != nullptr) destroy(&object_);
  }
  operator Object() const { return object_; }  // NOLINT(google-explicit-constructor): PETSc's functions take it
  Object* place() { return &object_; }

 private:
  Object object_ = nullptr;
};
using OwnedMat = Owned<Mat, MatDestroy>;
using OwnedVec = Owned<Vec, VecDestroy>;
using OwnedSolver = Owned<EPS, EPSDestroy>;
using OwnedScatter = Owned<VecScatter, VecScatterDestroy>;

/// A vector whose local part is the memory of `values`, which must outlive it.
OwnedVec vector_on(const double* values, const Partition& partition, const MpiTeam& team);
/// A vector with memory of its own.
OwnedVec new_vector(const Partition& partition, const MpiTeam& team);
/// A symmetric matrix that is known by its products only.
OwnedMat shell_of(void* object, PetscErrorCode (*apply)(Mat, Vec, Vec), const Partition& partition,
                  const MpiTeam& team);

}  // namespace disc::distributed
