// SPDX-License-Identifier: Apache-2.0
#include "io/memory_window.h"

#include <sys/mman.h>

#include <algorithm>

#include "heapprof/base/large_pages.h"
#include "heapprof/base/out_of_memory.h"

namespace heapprof {

// mmap() fails for 0 bytes.
MemoryWindow::MemoryWindow(size_t size) : size_(size) {
  void* data = mmap(nullptr, std::max<size_t>(size, 1), PROT_READ,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) FailAllocation();
  data_ = static_cast<uint8_t*>(data);
  PreferLargePages(data_, size);
}

MemoryWindow::~MemoryWindow() { munmap(data_, std::max<size_t>(size_, 1)); }

// Grows by large steps, because each is a system call.
void MemoryWindow::Extend(size_t end) {
  constexpr size_t kStep = 16 << 20;
  if (end <= writable_) return;
  const size_t wanted = std::min(size_, (end + kStep - 1) / kStep * kStep);
  if (mprotect(data_ + writable_, wanted - writable_, PROT_READ | PROT_WRITE) !=
      0)
    FailAllocation();
  writable_ = wanted;
}

void MemoryWindow::Free(size_t start, size_t end) {
  const auto begin = reinterpret_cast<uintptr_t>(data_);
  const auto page_at = [begin](size_t offset) {
    return std::max(begin, (begin + offset) & ~(kLargePage - 1));
  };
  const uintptr_t first = page_at(start);
  const uintptr_t last = page_at(end);
  if (first >= last) return;
  // If this fails, the memory just stays in use.
  madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  mprotect(reinterpret_cast<void*>(first), last - first, PROT_READ);
}

}  // namespace heapprof
