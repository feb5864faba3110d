// SPDX-License-Identifier: Apache-2.0
//
// The data of `heapprof info`: the contents of a dump, and its modules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/module_table.h"

namespace heapprof {

struct MetricTotal {
  Metric metric = Metric::kInuseSpace;
  double value = 0;
  // The confidence interval of the total. None if it is unknown or if the total
  // is exact (see ErrorBars).
  std::optional<Interval> interval;
  bool is_exact = false;  // every allocation was sampled
};

// Properties of the input file.
struct DumpInfo {
  std::string path;
  std::string format;            // "jemalloc heap dump"
  std::string produced_by = {};  // "jemalloc 4.0 or later"; empty if unknown
  // One sentence for each file that the user gave but that was not used.
  std::vector<std::string> unused_files = {};
};

struct Info {
  DumpInfo dump;
  std::string program;           // its path; empty if unknown
  int64_t time_seconds = 0;      // since 1970; 0 = unknown
  uint64_t sampling_period = 0;  // bytes; 0 = unknown
  bool has_memory_map = false;
  bool is_symbolized = false;
  size_t stacks = 0;
  size_t threads = 0;
  bool threads_share_errors = false;                // see SharedSeeds
  std::vector<std::string> more_sample_types = {};  // as in Profile
  bool lists_objects = false;                       // as in Profile
  std::vector<SlabClass> slab_classes = {};         // as in Profile
  // The share of memory, in percent, with a caller in code that was made at run
  // time and has no name; and whether a JVM made it.
  double generated_percent = 0;
  bool runs_java = false;
  bool is_difference = false;       // the totals are changes
  std::vector<MetricTotal> totals;  // one for each metric of the dump
  ModuleTable modules;
};

Info MakeInfo(const Profile& profile, DumpInfo dump, ModuleTable modules);

// True if Java code without names calls for a tenth of the memory or more.
// Below that, it is not worth the user's trouble to list the code of a running
// JVM.
bool LacksJavaNames(const Info& info);

}  // namespace heapprof
