// Runs the engine on a thread of its own while the calling thread keeps Python alive: signals and progress.
#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "disc/base.hpp"

namespace disc::python {

namespace nb = nanobind;

/// How a call runs; as in the program's --threads and --seed.
struct Session {
  int threads = 0;
  std::uint64_t seed = 0;
  nb::object progress;  ///< called with (stage, fraction) on the calling thread, or None
};

/// Does the work without the interpreter lock. Signals are looked at all the time: when their handler raises (Ctrl-C), the work is
/// asked to stop, and the exception is passed on within a second. Returns the warnings that the engine logged.
std::vector<std::string> supervise(const Session& session, std::function<void(const Context&)> work);

/// The same for work that has a result. The result belongs to the work, which may outlive this call by a moment.
template <class Result>
Result supervised(const Session& session, std::function<Result(const Context&)> work,
                  std::vector<std::string>* warnings = nullptr) {
  auto result = std::make_shared<Result>();
  std::vector<std::string> logged =
      supervise(session, [result, work = std::move(work)](const Context& context) { *result = work(context); });
  if (warnings != nullptr) *warnings = std::move(logged);
  return std::move(*result);
}

}  // namespace disc::python
