#include "matrix/large_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace disc {

void prefer_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t worth_it = std::size_t{1} << 23;
  constexpr std::uintptr_t page = 4096;
  if (bytes < worth_it) return;
  // Whole pages inside the array; the system may refuse, and all goes on as before.
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace disc
