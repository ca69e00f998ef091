#include <sys/resource.h>

#include <fstream>
#include <string>

#include "disc/pipeline.hpp"

namespace disc {

std::int64_t peak_memory_bytes() {
  // On Linux getrusage also counts the program that started this one; the kernel's own high-water mark does not.
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;) {
    if (std::int64_t kilobytes = 0; key == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
  return usage.ru_maxrss;
#else
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
#endif
}

}  // namespace disc
