/* What gcc's libstdc++ of Debian 12 asks of a newer glibc than 2.28, for the module in portable wheels (python/portable.cmake). */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* "Perhaps there are other threads": counters are always changed atomically. */
char __libc_single_threaded = 0;

/* std::random_device, where the processor has no instruction for it. */
uint32_t arc4random(void) {
  uint32_t number;
  if (getentropy(&number, sizeof number) != 0) abort();
  return number;
}
