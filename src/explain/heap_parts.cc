// SPDX-License-Identifier: Apache-2.0
#include "explain/heap_parts.h"

#include <algorithm>

namespace heapprof {
namespace {

int64_t Known(const std::optional<uint64_t>& number) {
  return static_cast<int64_t>(number.value_or(0));
}

constexpr uint64_t kLargestSmall = uint64_t{4} << 20;

// Sampled small objects, each of which takes an extent. Up to jemalloc 5.3.0
// they are counted as large objects of the smallest large size.
struct SampledSmall {
  int64_t objects = 0;
  int64_t bytes = 0;  // of the objects themselves
  bool is_known = false;
  bool is_exact = false;
};

// Returns how many objects have the smallest large size: no more can be sampled
// small ones.
uint64_t ObjectsOfSmallestLargeSize(const AllocatorStats& stats) {
  for (const LargeClass& large : *stats.total->large)
    if (large.size == SmallLimit(stats)) return large.extents;
  return 0;
}

// Cuts numbers off that contradict the stats.
SampledSmall Limited(uint64_t objects, uint64_t bytes, uint64_t most) {
  if (objects <= most && bytes <= objects * kLargestSmall)
    return {static_cast<int64_t>(objects), static_cast<int64_t>(bytes)};
  const double mean =
      objects == 0 ? 0
                   : static_cast<double>(bytes) / static_cast<double>(objects);
  return {static_cast<int64_t>(most),
          static_cast<int64_t>(static_cast<double>(most) *
                               std::min<double>(mean, kLargestSmall))};
}

SampledSmall FindSampled(const WaterfallInputs& inputs) {
  const AllocatorStats& stats = inputs.stats;
  if (!stats.profiling.value_or(true))
    return {.is_known = true, .is_exact = true};
  const uint64_t most = ObjectsOfSmallestLargeSize(stats);
  uint64_t objects = 0, bytes = 0;
  bool is_counted = !stats.total->small->empty();
  for (const SmallClass& small : *stats.total->small) {
    is_counted &= small.sampled.has_value();
    objects += small.sampled.value_or(0);
    bytes += small.sampled.value_or(0) * small.size;
  }
  if (!is_counted && !inputs.dump) return {};
  SampledSmall sampled = is_counted ? Limited(objects, bytes, most)
                                    : Limited(inputs.dump->small_objects,
                                              inputs.dump->small_bytes, most);
  sampled.is_known = true;
  sampled.is_exact = is_counted;
  return sampled;
}

void DivideActive(const WaterfallInputs& inputs, HeapParts& parts) {
  const AllocatorStats& stats = inputs.stats;
  const auto pad = static_cast<int64_t>(PadOfLargeObject(stats));
  for (const SmallClass& small : *stats.total->small)
    parts.free_regions += static_cast<int64_t>(small.free_bytes());
  parts.pads = static_cast<int64_t>(PadsOfLargeObjects(stats));
  parts.has_classes = true;
  if (stats.IsFrom(5, 3, 1)) {
    parts.is_sampled_known = true;
    parts.is_sampled_exact = true;
    return;
  }
  const SampledSmall sampled = FindSampled(inputs);
  parts.is_sampled_known = sampled.is_known;
  parts.is_sampled_exact = sampled.is_exact && sampled.is_known;
  if (!sampled.is_known) return;
  const auto extent = static_cast<int64_t>(SmallLimit(stats));
  const int64_t pads = std::min(sampled.objects * pad, parts.pads);
  parts.sampled_objects = static_cast<uint64_t>(sampled.objects);
  parts.sampled_extents =
      std::max<int64_t>(sampled.objects * extent - sampled.bytes, 0);
  parts.live -= parts.sampled_extents;
  parts.sampled_extents += pads;
  parts.pads -= pads;
}

}  // namespace

uint64_t SmallLimit(const AllocatorStats& stats) {
  constexpr uint64_t kUsualPage = 4096;
  constexpr uint64_t kPages = 4;
  return kPages * stats.page_size.value_or(kUsualPage);
}

HeapParts DivideHeap(const WaterfallInputs& inputs) {
  const AllocatorStats& stats = inputs.stats;
  const ArenaStats total = stats.total.value_or(ArenaStats());
  HeapParts parts;
  parts.resident = Known(stats.resident);
  parts.thread_caches =
      Known(total.tcache_bytes) + Known(total.tcache_stashed_bytes);
  parts.internal = Known(total.internal);
  parts.live = Known(stats.allocated) - parts.thread_caches - parts.internal;
  if (total.small && total.large && stats.page_size)
    DivideActive(inputs, parts);
  parts.unlisted = Known(stats.active) - parts.live - parts.thread_caches -
                   parts.internal - parts.free_regions - parts.pads -
                   parts.sampled_extents;
  // Since 5.3.1, sampled objects are in no class.
  if (parts.has_classes && stats.IsFrom(5, 3, 1) && parts.unlisted > 0)
    std::swap(parts.unlisted, parts.sampled_extents);
  parts.has_dirty = total.dirty_pages && stats.page_size;
  if (parts.has_dirty)
    parts.dirty = Known(total.dirty_pages) * Known(stats.page_size);
  parts.base = parts.resident - Known(stats.active) - parts.dirty;
  return parts;
}

}  // namespace heapprof
