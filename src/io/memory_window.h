// SPDX-License-Identifier: Apache-2.0
//
// A block of bytes of which only a window is in memory at a time. The window
// begins anywhere and moves towards the end. Only the window counts as memory
// of this process, for limits too (RLIMIT_DATA, and the kernel's accounting of
// what it has promised); the rest is only address space.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapprof {

class MemoryWindow {
 public:
  // Reserves the address space. Fails as `new` does.
  explicit MemoryWindow(size_t size);
  ~MemoryWindow();
  MemoryWindow(const MemoryWindow&) = delete;
  MemoryWindow& operator=(const MemoryWindow&) = delete;

  // All bytes can be read. Those that were never written are 0, and so may be
  // those that were freed.
  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

  // Makes the bytes before `end`, at most size(), writable. Fails as `new`
  // does. Only one thread may call this.
  void Extend(size_t end);
  // Frees the bytes before `end`, which must be writable; those before `start`
  // have already been freed by an earlier call, with `start` as its `end`.
  // Frees only whole large pages, so that the kernel need not split any.
  // Another thread may extend the window meanwhile.
  void Free(size_t start, size_t end);

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t writable_ = 0;  // the end of the window
};

}  // namespace heapprof
