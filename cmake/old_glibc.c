/* What libraries of Debian 12 ask of a newer glibc than 2.28, for the module in portable wheels (python/portable.cmake). */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

/* "Perhaps there are other threads": counters are always changed atomically. */
char __libc_single_threaded = 0;

/* For names of temporary files and std::random_device. */
void arc4random_buf(void* buffer, size_t size) {
  char* at = buffer;
  while (size > 0) {
    const size_t piece = size < 256 ? size : 256; /* as many as getentropy gives at once */
    if (getentropy(at, piece) != 0) abort();
    at += piece;
    size -= piece;
  }
}

uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}

/* Waits until a time of another clock: as long as it is until then, by the clock of the system. Who waits looks at the time again. */
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
  struct timespec now, end;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += until->tv_sec - now.tv_sec;
  end.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (end.tv_nsec < 0) {
    end.tv_nsec += 1000000000;
    end.tv_sec -= 1;
  } else if (end.tv_nsec >= 1000000000) {
    end.tv_nsec -= 1000000000;
    end.tv_sec += 1;
  }
  return pthread_cond_timedwait(condition, mutex, &end);
}
