// SPDX-License-Identifier: Apache-2.0
//
// Where the resident memory (RSS) of a process is: lines that add up to it, by
// what jemalloc, the kernel and a heap dump say about one moment. The sums:
//
//   live + thread caches + internal + sampled extents + pads + free regions
//                                         = active       (jemalloc)
//   active + dirty + base                 = resident     (jemalloc)
//   resident + untouched or given back    = RSS of jemalloc's mappings
//   that + files, stacks, other mappings  = RSS          (kernel)
//
// `resident` is what jemalloc may have touched. jemalloc's mappings are told
// apart by a flag, which is proven if their sizes add up to the address space
// that jemalloc says it has. Reports say nothing that the files do not prove.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/explain/allocator_stats.h"
#include "heapprof/explain/dump_samples.h"
#include "heapprof/explain/resident_memory.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

// In the order of the report.
enum class LineKind : uint8_t {
  kLive,            // what the program has allocated and not freed
  kFreeRegions,     // in slabs that live objects keep
  kThreadCaches,    // freed objects that threads keep for the next malloc()
  kSampledExtents,  // what sampled objects take beyond their size
  kPads,            // the spare page of each large object
  kUnlisted,        // in use, but in no class that was printed
  kDirty,           // unused pages that jemalloc keeps for some time
  kInternal,        // metadata
  kBase,            // metadata that is never freed
  kSwapped,         // counted by jemalloc, but swapped out: negative
  kUntouched,       // counted by jemalloc, but in no memory: negative
  kGivenBack,       // in memory, though jemalloc has given it back: more of it
                    // than of untouched pages, which it has been set off with
  kUntold,          // other anonymous memory minus untouched pages
  kMallocArenas,    // of glibc's malloc(), beside jemalloc
  kFiles,
  kShared,
  kGuarded,  // above an inaccessible page, as stacks of threads are
  kMainStack,
  kProgramBreak,
  kGeneratedCode,
  kOther,  // anonymous memory that is not jemalloc's
};

enum class Certainty : uint8_t {
  kExact,     // as counted by jemalloc or the kernel
  kAtMost,    // an upper bound: not all of it need be in memory
  kEstimate,  // from samples, or by the look of a region
};

struct WaterfallLine {
  LineKind kind = LineKind::kLive;
  int64_t bytes = 0;
  int64_t base_bytes = 0;  // in a comparison, before
  Certainty certainty = Certainty::kExact;
  std::string detail = {};  // such as "96 sampled objects"; may be empty
  std::string advice = {};  // what acts on it; empty for what matters little

  // In a comparison; else all its bytes.
  int64_t change() const { return bytes - base_bytes; }
};

// What limits the meaning of the numbers.
enum class RemarkKind : uint8_t {
  kOtherMoment,      // dump and stats do not fit
  kOtherRss,         // smaps and status do not fit
  kMoreThanRss,      // the RSS is smaller than the live heap
  kNoProcessFile,    // neither smaps nor status
  kNoRegions,        // no full smaps
  kForeignMappings,  // jemalloc's mappings could not be told apart
  kCloseMappings,    // they nearly could
  kManySamples,      // the profiler changes RSS and dirty pages
  kMostlySampled,    // nothing can be said about slabs
  kContradiction,    // jemalloc's numbers do not add up
  kMoreInUse,        // a class has more objects in use than regions
  kHugePages,
  kSwapped,
  kMuzzy,
  kHugePageAllocator,
  kUnknownSampled,    // it is not known what sampled objects take
  kMiscountedCaches,  // this version does not count all of thread caches
  kNoClasses,         // the stats do not list size classes
  kOneDump,           // slabs are not charged to stacks
  kDividedAlike,      // one side of a comparison says less than the other one
  kOtherVersions,     // the sides of a comparison are of two jemallocs
  kAddedObjects,      // what a share of added objects assumes
  kMixedSizes,        // stacks with objects of several sizes
  kMisfit,            // the replay of a class does not fit
  kOlderThanLog,      // the log lacks objects of a class
  kFewSamples,        // the order of holders is uncertain
  kUnsampled,         // stacks without samples may keep all of it
};

struct Remark {
  RemarkKind kind = RemarkKind::kOtherMoment;
  std::string text = {};  // a sentence without its period
};

// A share of the free regions of a class, with its bounds at 95 %.
struct KeptShare {
  double share = 0;
  Interval bounds = {};
  uint64_t samples = 0;  // live sampled objects in the log
};

// A stack with sampled objects in a class.
struct SlabHolder {
  std::vector<std::string> frames = {};  // names of functions, innermost first
  uint64_t samples = 0;                  // live sampled objects, by the dump
  double objects = 0;                    // estimate of the live ones
  Interval object_bounds = {};           // at 95 %
  // The free bytes of slabs that they can keep, if 95 % bounds of the numbers
  // of objects are right.
  uint64_t at_most = 0;
  uint64_t at_least = 0;
  std::optional<KeptShare> kept = {};  // by the replay of a log that fits
  // In a comparison: how many more objects there are than before and, if more
  // regions are free than before, its share in the additional objects of all
  // holders.
  double added_objects = 0;
  double added_share = 0;
};

// The replay of a log, for one class. See src/explain/replay.h.
struct ReplayFit {
  bool fits = false;        // leaves about as many regions free as there are
  double free_share = 0;    // of the regions, by the replay
  double actual_share = 0;  // by the stats
  uint64_t objects = 0;     // sampled ones in the log
  uint64_t live = 0;
  uint64_t older = 0;        // sampled live objects that the log lacks
  uint64_t free = 0;         // regions, by the replay
  bool is_uncertain = true;  // few samples: the order may be another one
};

// Free regions of one size class.
struct ClassWaste {
  SmallClass small = {};
  SmallClass base = {};  // in a comparison, before
  double used = 0;       // the share of its regions in use, 0 to 1
  // Sorted by what they keep, if that is known; else by added objects; else by
  // objects.
  std::vector<SlabHolder> holders = {};
  std::optional<ReplayFit> replay = {};
};

struct Waterfall {
  bool is_rss = false;  // `total` is the RSS; else jemalloc's `resident`
  int64_t total = 0;    // bytes; the sum of the lines
  // In a comparison, the sum of the lines before.
  std::optional<int64_t> base_total = {};
  int64_t jemalloc = 0;  // the part of it that is jemalloc's
  bool is_jemalloc_exact = false;
  std::vector<WaterfallLine> lines = {};
  // With free regions, most bytes first; in a comparison, those first that have
  // most more.
  std::vector<ClassWaste> classes = {};
  bool has_log = false;  // a log was replayed
  std::optional<DumpSamples> dump = {};
  std::optional<DumpSamples> base_dump = {};
  std::vector<Remark> remarks = {};
  // Of which dumps and moments it is; empty if unknown.
  std::string subject = {};

  bool IsComparison() const { return base_total.has_value(); }
};

struct WaterfallInputs {
  AllocatorStats stats;
  std::optional<ResidentMemory> memory = {};
  // Another file of the same moment, which says less or the same.
  std::optional<ResidentMemory> other_memory = {};
  std::optional<DumpSamples> dump = {};
};

// The smallest size of an object that has an extent of its own.
uint64_t SmallLimit(const AllocatorStats& stats);

// Fails with kNoData if the stats lack the sums without which there is nothing
// to explain.
Result<Waterfall> MakeWaterfall(const WaterfallInputs& inputs);

// Removes from all inputs what any of them lacks, so that all are divided into
// the same lines. Returns true if that was anything.
bool KeepWhatAllTell(std::span<WaterfallInputs> all);

// Makes the waterfall of `now`, with what each line was in `base`. Both are
// divided into the same lines, so that their changes add up to that of the
// total.
Result<Waterfall> CompareWaterfalls(const WaterfallInputs& base,
                                    const WaterfallInputs& now);

// What reports call a line, "free regions in slabs", and its name in JSON,
// "free_regions". Likewise for the others.
std::string_view LabelOf(LineKind kind);
std::string_view NameOf(LineKind kind);
std::string_view NameOf(Certainty certainty);  // "exact", "at most", "estimate"
std::string_view NameOf(RemarkKind kind);

}  // namespace heapprof
