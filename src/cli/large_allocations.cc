// SPDX-License-Identifier: Apache-2.0
//
// Memory for tables of millions of rows. With pages of 4 KB, a sixth of the
// time on a profile of a million addresses would go into page faults, and many
// of the lookups would miss the processor's table of pages; so what is large
// asks for large pages, wherever it is allocated.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "heapprof/base/large_pages.h"

namespace {

constexpr size_t kLarge = size_t{4} << 20;

void* Allocate(size_t size) {
  void* memory = std::malloc(std::max<size_t>(size, 1));
  if (memory != nullptr && size >= kLarge)
    heapprof::PreferLargePages(memory, size);
  return memory;
}

}  // namespace

void* operator new(size_t size) {
  if (void* memory = Allocate(size)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
