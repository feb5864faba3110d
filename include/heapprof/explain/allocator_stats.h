// SPDX-License-Identifier: Apache-2.0
//
// What jemalloc says about itself in the output of malloc_stats_print(), as
// JSON (option "J") or as text. Both give the same numbers. A member without a
// value is not known, because this version of jemalloc does not print it or the
// options left it out; it never means 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

// The slabs for objects of one small size. A slab is divided into regions, one
// for each object. `regions` and `slabs` are numbers, `size` is in bytes.
struct SmallClass {
  uint64_t size = 0;
  uint64_t regions_per_slab = 0;
  uint64_t regions = 0;  // in use, also by thread caches
  uint64_t slabs = 0;
  // Sampled objects that are alive; known only with prof_stats:true.
  std::optional<uint64_t> sampled = {};

  uint64_t capacity() const { return slabs * regions_per_slab; }
  // 0 also if the snapshot says that more are in use than there are, which
  // happens because it is not atomic.
  uint64_t free_bytes() const {
    return regions < capacity() ? (capacity() - regions) * size : 0;
  }
  bool operator==(const SmallClass&) const = default;
};

// Objects of one large size, each in an extent of its own.
struct LargeClass {
  uint64_t size = 0;
  uint64_t extents = 0;
  bool operator==(const LargeClass&) const = default;
};

// One arena, or the sum of all. In bytes, except pages and milliseconds.
struct ArenaStats {
  std::optional<int64_t> dirty_decay_ms;  // -1: never
  std::optional<int64_t> muzzy_decay_ms;
  std::optional<uint64_t> active_pages;
  std::optional<uint64_t> dirty_pages;  // unused, but still in memory
  std::optional<uint64_t> muzzy_pages;  // unused; the kernel may take them
  std::optional<uint64_t> mapped;
  std::optional<uint64_t> retained;  // address space without memory
  std::optional<uint64_t> base;      // metadata that is never freed
  std::optional<uint64_t> internal;  // metadata that is allocated like objects
  std::optional<uint64_t> tcache_bytes;
  std::optional<uint64_t> tcache_stashed_bytes;
  std::optional<uint64_t> resident;
  std::optional<uint64_t> metadata_edata;        // part of `base`; since 5.3.1
  std::optional<std::vector<SmallClass>> small;  // with slabs; by size
  std::optional<std::vector<LargeClass>> large;  // with extents; by size

  bool operator==(const ArenaStats&) const = default;
};

struct AllocatorStats {
  // "5.3.0-0-g54eaed1d"; empty if unknown. Builds from sources without a
  // repository call themselves 0.0.0: for them, the first version that prints
  // what they do.
  std::string version;
  std::optional<uint64_t> page_size;
  // Of the whole process, in bytes.
  std::optional<uint64_t> allocated;
  std::optional<uint64_t> active;
  std::optional<uint64_t> metadata;
  std::optional<uint64_t> resident;
  std::optional<uint64_t> mapped;
  std::optional<uint64_t> retained;

  std::optional<bool> profiling;        // opt.prof
  std::optional<uint64_t> lg_sample;    // log2 of the sampling period in bytes
  std::optional<bool> cache_oblivious;  // large objects have a spare page
  std::optional<bool> hpa;              // the huge page allocator is on
  std::optional<uint64_t> arena_limit;  // opt.narenas
  std::optional<int64_t> dirty_decay_ms;       // of new arenas
  std::optional<uint64_t> background_threads;  // that run

  std::optional<ArenaStats> total;  // of all arenas
  // Each arena, if they are printed; by its number.
  std::vector<std::pair<uint64_t, ArenaStats>> arenas;

  bool operator==(const AllocatorStats&) const = default;

  // True for versions that are known to be `major`.`minor`.`patch` or later.
  bool IsFrom(int major, int minor, int patch) const;
};

// True if the bytes look like output of malloc_stats_print(), of either form.
bool LooksLikeAllocatorStats(std::string_view bytes);

// Reads output of malloc_stats_print(). If a log has several in the form of
// text, the last one counts. `name` is the input's name in messages. The error
// is of kind kOtherFormat if it is none, and kBadFormat if it is damaged or cut
// short.
Result<AllocatorStats> ParseAllocatorStats(std::string_view bytes,
                                           const std::string& name);

// Returns a sentence for each sum that does not add up: none for a snapshot of
// a jemalloc at rest. Sums with unknown numbers are not checked.
std::vector<std::string> FindContradictions(const AllocatorStats& stats);

// True if `tcache_bytes` is all that thread caches hold. jemalloc 5.1 and 5.2
// count large objects in them wrongly, 4.x does not count at all.
bool CountsThreadCaches(const AllocatorStats& stats);

// The page that an object of the smallest large size has in addition, so that
// objects begin at different places of the processor's cache; 0 if there is
// none.
uint64_t PadOfLargeObject(const AllocatorStats& stats);

// The pages that all large objects have in addition, in bytes. The list of
// their classes must be known.
uint64_t PadsOfLargeObjects(const AllocatorStats& stats);

}  // namespace heapprof
