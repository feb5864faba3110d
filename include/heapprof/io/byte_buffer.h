// SPDX-License-Identifier: Apache-2.0
//
// A buffer for contents whose size is not known in advance. Unlike a
// std::string, it does not write to memory that it only reserves, and it grows
// by realloc(), which moves the pages of a large block instead of copying its
// bytes. A large input therefore never takes twice its size.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace heapprof {

class ByteBuffer {
 public:
  size_t size() const { return size_; }
  char* data() { return bytes_.get(); }
  // A move of the buffer does not invalidate the view.
  std::string_view view() const { return {bytes_.get(), size_}; }

  // Changes the size. New bytes have no defined value.
  void Resize(size_t size);

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  std::unique_ptr<char, Free> bytes_;
  size_t size_ = 0;
};

}  // namespace heapprof
