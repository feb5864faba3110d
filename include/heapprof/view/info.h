// SPDX-License-Identifier: Apache-2.0
//
// What `heapprof info` shows: what is in a dump, and its modules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/change.h"
#include "heapprof/view/module_table.h"

namespace heapprof {

struct MetricTotal {
  Metric metric = Metric::kInuseSpace;
  double value = 0;
  // Only of bytes, and only where the sampling period is known.
  std::optional<Interval> interval;
  bool is_exact = false;  // every allocation was sampled
};

// What the file says of itself.
struct DumpInfo {
  std::string path;
  std::string format;            // "jemalloc heap dump"
  std::string produced_by = {};  // "jemalloc 4.0 or later"
  // Files given with it that were of no use, a sentence each.
  std::vector<std::string> unused_files = {};
};

struct Info {
  DumpInfo dump;
  std::string program;           // its path; empty: not known
  int64_t time_seconds = 0;      // since 1970; 0 = not known
  uint64_t sampling_period = 0;  // bytes; 0 = not known
  bool has_memory_map = false;
  bool is_symbolized = false;
  size_t stacks = 0;
  size_t threads = 0;
  std::vector<MetricTotal> totals;  // of the metrics that the dump has
  ModuleTable modules;
};

Info MakeInfo(const Profile& profile, DumpInfo dump, ModuleTable modules);

// The first of inuse_space, alloc_space, inuse_objects and alloc_objects of
// which a sample has a value.
std::optional<Metric> MetricWithValues(const Profile& profile);

// "inuse_space"
const char* MetricName(Metric metric);

}  // namespace heapprof
