// How much memory a run takes, before it takes it.
#pragma once

#include <optional>
#include <string>

#include "disc/graph.hpp"

namespace disc {

constexpr double gibibyte = 1024.0 * 1024 * 1024;

/// "8G", "500M", or a number of GiB; in bytes. Empty for anything else.
std::optional<double> parse_memory(const std::string& text);
/// "7.5 GiB"
std::string memory_text(double bytes);

struct MemoryProblem {
  Index features = 0;
  Index samples = 0;  ///< of all conditions
  Index conditions = 0;
  bool is_single = false;        ///< precision of the matrices
  bool has_permutations = true;  ///< groups by communities
  Index processes = 1;           ///< that divide the features
};
/// At the peak of the run, in bytes, of every process; measured, with some room. docs/performance.md
double memory_needed(const MemoryProblem& problem, GraphForm form);
/// What the machine can give now, in bytes; infinite if it does not say.
double memory_available();

/// What a limit of the process (ulimit -v) leaves of its address space, in bytes; infinite without one.
double address_space_left();
/// Address space that BLAS takes for one thread. It waits for it forever, so it must be known to be there.
constexpr double blas_buffer = gibibyte / 8;

}  // namespace disc
