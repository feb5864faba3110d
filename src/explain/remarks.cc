// SPDX-License-Identifier: Apache-2.0
#include "explain/remarks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Below these values of lg_prof_sample, the profiler itself changes what it
// measures: at 16, it makes 6 % of the RSS of a program with small objects; at
// 13, half as much again.
constexpr uint64_t kUndisturbedPages = 17;
constexpr uint64_t kUndisturbedSlabs = 14;

constexpr double kMuch = 0.05;  // of the RSS

std::string Bytes(uint64_t bytes) {
  return FormatBytes(static_cast<double>(bytes));
}

class RemarkWriter {
 public:
  RemarkWriter(const WaterfallInputs& inputs, const HeapParts& parts,
               const JemallocMappings& mappings)
      : inputs_(inputs),
        stats_(inputs.stats),
        parts_(parts),
        mappings_(mappings) {}

  std::vector<Remark> Write() {
    CompareMoments();
    DescribeSources();
    DescribeMappings();
    DescribeSampling();
    DescribeCounters();
    DescribeKernel();
    DescribeSlabs();
    return std::move(remarks_);
  }

 private:
  void Say(RemarkKind kind, std::string text) {
    remarks_.push_back({kind, std::move(text)});
  }
  bool IsProfiled() const { return stats_.profiling.value_or(false); }

  void CompareMoments() {
    if (!inputs_.dump) return;
    const DumpSamples& dump = *inputs_.dump;
    const auto live = static_cast<double>(parts_.live);
    // What is in thread caches comes to it if that is not counted.
    const bool is_too_much =
        live > dump.wide_bounds.upper && CountsThreadCaches(stats_);
    if (live >= dump.wide_bounds.lower && !is_too_much) return;
    Say(RemarkKind::kOtherMoment,
        fmt::format("the dump and the stats do not fit: {} live by the stats, "
                    "{} to {} by the dump; they are of different moments, or "
                    "sampling was not active all the time",
                    FormatBytes(live), FormatBytes(dump.bounds.lower),
                    FormatBytes(dump.bounds.upper)));
  }

  void DescribeSources() {
    // What may change between two files of one moment.
    constexpr double kUsual = 0.05, kLeast = 1 << 20;
    if (inputs_.memory && inputs_.other_memory) {
      const auto rss = static_cast<double>(inputs_.memory->rss);
      const auto other = static_cast<double>(inputs_.other_memory->rss);
      if (std::abs(rss - other) > std::max(kUsual * rss, kLeast))
        Say(RemarkKind::kOtherRss,
            fmt::format("smaps and status do not fit: an RSS of {} and of {}; "
                        "they are of different moments",
                        FormatBytes(rss), FormatBytes(other)));
    }
    if (inputs_.memory && !mappings_.AreToldApart()) {
      const uint64_t process =
          inputs_.memory->rss + inputs_.memory->swapped.value_or(0);
      if (parts_.live > static_cast<int64_t>(process))
        Say(RemarkKind::kMoreThanRss,
            fmt::format(
                "the live heap is larger than what {} says the process "
                "has, {}: the files are of different processes, or most "
                "of the heap has never been touched",
                inputs_.memory->source, Bytes(process)));
    }
    if (!inputs_.memory)
      Say(RemarkKind::kNoProcessFile,
          "without a copy of /proc/PID/smaps, nothing is known but jemalloc's "
          "own count, which is an upper bound");
    else if (!inputs_.memory->regions)
      Say(RemarkKind::kNoRegions,
          fmt::format("{} does not list mappings: memory that is not "
                      "jemalloc's, and pages that jemalloc counts but nobody "
                      "has touched, cannot be told apart",
                      inputs_.memory->source));
  }

  void DescribeMappings() {
    const uint64_t found = mappings_.found, expected = mappings_.expected;
    const uint64_t difference =
        found > expected ? found - expected : expected - found;
    if (mappings_.match == Match::kClose)
      Say(RemarkKind::kCloseMappings,
          fmt::format("mappings like jemalloc's differ by {} from the {} that "
                      "it says it has; smaps and the stats are of slightly "
                      "different moments, or others have such mappings",
                      Bytes(difference), Bytes(expected)));
    if (mappings_.match == Match::kForeign)
      Say(RemarkKind::kForeignMappings,
          fmt::format("jemalloc's mappings cannot be told apart: {} of address "
                      "space look like its, and it says it has {}",
                      Bytes(found), Bytes(expected)));
  }

  void DescribeSampling() {
    if (!IsProfiled() || !stats_.lg_sample) return;
    const uint64_t lg = *stats_.lg_sample;
    if (lg <= kMostlySampled)
      Say(RemarkKind::kMostlySampled,
          fmt::format("lg_prof_sample is {}: most objects are sampled, and are "
                      "in no slab; a run with 17 or more shows the slabs",
                      lg));
    else if (lg < kUndisturbedSlabs)
      Say(RemarkKind::kManySamples,
          fmt::format("lg_prof_sample is {}: the profiler itself adds much to "
                      "the RSS and to dirty pages; a run with 17 or more shows "
                      "what the program does without it",
                      lg));
    else if (lg < kUndisturbedPages)
      Say(RemarkKind::kManySamples,
          fmt::format("lg_prof_sample is {}: some of the dirty pages are the "
                      "profiler's; 17 or more leaves few of them",
                      lg));
    if (!parts_.is_sampled_known && parts_.has_classes)
      Say(RemarkKind::kUnknownSampled,
          "the live heap includes the extents of sampled objects; a dump says "
          "how many there are");
  }

  void DescribeCounters() {
    if (!CountsThreadCaches(stats_))
      Say(RemarkKind::kMiscountedCaches,
          "this jemalloc does not count all that thread caches hold; the rest "
          "is in the live heap");
    for (const std::string& contradiction : FindContradictions(stats_))
      Say(RemarkKind::kContradiction,
          "jemalloc's counters do not add up, because the process was running "
          "or this version counts otherwise: " +
              contradiction);
    if (!parts_.has_classes) {
      Say(RemarkKind::kNoClasses,
          "the stats list no size classes, so free regions and pads cannot be "
          "told apart; print them without the options g, m, a, b and l");
      return;
    }
    for (const SmallClass& small : *stats_.total->small) {
      if (small.regions <= small.capacity()) continue;
      Say(RemarkKind::kMoreInUse,
          fmt::format("of the objects of {}, more are in use than there are "
                      "regions: the process was running; taken as none free",
                      FormatSize(small.size)));
      break;
    }
  }

  void DescribeKernel() {
    if (stats_.hpa.value_or(false))
      Say(RemarkKind::kHugePageAllocator,
          "hpa is on: unused pages within its huge pages are in no line of "
          "their own");
    const uint64_t muzzy = stats_.total
                               ? stats_.total->muzzy_pages.value_or(0) *
                                     stats_.page_size.value_or(0)
                               : 0;
    if (muzzy != 0)
      Say(RemarkKind::kMuzzy,
          fmt::format("{} are muzzy: given to the kernel, which may not have "
                      "taken them yet; they are in no line of jemalloc. "
                      "muzzy_decay_ms:0 avoids them",
                      Bytes(muzzy)));
    if (!inputs_.memory) return;
    const ResidentMemory& memory = *inputs_.memory;
    if (memory.swapped.value_or(0) != 0)
      Say(RemarkKind::kSwapped,
          fmt::format("{} of the process are swapped out, and not in the RSS",
                      Bytes(*memory.swapped)));
    if (static_cast<double>(memory.huge_pages.value_or(0)) >
        kMuch * static_cast<double>(memory.rss))
      Say(RemarkKind::kHugePages,
          fmt::format("{} are in huge pages: memory that jemalloc has given "
                      "back may still be resident within them",
                      Bytes(*memory.huge_pages)));
  }

  void DescribeSlabs() {
    const int64_t whole = inputs_.memory
                              ? static_cast<int64_t>(inputs_.memory->rss)
                              : parts_.resident;
    if (inputs_.dump && static_cast<double>(parts_.free_regions) >
                            kMuch * static_cast<double>(whole))
      Say(RemarkKind::kOneDump,
          "a dump shows who has objects in a size class, not whose objects "
          "keep its slabs; so the free regions are charged to nobody; "
          "'heapprof record --recent-log' tells more");
  }

  const WaterfallInputs& inputs_;
  const AllocatorStats& stats_;
  const HeapParts& parts_;
  const JemallocMappings& mappings_;
  std::vector<Remark> remarks_;
};

uint64_t FreeBytes(const ArenaStats& arena) {
  uint64_t sum = 0;
  if (arena.small)
    for (const SmallClass& small : *arena.small) sum += small.free_bytes();
  return sum;
}

// Returns how many arenas have at least a tenth of the free regions each.
size_t ArenasWithFreeRegions(const AllocatorStats& stats) {
  if (!stats.total) return 0;
  const uint64_t tenth = FreeBytes(*stats.total) / 10;
  return static_cast<size_t>(
      std::ranges::count_if(stats.arenas, [&](const auto& arena) {
        return tenth != 0 && FreeBytes(arena.second) >= tenth;
      }));
}

std::string AdviceForFreeRegions(const AllocatorStats& stats) {
  std::string text =
      "only new objects of the same sizes fill them, no decay setting does. "
      "Free the last objects of a slab: allocate what lives long apart from "
      "what lives short, with mallocx() in an arena of its own, or in another "
      "size class";
  if (const size_t arenas = ArenasWithFreeRegions(stats); arenas > 1)
    text += fmt::format(
        ". {} arenas have a tenth of them or more each: fewer arenas "
        "(narenas{}) share them",
        arenas,
        stats.arena_limit ? fmt::format(", now {}", *stats.arena_limit) : "");
  return text;
}

// Returns the decay time of the arenas that have most of the dirty pages.
std::optional<int64_t> DirtyDecay(const AllocatorStats& stats) {
  const ArenaStats* most = nullptr;
  for (const auto& [number, arena] : stats.arenas)
    if (most == nullptr ||
        arena.dirty_pages.value_or(0) > most->dirty_pages.value_or(0))
      most = &arena;
  return most != nullptr && most->dirty_decay_ms ? most->dirty_decay_ms
                                                 : stats.dirty_decay_ms;
}

std::string AdviceForDirty(const AllocatorStats& stats) {
  const auto decay = DirtyDecay(stats);
  std::string text =
      !decay       ? "a lower dirty_decay_ms gives them back sooner"
      : *decay < 0 ? "dirty_decay_ms is -1, so they are never given back; "
                     "dirty_decay_ms:10000 is jemalloc's default"
                   : fmt::format(
                         "a lower dirty_decay_ms, now {}, gives them "
                         "back sooner",
                         *decay);
  if (stats.background_threads == 0)
    text +=
        ". No background thread runs: arenas that nobody uses keep theirs; "
        "background_thread:true ends that";
  return text;
}

std::string AdviceForPads(const AllocatorStats& stats) {
  if (!stats.cache_oblivious.value_or(false)) return "";
  return stats.IsFrom(5, 3, 0)
             ? "cache_oblivious:false avoids them"
             : "a jemalloc built with --disable-cache-oblivious avoids them";
}

// Of metadata that is never freed: fewer arenas have less of it if not most of
// it is that of one arena.
std::string AdviceForBase(const AllocatorStats& stats) {
  uint64_t most = 0, sum = 0;
  for (const auto& [number, arena] : stats.arenas) {
    most = std::max(most, arena.base.value_or(0));
    sum += arena.base.value_or(0);
  }
  return stats.arena_limit && sum - most > most
             ? fmt::format("fewer arenas (narenas, now {})", *stats.arena_limit)
             : "";
}

std::string AdviceForGivenBack(const WaterfallInputs& inputs) {
  if (inputs.memory && inputs.memory->huge_pages.value_or(0) != 0)
    return "the kernel keeps huge pages whole; thp:never makes it use small "
           "ones, which may cost time";
  return inputs.stats.total && inputs.stats.total->muzzy_pages.value_or(0) != 0
             ? "muzzy_decay_ms:0"
             : "";
}

// True if no more regions look like stacks than there are threads with one.
bool HasStacksOnly(const WaterfallInputs& inputs) {
  if (!inputs.memory || !inputs.memory->regions || !inputs.other_memory ||
      !inputs.other_memory->threads)
    return false;
  return (*inputs.memory->regions)[RegionKind::kGuarded].count <
         *inputs.other_memory->threads;
}

}  // namespace

JemallocMappings FindJemalloc(const WaterfallInputs& inputs) {
  // Of both sizes: what may change between two files of one moment.
  constexpr double kCloseShare = 0.02;
  const AllocatorStats& stats = inputs.stats;
  if (!inputs.memory || !inputs.memory->regions) return {};
  const RegionSums& regions = *inputs.memory->regions;
  const RegionSum& ours = regions[RegionKind::kUnreserved];
  const RegionSum& arenas = regions[RegionKind::kMallocArena];
  JemallocMappings mappings{.match = Match::kForeign,
                            .found = ours.size,
                            .resident = ours.resident,
                            .swapped = ours.swapped};
  if (!stats.mapped || !stats.retained) return mappings;
  mappings.expected = *stats.mapped + *stats.retained;
  if (ours.size + arenas.size == mappings.expected && arenas.size != 0) {
    mappings.found += arenas.size;
    mappings.resident += arenas.resident;
    mappings.swapped += arenas.swapped;
    mappings.includes_arenas = true;
  }
  if (mappings.found == mappings.expected)
    mappings.match = Match::kExact;
  else if (std::abs(static_cast<double>(mappings.found) -
                    static_cast<double>(mappings.expected)) <
           kCloseShare * static_cast<double>(mappings.expected))
    mappings.match = Match::kClose;
  return mappings;
}

std::vector<Remark> MakeRemarks(const WaterfallInputs& inputs,
                                const HeapParts& parts,
                                const JemallocMappings& mappings) {
  return RemarkWriter(inputs, parts, mappings).Write();
}

std::string AdviceFor(LineKind kind, const WaterfallInputs& inputs) {
  const AllocatorStats& stats = inputs.stats;
  switch (kind) {
    case LineKind::kFreeRegions:
      return AdviceForFreeRegions(stats);
    case LineKind::kThreadCaches:
      return "thread.tcache.flush or thread.idle in threads that wait, a "
             "smaller tcache_max (lg_tcache_max before 5.3), fewer threads";
    case LineKind::kSampledExtents:
      return stats.lg_sample ? fmt::format("a larger lg_prof_sample, now {}",
                                           *stats.lg_sample)
                             : "";
    case LineKind::kPads:
      return AdviceForPads(stats);
    case LineKind::kDirty:
      return AdviceForDirty(stats);
    case LineKind::kBase:
      return AdviceForBase(stats);
    case LineKind::kGivenBack:
      return AdviceForGivenBack(inputs);
    case LineKind::kInternal:
      return stats.profiling.value_or(false)
                 ? "a larger lg_prof_sample, or fewer threads"
                 : "";
    case LineKind::kGuarded:
      return HasStacksOnly(inputs)
                 ? "fewer threads; a stack keeps the pages that its deepest "
                   "call has touched"
                 : "";
    case LineKind::kMallocArenas:
      return "code that uses glibc's malloc() beside jemalloc; "
             "MALLOC_ARENA_MAX limits its arenas";
    default:
      return "";
  }
}

bool IsWorthAdvice(int64_t bytes, int64_t all) {
  constexpr int64_t kLeast = 1 << 20;
  constexpr int64_t kLeastPart = 20;  // a twentieth
  return bytes >= kLeast && bytes >= all / kLeastPart;
}

}  // namespace heapprof
