// SPDX-License-Identifier: Apache-2.0
//
// A program that seems to contain a jemalloc with a profiler and the prefix
// "Shop_": it has the strings, and mallctl(), which writes a dump of 8 MB.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char* const strings[] = {
    "SHOP_MALLOC_CONF", "<jemalloc>: %s",
    "<jemalloc>: Leak approximation summary: ~%lu bytes"};

static int WriteDump(const char* path) {
  FILE* const file = fopen(path, "w");
  if (file == NULL) return 1;
  fputs(
      "heap_v2/1\n  t*: 80: 8000000 [0: 0]\n@ 0x1234\n"
      "  t*: 80: 8000000 [0: 0]\n\nMAPPED_LIBRARIES:\n",
      file);
  return fclose(file);
}

int Shop_mallctl(const char* name, void* old, size_t* old_size, void* new,
                 size_t new_size) {
  if (strcmp(name, "prof.dump") == 0 && new_size == sizeof(char*))
    return WriteDump(*(char* const*)new);
  if (old == NULL || *old_size != sizeof(bool)) return 1;
  *(bool*)old = true;
  return 0;
}

int main(void) { return strings[0][0] == 'S' ? 5 : 6; }
