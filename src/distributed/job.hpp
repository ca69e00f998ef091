#pragma once

#include "disc/distributed.hpp"
#include "distributed/petsc.hpp"

namespace disc::distributed {

class Job::State {
 public:
  explicit State(const std::string& options);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();
  const std::shared_ptr<const MpiTeam>& team() const { return team_; }

 private:
  std::shared_ptr<const MpiTeam> team_;
  int exceptions_at_start_;
};

}  // namespace disc::distributed
