// Loaded before the C library (LD_PRELOAD): lets the N-th call of a kind fail, and all later ones too if asked to.
//
//   FAILING=memory|files|maps   which calls (maps: files mapped into memory);  FAIL_AT=N  from 1, 0 fails none;  FAIL_ALWAYS=1  and all later ones
//   FAIL_COUNT=file        how many there were is written there in the end
//   FAIL_EACH=file FAIL_STEP=K  every K-th call fails, each in a child of its own, while the process goes on as if nothing had been. A child
//                          shares open files with it: so it removes nothing, and ends with 77 when it comes to write. What children say is
//                          appended to the file, and after each a line "call N: S", S as wait() gives it
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

static atomic_long calls;
static long at;
static long step;
static int memory, files, maps, always;
static int each = -1;  // FAIL_EACH
static int alone;      // a child has no other threads

static void begin(void) {
  const char* kind = getenv("FAILING");
  const char* number = getenv("FAIL_AT");
  if (kind == NULL || number == NULL) return;
  at = atol(number);
  always = getenv("FAIL_ALWAYS") != NULL;
  memory = strcmp(kind, "memory") == 0;
  files = strcmp(kind, "files") == 0;
  maps = strcmp(kind, "maps") == 0;
  const char* report = getenv("FAIL_EACH");
  if (report == NULL) return;
  each = (int)syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  step = getenv("FAIL_STEP") == NULL ? 1 : atol(getenv("FAIL_STEP"));
}

// Counted is from main on: what libraries do before it is none of the program's business.
static int (*main_itself)(int, char**, char**);
static int counted_main(int count, char** words, char** environment) {
  begin();
  return main_itself(count, words, environment);
}
int __libc_start_main(int (*program)(int, char**, char**), int count, char** words, void (*first)(void), void (*last)(void),
                      void (*loader)(void), void* stack) {
  int (*start)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  start = dlsym(RTLD_NEXT, "__libc_start_main");
  main_itself = program;
  return start(counted_main, count, words, first, last, loader, stack);
}

__attribute__((destructor)) static void end(void) {
  const char* place = getenv("FAIL_COUNT");
  if (place == NULL) return;
  const long counted = calls;
  memory = files = 0;
  FILE* file = fopen(place, "w");
  if (file != NULL) {
    fprintf(file, "%ld", counted);
    fclose(file);
  }
}

// Whether this is the child, in which the call fails.
static int fails_in_a_child(long number) {
  const pid_t child = fork();
  if (child == 0) {
    syscall(SYS_dup3, each, 2, 0);
    each = -1;
    alone = 1;
    alarm(60);
    return 1;
  }
  int status = -1;
  char line[64];
  if (child > 0) waitpid(child, &status, 0);
  const int length = snprintf(line, sizeof line, "call %ld: %d\n", number, status);
  syscall(SYS_write, each, line, (size_t)length);
  return 0;
}

static int fails(int counts) {
  if (!counts) return 0;
  const long number = ++calls;
  if (each >= 0 && number % step == at % step) return fails_in_a_child(number);
  return number == at || (always && at > 0 && number > at);
}

#define NO_MEMORY_IF_IT_FAILS \
  if (fails(memory)) return errno = ENOMEM, NULL;

void* malloc(size_t size) {
  NO_MEMORY_IF_IT_FAILS
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  NO_MEMORY_IF_IT_FAILS
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  NO_MEMORY_IF_IT_FAILS
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  NO_MEMORY_IF_IT_FAILS
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** place, size_t alignment, size_t size) {
  if (fails(memory)) return ENOMEM;
  *place = __libc_memalign(alignment, size);
  return *place == NULL ? ENOMEM : 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_FILES(error, result) \
  if (fails(files)) return errno = error, result;

int pthread_join(pthread_t thread, void** result) { return alone ? 0 : REAL(pthread_join)(thread, result); }
int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  if (alone && (flags & O_CREAT)) _exit(77);
  FAIL_FILES(EIO, -1)
  return REAL(open)(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  if (alone && (flags & O_CREAT)) _exit(77);
  FAIL_FILES(EIO, -1)
  return REAL(open64)(path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  FAIL_FILES(EIO, NULL)
  return REAL(fopen)(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  FAIL_FILES(EIO, NULL)
  return REAL(fopen64)(path, mode);
}
ssize_t read(int file, void* to, size_t size) {
  FAIL_FILES(EIO, -1)
  return REAL(read)(file, to, size);
}
ssize_t pread(int file, void* to, size_t size, off_t place) {
  FAIL_FILES(EIO, -1)
  return REAL(pread)(file, to, size, place);
}
ssize_t write(int file, const void* from, size_t size) {
  if (alone && file > 2) _exit(77);
  if (file > 2) FAIL_FILES(ENOSPC, -1)
  return REAL(write)(file, from, size);
}
ssize_t writev(int file, const struct iovec* from, int count) {
  if (alone && file > 2) _exit(77);
  if (file > 2) FAIL_FILES(ENOSPC, -1)
  return REAL(writev)(file, from, count);
}
void* mmap(void* address, size_t size, int protection, int flags, int file, off_t place) {
  if (file >= 0 && fails(files || maps)) return errno = ENODEV, MAP_FAILED;
  return REAL(mmap)(address, size, protection, flags, file, place);
}
int fsync(int file) {
  FAIL_FILES(EIO, -1)
  return REAL(fsync)(file);
}
int fstat(int file, struct stat* found) {
  FAIL_FILES(EIO, -1)
  return REAL(fstat)(file, found);
}
int rename(const char* from, const char* to) {
  if (alone) _exit(77);
  FAIL_FILES(ENOSPC, -1)
  return REAL(rename)(from, to);
}
int mkdir(const char* path, mode_t mode) {
  FAIL_FILES(ENOSPC, -1)
  return REAL(mkdir)(path, mode);
}
int unlink(const char* path) {
  if (alone) return 0;
  FAIL_FILES(EIO, -1)
  return REAL(unlink)(path);
}
int unlinkat(int folder, const char* path, int flags) { return alone ? 0 : REAL(unlinkat)(folder, path, flags); }
int rmdir(const char* path) { return alone ? 0 : REAL(rmdir)(path); }
int remove(const char* path) { return alone ? 0 : REAL(remove)(path); }
char* mkdtemp(char* pattern) {
  FAIL_FILES(ENOSPC, NULL)
  return REAL(mkdtemp)(pattern);
}
