// SPDX-License-Identifier: Apache-2.0
//
// The parts of `resident`, as far as the stats tell them apart. They add up to
// it, whatever is not known.
#pragma once

#include <cstdint>

#include "heapprof/explain/waterfall.h"

namespace heapprof {

struct HeapParts {
  int64_t live = 0;
  int64_t free_regions = 0;
  int64_t thread_caches = 0;
  int64_t sampled_extents = 0;
  int64_t pads = 0;
  int64_t unlisted = 0;
  int64_t dirty = 0;
  int64_t internal = 0;
  int64_t base = 0;
  int64_t resident = 0;  // the sum of the above

  uint64_t sampled_objects = 0;   // whose extents are in `sampled_extents`
  bool is_sampled_exact = false;  // their number is counted, or there are none
  bool is_sampled_known = false;  // or estimated; else they are in `live`
  bool has_classes = false;       // else free regions and pads are `unlisted`
  bool has_dirty = false;         // else dirty pages are in `base`
};

// The stats must have `allocated`, `active` and `resident`.
HeapParts DivideHeap(const WaterfallInputs& inputs);

}  // namespace heapprof
