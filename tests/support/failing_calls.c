// SPDX-License-Identifier: Apache-2.0
//
// For LD_PRELOAD: makes system resources run out, or a file shrink, at a chosen
// call. Environment variables choose it:
//
//   FAIL_ALLOCATION=N     the N-th allocation fails, from 1
//   FAIL_ALLOCATIONS=N    the N-th and all later allocations fail
//   FAIL_MAPPING=N        the N-th mmap fails
//   FAIL_THREADS=N        every N-th thread does not start
//   SHRINK_FILE=PATH      is cut to SHRINK_SIZE bytes once it is mapped
//   OVERWRITE_FILE=PATH   gets the bytes of OVERWRITE_WITH a few allocations
//                         after it is mapped, without being cut; after its
//                         OVERWRITE_MAPPING-th mapping, from 1, if that is set
//   COUNT_ALLOCATIONS=FD  writes their number there when the program ends
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);

static long fail_allocation, fail_allocations, fail_mapping, fail_threads;
static long count_fd;
static atomic_long allocations, mappings, threads, overwrite_mappings;
static atomic_long until_overwritten;  // allocations
static atomic_int is_ready;

static long NumberOf(const char* variable) {
  const char* value = getenv(variable);
  return value == NULL ? 0 : atol(value);
}

__attribute__((constructor)) static void SetUp(void) {
  fail_allocation = NumberOf("FAIL_ALLOCATION");
  fail_allocations = NumberOf("FAIL_ALLOCATIONS");
  fail_mapping = NumberOf("FAIL_MAPPING");
  fail_threads = NumberOf("FAIL_THREADS");
  count_fd = NumberOf("COUNT_ALLOCATIONS");
  is_ready = 1;
}

__attribute__((destructor)) static void TearDown(void) {
  if (count_fd > 0) dprintf((int)count_fd, "%ld\n", allocations);
}

static void Overwrite(void) {
  char bytes[4096];
  const int from = open(getenv("OVERWRITE_WITH"), O_RDONLY);
  const int to = open(getenv("OVERWRITE_FILE"), O_WRONLY);
  if (from < 0 || to < 0) abort();
  for (ssize_t size; (size = read(from, bytes, sizeof bytes)) > 0;)
    if (write(to, bytes, (size_t)size) != size) abort();
  close(from);
  close(to);
}

static int AllocationFails(void) {
  if (!is_ready) return 0;
  if (until_overwritten > 0 && --until_overwritten == 0) Overwrite();
  const long number = ++allocations;
  const int fails = number == fail_allocation ||
                    (fail_allocations > 0 && number >= fail_allocations);
  if (fails) errno = ENOMEM;
  return fails;
}

void* malloc(size_t size) {
  return AllocationFails() ? NULL : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return AllocationFails() ? NULL : __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  return AllocationFails() ? NULL : __libc_realloc(memory, size);
}

// True if `fd` is the file that an environment variable names.
static int IsFileOf(const char* variable, int fd) {
  const char* path = getenv(variable);
  struct stat wanted, mapped;
  return path != NULL && fd >= 0 && stat(path, &wanted) == 0 &&
         fstat(fd, &mapped) == 0 && wanted.st_ino == mapped.st_ino &&
         wanted.st_dev == mapped.st_dev;
}

static void ChangeFile(int fd) {
  if (IsFileOf("SHRINK_FILE", fd) &&
      truncate(getenv("SHRINK_FILE"), NumberOf("SHRINK_SIZE")) != 0)
    abort();
  if (!IsFileOf("OVERWRITE_FILE", fd)) return;
  const long wanted = NumberOf("OVERWRITE_MAPPING");
  if (++overwrite_mappings == (wanted == 0 ? 1 : wanted))
    until_overwritten = 20;
}

void* mmap(void* address, size_t size, int protection, int flags, int fd,
           off_t offset) {
  static void* (*next)(void*, size_t, int, int, int, off_t);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "mmap");
  if (is_ready && ++mappings == fail_mapping) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  void* memory = next(address, size, protection, flags, fd, offset);
  if (is_ready && memory != MAP_FAILED) ChangeFile(fd);
  return memory;
}
void* mmap64(void* address, size_t size, int protection, int flags, int fd,
             off_t offset) {
  return mmap(address, size, protection, flags, fd, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                   void* (*run)(void*), void* argument) {
  static int (*next)(pthread_t*, const pthread_attr_t*, void* (*)(void*),
                     void*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "pthread_create");
  if (fail_threads > 0 && ++threads % fail_threads == 0) return EAGAIN;
  return next(thread, attributes, run, argument);
}
