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
  const std::size_t beside = (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;
  madvise(static_cast<char*>(data) + beside, (bytes - beside) / page * page, MADV_HUGEPAGE);
#endif
}

}  // namespace disc
