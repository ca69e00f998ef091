// In place of the engine for several machines, where the build was made without it.
#include "disc/distributed.hpp"

namespace disc::distributed {
namespace {

[[noreturn]] void explain() {
  throw NotCompiled(
      "this disc was built without the engine mpi: install Debian's slepc-dev (or MPI, PETSc and SLEPc) and build "
      "with "
      "cmake -DDISC_WITH_SLEPC=ON; see docs/distributed.md");
}

}  // namespace

class Job::State {};

bool is_compiled() { return false; }

Job::Job(const std::string& /*options*/) { explain(); }
Job::~Job() = default;
int Job::rank() const { return 0; }
int Job::size() const { return 1; }
std::shared_ptr<const Team> Job::team() const { return nullptr; }

Analysis run(const Job& /*job*/, const Inputs& /*inputs*/, const RunOptions& /*options*/, const Context& /*context*/) {
  explain();
}

Ending agree_on_error() { return Ending::alone; }
void end_all(int /*code*/) {}

}  // namespace disc::distributed
