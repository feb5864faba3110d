// SPDX-License-Identifier: Apache-2.0
//
// A process as its files describe it, for the tests of this module. In pages of
// 4096 bytes: 100 slabs of 2 pages for 64 objects of 128 bytes each, half of
// them in use; 10 objects of 16 KiB, 4 of them sampled small ones.
#pragma once

#include "heapprof/explain/waterfall.h"

namespace heapprof {

inline constexpr uint64_t kExamplePage = 4096;

inline AllocatorStats ExampleStats() {
  const std::vector<SmallClass> small{{128, 64, 3200, 100}};
  const std::vector<LargeClass> large{{16384, 10}};
  ArenaStats total;
  total.active_pages = 250;
  total.dirty_pages = 50;
  total.muzzy_pages = 0;
  total.mapped = 4 << 20;
  total.retained = 1 << 20;
  total.base = 300 * kExamplePage;
  total.internal = 20000;
  total.tcache_bytes = 30000;
  total.tcache_stashed_bytes = 0;
  total.small = small;
  total.large = large;
  AllocatorStats stats;
  stats.version = "5.3.0-0-g54eaed1d";
  stats.page_size = kExamplePage;
  stats.allocated = 3200 * 128 + 10 * 16384;
  stats.active = 250 * kExamplePage;
  stats.metadata = 300 * kExamplePage + 20000;
  stats.resident = (250 + 50 + 200) * kExamplePage;
  stats.mapped = total.mapped;
  stats.retained = total.retained;
  stats.profiling = true;
  stats.lg_sample = 19;
  stats.cache_oblivious = true;
  stats.hpa = false;
  stats.arena_limit = 8;
  stats.dirty_decay_ms = 10000;
  stats.background_threads = 0;
  stats.total = std::move(total);
  return stats;
}

// jemalloc's 5 MiB, of which 1 MiB is resident, and 2 MiB of files and others.
inline ResidentMemory ExampleMemory() {
  RegionSums regions;
  regions[RegionKind::kUnreserved] = {3, 5 << 20, 1 << 20};
  regions[RegionKind::kFile] = {9, 8 << 20, 1 << 20};
  regions[RegionKind::kOther] = {4, 6 << 20, 1 << 20};
  return {.source = "smaps",
          .rss = 3 << 20,
          .regions = regions,
          .anonymous = 2 << 20,
          .swapped = 0,
          .huge_pages = 0};
}

inline DumpSamples ExampleDump() {
  return {.live = 500000,
          .bounds = {400000, 900000},
          .wide_bounds = {300000, 1200000},
          .small_objects = 4,
          .small_bytes = 4 * 128};
}

inline WaterfallInputs ExampleInputs() {
  return {.stats = ExampleStats(),
          .memory = ExampleMemory(),
          .dump = ExampleDump()};
}

}  // namespace heapprof
