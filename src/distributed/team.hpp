// The processes of a job by MPI.
#pragma once

#include <mpi.h>

#include "disc/matrix.hpp"
#include "disc/team.hpp"

namespace disc::distributed {

/// An index of the library as one of the standard containers.
inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class MpiTeam final : public Team {
 public:
  explicit MpiTeam(MPI_Comm communicator);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void transfer(std::span<const char> out, int to, std::span<char> in, int from) const override;
  using Team::sum;
  void sum(double* values, Index count) const override;
  MPI_Comm communicator() const { return communicator_; }

 private:
  MPI_Comm communicator_;
  int rank_ = 0, size_ = 1;
};

}  // namespace disc::distributed
