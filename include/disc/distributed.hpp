// The same method on several machines: features are divided over the processes of an MPI job, graphs are matrices of PETSc,
// eigenpairs and singular vectors come from SLEPc. docs/distributed.md
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "disc/manifest.hpp"
#include "disc/pipeline.hpp"

namespace disc::distributed {

/// Whether this build has it (cmake -DDISC_WITH_SLEPC=ON). Without it the verbs below throw NotCompiled.
bool is_compiled();

/// While it lives, this process is one of a job: of those that mpirun or srun started together, or a job of its own. One per program.
class Job {
 public:
  /// Starts MPI, PETSc and SLEPc; `options` are theirs, as on their command lines. Throws OptionError for those that PETSc refuses.
  explicit Job(const std::string& options);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  /// Ends them, unless an exception is on its way: then see agree_on_error.
  ~Job();

  int rank() const;
  int size() const;
  std::shared_ptr<const Team> team() const;

 private:
  class State;
  std::shared_ptr<const State> state_;
};

/// What is compared: files and how they are read.
struct Inputs {
  Manifest manifest;
  ReadOptions reading;
  std::span<const std::string> wanted{};  ///< values of the label `design.by`, see split_conditions
  Index divide_above = 100'000;           ///< features; up to so many every process has all values
  /// Where the first process keeps what long stages found; unset in all processes: nowhere.
  std::shared_ptr<Checkpoints> checkpoints{};
  /// Tells the run from others that keep their results there, whatever the number of processes; asked in the first one after reading.
  std::function<std::string()> identity{};
};

/// As disc::run, on the files themselves: of many features every process reads its own. All processes call it; the first one gets
/// the whole result, the others what is the same for everybody.
Analysis run(const Job& job, const Inputs& inputs, const RunOptions& options, const Context& context);

/// How a process of a job ends that cannot go on.
enum class Ending {
  alone,    ///< there is no job
  speaker,  ///< all processes fail; this one is to say why
  silent,   ///< all processes fail; another one says why
  stranded  ///< the others do not know of it and wait for this one: it is to say why and to call end_all
};
/// Waits a moment for the other processes to fail, too: what is wrong with the input or the options, all of them see.
Ending agree_on_error();
/// Ends all processes of the job with this exit code.
void end_all(int code);

}  // namespace disc::distributed
