// SPDX-License-Identifier: Apache-2.0
//
// Which objects keep slabs, from the sampled objects of one size and the times
// at which they came and went. They are replayed through an allocator in which
// a sampled object takes one region of a slab with 32: an object takes the
// lowest free region, and a slab without objects is given back, as in jemalloc.
// Objects that came at one time and of which few stay are then few in their
// slabs, as the real ones are; those of a stack that keeps nearly all are not.
// A live object keeps the free regions of its slab divided by its live objects.
// Regions that no object has ever had do not count: a slab stands for hundreds
// of real ones, of which only one has such an end.
//
// What this is worth was measured on programs that know who keeps what: see
// tests/e2e/slab_holders.py. To charge the free regions by the numbers of
// objects names an innocent stack whenever a large one fills slabs of the same
// size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/stats/interval.h"

namespace heapprof {

struct ReplayedObject {
  uint32_t holder = 0;  // whom its regions are charged to
  uint64_t thread = 0;  // threads share no slabs
  uint64_t allocated = 0;
  uint64_t freed = 0;  // UINT64_MAX: live
};

// Only the holders with the largest shares have bounds.
inline constexpr size_t kBoundedHolders = 64;

struct HolderShare {
  double share = 0;  // of the free regions
  // At 95 %, the wider ones of two pairs: from a bootstrap over slabs, because
  // whether the last slab of a stack is full or not counts for all objects in
  // it; and of a share of as many independent objects as have the same weight,
  // because a few slabs may agree by chance.
  Interval bounds = {0, 1};
  uint64_t live = 0;  // objects that this comes from
};

struct Replay {
  std::vector<HolderShare> holders = {};  // by number
  uint64_t objects = 0;
  uint64_t live = 0;
  uint64_t free = 0;      // regions of slabs with live objects
  double free_share = 0;  // of all regions of these slabs
};

// With fewer free regions, the slab at the border between two stacks may decide
// which one has the larger share. The bounds say so.
inline constexpr uint64_t kFewFreeRegions = 64;

// `objects` are in the order of their allocation; `holders` is how many there
// are.
Replay ReplayObjects(std::span<const ReplayedObject> objects, uint32_t holders);

}  // namespace heapprof
