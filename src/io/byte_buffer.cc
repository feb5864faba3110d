// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/byte_buffer.h"

#include <algorithm>
#include <cstdlib>

#include "heapprof/base/out_of_memory.h"

namespace heapprof {

void ByteBuffer::Resize(size_t size) {
  // realloc(p, 0) may free the block.
  void* const bytes = std::realloc(bytes_.get(), std::max<size_t>(size, 1));
  if (bytes == nullptr) FailAllocation();
  static_cast<void>(bytes_.release());
  bytes_.reset(static_cast<char*>(bytes));
  size_ = size;
}

}  // namespace heapprof
