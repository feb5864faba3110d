// SPDX-License-Identifier: Apache-2.0
//
// Options for reading units while .debug_info is inflated.
#pragma once

#include <cstdint>

namespace heapprof {

// All sizes are in bytes of inflated data.
struct UnitStreaming {
  // A .debug_info section smaller than this is inflated as a whole before any
  // unit is read.
  uint64_t min_size = 1 << 20;
  // Units are read each time this many more bytes have been inflated.
  uint64_t step = 8 << 20;
  // A .debug_info section of at most this size stays in memory, which saves
  // time if the resolver is used again. The units of a larger one are discarded
  // once they are read, and inflated again when they are needed again.
  uint64_t most_kept = 0;

  // most_kept for a resolver that will be used again. A larger section may not
  // fit into memory, so the time for inflating it twice is well spent.
  static constexpr uint64_t kUsualSize = uint64_t{512} << 20;
};

}  // namespace heapprof
