// SPDX-License-Identifier: Apache-2.0
//
// Two functions for allocation that jemalloc lacks. Those of the C library, or
// of another allocator that the program is linked with, do not know what
// malloc() has returned, and jemalloc's free() not what they return. The calls
// of jemalloc are the last ones, so that they become jumps: they begin with the
// frame of the caller.
#include <errno.h>
#include <unistd.h>

#include <malloc.h>
#include <stdlib.h>

#include "preload.h"

EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, all);
}

EXPORT void* pvalloc(size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t all;
  if (__builtin_add_overflow(size, page - 1, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return valloc(all < page ? page : all & ~(page - 1));
}
