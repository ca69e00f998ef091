// Leading eigenpairs by SLEPc, without missing copies of repeated eigenvalues. method (5), (8)
#pragma once

#include "distributed/petsc.hpp"
#include "spectral/walk_eigenpairs.hpp"

namespace disc::distributed {

class SlepcSolver final : public WalkSolver {
 public:
  /// What takes long is kept under the name; empty: it is not.
  SlepcSolver(const MpiTeam& team, std::string name) : team_(team), name_(std::move(name)) {}
  Eigenpairs solve(const RandomWalk& walk, WalkProduct product, Index count, const Matrix& known,
                   const SolverOptions& options, const Context& context) const override;

 private:
  const MpiTeam& team_;
  std::string name_;
};

}  // namespace disc::distributed
