#include "matrix/large_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace disc {

void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::size_t large_page = std::size_t{1} << 21;
  constexpr std::uintptr_t page = 4096;
  if (bytes < 2 * large_page) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  // It may fail where large pages are switched off; the memory is as good without.
  (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace disc
