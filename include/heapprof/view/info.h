// SPDX-License-Identifier: Apache-2.0
//
// What `heapprof info` shows: what is in a dump, which modules have names and
// why the others have none. The one-line summary after every report is made
// of the same modules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

// The error bars of all totals.
inline constexpr double kInfoConfidence = 0.95;

// A place where a file was looked for in vain.
struct TriedPlace {
  std::string path;
  std::string outcome;  // "not found", or what is wrong with the file
};

// What a user can do about missing names.
struct Remedy {
  std::string text;
  std::string command;  // for a shell; empty: the text says it all
};

// What is known of the file of one mapping. Empty strings: not known, none.
struct ModuleFacts {
  std::string file;             // on this machine
  std::string wanted_build_id;  // as the profile states it
  std::string build_id;         // of the file
  // Addresses that were returned to, where the file has code, and those of
  // them that follow a call in it.
  uint32_t return_addresses = 0;
  uint32_t after_call = 0;
  std::string debug_file;  // the one with the DWARF, may be `file`
  std::vector<uint16_t> dwarf_versions = {};
  // Places without the file, its debug file or its split debug information.
  std::vector<TriedPlace> tried = {};
  std::vector<std::string> problems =
      {};              // damaged or missing, a sentence each
  std::string reason;  // why names are missing, or lines
  std::vector<Remedy> remedies = {};
};

struct ModuleRow {
  std::string path;  // in the memory map; empty: addresses outside the map
  bool deleted = false;
  size_t locations = 0;
  size_t unresolved = 0;
  size_t stacks = 0;  // whose leaf is in the module
  size_t unresolved_stacks = 0;
  double value = 0;  // of these stacks
  double unresolved_value = 0;
  double percent = 0;           // `value` of the total
  double resolved_percent = 0;  // of `value`; 100 if that is 0
  ModuleFacts facts;
};

// The modules that occur in a stack, those with the largest unresolved value
// first, then those with the largest value, then as in the map.
struct ModuleTable {
  std::vector<ModuleRow> rows;
  size_t unresolved = 0;  // rows with an unresolved location
  double unresolved_percent = 0;
  Metric metric = Metric::kInuseSpace;
};

// `facts` belong to the profile's mappings, by index.
ModuleTable MakeModuleTable(const Profile& profile, Metric metric,
                            std::vector<ModuleFacts> facts);

struct MetricTotal {
  Metric metric = Metric::kInuseSpace;
  double value = 0;
  std::optional<Interval> interval;  // only of bytes that were sampled
};

// What the file says of itself.
struct DumpFacts {
  std::string path;
  std::string format;            // "jemalloc heap dump"
  std::string produced_by = {};  // "jemalloc 4.0 or later"
  // Files given with it that were of no use, a sentence each.
  std::vector<std::string> useless_files = {};
};

struct Info {
  DumpFacts dump;
  int64_t time_seconds = 0;      // since 1970; 0 = not known
  uint64_t sampling_period = 0;  // bytes; 0 = not known
  bool has_memory_map = false;
  bool is_symbolized = false;
  size_t stacks = 0;
  size_t threads = 0;
  std::vector<MetricTotal> totals;  // of the metrics that the dump has
  ModuleTable modules;
};

Info MakeInfo(const Profile& profile, DumpFacts dump, ModuleTable modules);

// The first of inuse_space, alloc_space, inuse_objects and alloc_objects of
// which a sample has a value.
std::optional<Metric> MetricWithValues(const Profile& profile);

// "inuse_space"
const char* MetricName(Metric metric);

}  // namespace heapprof
