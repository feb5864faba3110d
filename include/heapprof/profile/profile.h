// SPDX-License-Identifier: Apache-2.0
//
// A heap profile in memory: pprof's concepts (sample, location, line, function,
// mapping) as tables joined by 32-bit ids. An id is the index of a row; id 0
// means "none". Only ProfileBuilder adds rows. Reports use nothing but these
// tables; they never read the dump again.
//
// Example: the record
//   @ 0x55d0c0de1131 0x55d0c0de2042
//     t*: 3: 3145728 [5: 5242880]
//     t0: 3: 3145728 [5: 5242880]
// becomes one stack of two locations (leaf first) and one Sample with four
// estimates, from the "t*:" line (all threads). The "t0:" line (thread 0)
// becomes a thread sample with the same stack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/id.h"
#include "heapprof/base/sides.h"
#include "heapprof/profile/string_table.h"
#include "heapprof/stats/run_variation.h"
#include "heapprof/stats/unbias.h"

namespace heapprof {

using FunctionId = Id<struct FunctionTag>;
using MappingId = Id<struct MappingTag>;
using LocationId = Id<struct LocationTag>;
using StackId = Id<struct StackTag>;
using ThreadId = Id<struct ThreadTag>;

// The four counters that jemalloc keeps for each stack.
enum class Metric : uint8_t {
  kInuseObjects,
  kInuseSpace,
  kAllocObjects,
  kAllocSpace,
};
inline constexpr size_t kMetricCount = 4;

// In the order of reports.
inline constexpr std::array kMetrics = {
    Metric::kInuseSpace, Metric::kInuseObjects, Metric::kAllocSpace,
    Metric::kAllocObjects};

constexpr bool IsAccumulated(Metric metric) {
  return metric == Metric::kAllocObjects || metric == Metric::kAllocSpace;
}
constexpr bool IsObjectCount(Metric metric) {
  return metric == Metric::kInuseObjects || metric == Metric::kAllocObjects;
}

// Return the metric that counts the bytes, or the number, of the same objects.
constexpr Metric BytesOf(Metric metric) {
  return IsAccumulated(metric) ? Metric::kAllocSpace : Metric::kInuseSpace;
}

constexpr Metric ObjectsOf(Metric metric) {
  return IsAccumulated(metric) ? Metric::kAllocObjects : Metric::kInuseObjects;
}

// One Estimate for each Metric.
struct Values {
  std::array<Estimate, kMetricCount> by_metric;

  Estimate& operator[](Metric metric) {
    return by_metric[static_cast<size_t>(metric)];
  }
  const Estimate& operator[](Metric metric) const {
    return by_metric[static_cast<size_t>(metric)];
  }
  Values& operator+=(const Values& other);
  // Subtracts the values of `other` but adds its variances: the errors of the
  // two sides are independent, so the variance of a difference is the sum of
  // theirs.
  Values& operator-=(const Values& other);
  bool AllZero() const;
};

struct Function {
  StringId name = {};  // readable: demangled, or qualified with its scopes
  StringId system_name = {};  // mangled, as in the binary; none if unknown
  StringId filename = {};
  uint32_t start_line = 0;  // 0 = not known
  // The virtual address of its first instruction in the ELF file.
  uint64_t start_address = 0;
  bool unresolved = false;  // a placeholder for an address without a name
};

struct Line {
  FunctionId function = {};
  uint32_t line = 0;    // 0 = not known
  uint32_t column = 0;  // 0 = not known
};

// A range of consecutive rows of another table.
struct RowRange {
  uint32_t first = 0;
  uint32_t count = 0;
};

struct Location {
  // The runtime address that the dump recorded.
  uint64_t address = 0;
  // The position in the mapping's file. Mapping::address_space says whether it
  // is a file offset, a virtual address or something else. Equals `address` for
  // a location without a file.
  uint64_t module_address = 0;
  MappingId mapping = {};
  // True if `address` follows the call (heap dumps), false if it is inside
  // the call instruction (pprof, symbolized files).
  bool is_return_address = true;
  // True if it represents no code, but a group: see AddGroupRoots().
  bool is_group = false;
  // The calls at this address, as rows of Profile::lines: the innermost inlined
  // call first, the function that contains the code last. Empty before
  // symbolization.
  RowRange lines = {};
};

// What the module addresses of a mapping's locations mean.
enum class AddressSpace : uint8_t {
  kFileOffset,   // the offset of the byte in the file
  kFileAddress,  // a virtual address of the ELF file
  kRuntime,      // an address in the process; the load address is unknown
  kUnknown,      // one of the above; the symbolizer finds out from the file
};

// One file (or one special region such as "[vdso]") of the process.
struct Mapping {
  // The executable code has runtime addresses from `start` to `limit` - 1.
  uint64_t start = 0;
  uint64_t limit = 0;
  uint64_t file_offset = 0;  // of `start`
  StringId filename = {};    // from the memory map, without " (deleted)"
  // What `filename` was before a comparison gave the module the path that it
  // has in another build; none if it did not.
  StringId recorded_filename = {};
  // In lower-case hex. None if the profile has no build id and no file was
  // found.
  StringId build_id = {};
  StringId elf_path = {};  // path of the matching file on this machine
  bool is_file = false;
  bool deleted = false;
  AddressSpace address_space = AddressSpace::kFileOffset;
  // 0: the mapping is the whole file. Otherwise the number of one PT_LOAD
  // segment of the file, from 1. Set only if a profile lists segments without
  // their addresses.
  uint32_t segment = 0;
};

// How long objects lived, rounded to powers of ten. Samples with equal stacks
// and lifetimes are added up; with exact lifetimes, there would be one sample
// for each object. Known only from jemalloc's JSON logs.
enum class Lifetime : uint8_t {
  kUnknown,
  kBelow1ms,
  kBelow10ms,
  kBelow100ms,
  kBelow1s,
  kBelow10s,
  kBelow100s,
  kFrom100s,
  kLive,  // still live
};

struct Sample {
  StackId stack = {};
  ThreadId thread = {};  // none: all threads together
  Side side = Side::kNew;
  Lifetime lifetime = Lifetime::kUnknown;
  uint16_t run = 0;  // index in Profile::runs[side] of the input it is from
  // True if all its live objects have the same size: bytes by objects.
  bool one_size = false;
  Values values = {};
};

// The slabs of all arenas for small objects of one size. A slab is memory that
// is divided into regions, one for each object.
struct SlabClass {
  uint64_t region_size = 0;
  uint64_t slab_bytes = 0;
  uint64_t used_bytes = 0;  // in regions in use, some of them in thread caches
};

// One of the inputs that Merge() joins.
struct InputRun {
  uint64_t sampling_period = 0;  // like Profile::sampling_period
  uint32_t thread_stacks = 0;    // like Profile::thread_stacks
  // How many threads had samples that are no longer in the profile.
  uint32_t dropped_threads = 0;
  Values filtered_out = {};  // its part of Profile::filtered_out
};

struct Thread {
  uint64_t uid = 0;
  StringId name = {};
  // In a comparison, the thread under which reports show this one; none: it is
  // shown under its own row. See CompareSides().
  ThreadId shown_as = {};
};

// How the runs of a comparison vary beyond the variances of samples. It widens
// the error bars.
struct Dispersion {
  RunVariation entries = {};  // of everything but the total
  RunVariation total = {};
  // By which factor the total of each side varies more than sampling alone
  // explains; at least 1.
  Sides<double> of_sides = {1, 1};
};

struct Profile {
  StringTable strings;
  std::vector<Function> functions{1};
  std::vector<Line> lines;
  std::vector<Mapping> mappings{1};
  std::vector<Location> locations{1};
  // The locations of all stacks. Each stack has frames of its own, and some
  // frames may belong to no stack.
  std::vector<LocationId> frames;
  std::vector<RowRange> stacks{1};  // parts of `frames`, leaf first
  std::vector<Thread> threads{1};
  // One row per stack (and Lifetime or object size, if known) of each input,
  // summed over all threads. In a comparison, equal stacks of all inputs have
  // one StackId.
  std::vector<Sample> samples;
  // The sum of the samples that filters removed from `samples`. Reports include
  // it in their total.
  Sides<Values> filtered_out = {};
  // One row per stack and thread (and object size, if known). The values of a
  // stack need not add up to its values in `samples`, because each line of a
  // dump is scaled separately.
  std::vector<Sample> thread_samples;
  // The thread samples that filters removed. Their stacks have no frames.
  std::vector<Sample> filtered_thread_samples;
  // True if the new side is compared with the base side, even if one of them
  // has no samples. A report then shows the change from base to new.
  bool is_comparison = false;
  // Indexed by Metric.
  std::array<Dispersion, kMetricCount> dispersions = {};

  // In bytes; 0 if unknown. Variances are then unknown, too.
  uint64_t sampling_period = 0;
  // True if the dump carries alloc_* counters (jemalloc's prof_accum:true).
  bool has_accumulated = false;
  // False if a profile has no inuse_* counters.
  bool has_inuse = true;
  // False if a profile has numbers of bytes but not of objects.
  bool has_object_counts = true;
  // True if the input lists its live sampled objects, with sizes and ages.
  bool lists_objects = false;
  // The sample types of a pprof profile that were not read: "cold_space/bytes".
  std::vector<std::string> more_sample_types;
  // By region size. Empty if the input does not list slabs.
  std::vector<SlabClass> slab_classes;
  // True if names came with the input (a symbolized file).
  bool is_symbolized = false;
  // True if another program may already have removed the allocator's frames.
  bool may_be_trimmed = false;
  bool has_memory_map = false;
  // The number of regions in the memory map that look like stacks of threads; 0
  // if unknown. See SharedSeedVariance().
  Sides<uint32_t> thread_stacks = {};
  // The inputs that were merged. May be empty if there was only one input.
  Sides<std::vector<InputRun>> runs = {};
  // True if the values of each run are divided by the number of runs of its
  // side, so that sums over a side are means. It is so in every comparison.
  bool is_mean_of_runs = false;
  // The program's own allocators, by FunctionId: see FindOwnAllocators() in
  // src/transform. Filters leave too few stacks to find them, so they are found
  // before; empty if nobody has looked yet.
  std::vector<bool> own_allocators;
  // True if the inputs may be dumps of different processes, in which a thread's
  // number means nothing.
  bool mixes_processes = false;
  // True if the two sides ran different builds of a module. An address of one
  // side then means nothing on the other.
  bool compares_builds = false;
  // When the dump was written, in seconds since 1970; 0 if unknown.
  int64_t time_seconds = 0;
  StringId main_binary = {};  // path of the program, if known
  // The programs of further inputs that were merged, if they have other paths.
  std::vector<StringId> other_programs;

  std::span<const LocationId> StackFrames(StackId id) const {
    const RowRange range = stacks[id.index()];
    return std::span(frames).subspan(range.first, range.count);
  }
  std::span<const Line> LocationLines(const Location& location) const {
    return std::span(lines).subspan(location.lines.first, location.lines.count);
  }
  std::string_view String(StringId id) const { return strings.Get(id); }
};

// Returns the address by which to look up a location: an address inside the
// call instruction. `address` is the location's `address` or `module_address`.
// In heap dumps, the address of every frame is a return address, so one is
// subtracted. In pprof profiles and symbolized dumps, addresses are inside the
// call already. No other code subtracts one for a lookup, except StackReader,
// which looks up the symbols that are listed in a symbolized dump.
inline uint64_t CallSiteAddress(const Location& location, uint64_t address) {
  return location.is_return_address && address != 0 ? address - 1 : address;
}

Lifetime LifetimeOf(uint64_t nanoseconds);
// Returns "1ms to 10ms" and the like; empty if unknown.
std::string_view LifetimeName(Lifetime lifetime);
// Returns the lifetime with this name; kUnknown if there is none.
Lifetime FindLifetime(std::string_view name);

// True if the input has this counter, even if it is zero everywhere.
bool HasMetric(const Profile& profile, Metric metric);

// Returns the thread under which reports show `id`.
inline ThreadId ShownThread(const Profile& profile, ThreadId id) {
  const ThreadId shown_as = profile.threads[id.index()].shown_as;
  return shown_as.IsNone() ? id : shown_as;
}

// Returns the path of a module's file in the memory map of its own process.
inline StringId RecordedFilename(const Mapping& mapping) {
  return mapping.recorded_filename.IsNone() ? mapping.filename
                                            : mapping.recorded_filename;
}

// Returns the inputs of a side. A profile without a list of them has one.
std::vector<InputRun> RunsOf(const Profile& profile, Side side);

// Returns the index of a sample's run, if its side has this many `runs`.
inline size_t RunOf(const Sample& sample, size_t runs) {
  return sample.run < runs ? sample.run : runs - 1;
}

// Returns the sum of all samples of one side.
Values TotalOf(const Profile& profile, Side side);

}  // namespace heapprof
