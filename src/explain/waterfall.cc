// SPDX-License-Identifier: Apache-2.0
#include "heapprof/explain/waterfall.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "explain/heap_parts.h"
#include "explain/remarks.h"
#include "heapprof/base/counted.h"

namespace heapprof {
namespace {

struct LineNames {
  std::string_view label;
  std::string_view name;
};

// In the order of LineKind.
constexpr LineNames kLineNames[] = {
    {"live heap", "live"},
    {"free regions in slabs", "free_regions"},
    {"thread caches", "thread_caches"},
    {"extents of sampled objects", "sampled_extents"},
    {"spare pages of large objects", "pads"},
    {"in use, not listed", "unlisted"},
    {"unused dirty pages", "dirty"},
    {"metadata, allocated", "internal"},
    {"metadata, base", "base"},
    {"swapped out", "swapped"},
    {"never touched", "untouched"},
    {"given back, still resident", "given_back"},
    {"other memory - never touched", "untold"},
    {"arenas of glibc's malloc()", "malloc_arenas"},
    {"files", "files"},
    {"shared memory", "shared"},
    {"thread stacks and the like", "thread_stacks"},
    {"main stack", "main_stack"},
    {"[heap], from brk()", "program_break"},
    {"generated code", "generated_code"},
    {"other anonymous memory", "other"},
};
constexpr std::string_view kRemarkNames[] = {
    "other_moment",
    "other_rss",
    "more_than_rss",
    "no_process_file",
    "no_regions",
    "foreign_mappings",
    "close_mappings",
    "many_samples",
    "mostly_sampled",
    "contradiction",
    "more_in_use",
    "huge_pages",
    "swapped",
    "muzzy",
    "huge_page_allocator",
    "unknown_sampled",
    "miscounted_caches",
    "no_classes",
    "one_dump",
    "divided_alike",
    "other_versions",
    "added_objects",
    "mixed_sizes",
    "misfit",
    "older_than_log",
    "few_samples",
    "unsampled",
};
static_assert(std::size(kLineNames) ==
              static_cast<size_t>(LineKind::kOther) + 1);
static_assert(std::size(kRemarkNames) ==
              static_cast<size_t>(RemarkKind::kUnsampled) + 1);

// Builds the lines of a waterfall, in their order.
class Builder {
 public:
  explicit Builder(const WaterfallInputs& inputs)
      : inputs_(inputs),
        parts_(DivideHeap(inputs)),
        mappings_(FindJemalloc(inputs)) {}

  Waterfall Build() && {
    AddHeap();
    if (!inputs_.memory)
      waterfall_.total = parts_.resident;
    else if (mappings_.AreToldApart())
      AddRegions();
    else
      AddUntold();
    if (!inputs_.memory) waterfall_.jemalloc = parts_.resident;
    AddAdvice();
    AddClasses();
    waterfall_.dump = inputs_.dump;
    waterfall_.remarks = MakeRemarks(inputs_, parts_, mappings_);
    return std::move(waterfall_);
  }

 private:
  void Add(LineKind kind, int64_t bytes, Certainty certainty,
           std::string detail = {}) {
    if (bytes == 0 && kind != LineKind::kLive) return;
    waterfall_.lines.push_back({.kind = kind,
                                .bytes = bytes,
                                .certainty = certainty,
                                .detail = std::move(detail)});
  }
  void AddHeap();
  void AddRegions();
  void AddUntold();
  void AddRegionLines(bool with_other);
  void AddAdvice();
  void AddClasses();
  std::string DescribeStacks() const;

  const WaterfallInputs& inputs_;
  HeapParts parts_;
  JemallocMappings mappings_;
  Waterfall waterfall_;
};

void Builder::AddHeap() {
  using enum Certainty;
  const bool counts_caches = CountsThreadCaches(inputs_.stats);
  Add(LineKind::kLive, parts_.live,
      !counts_caches || !parts_.is_sampled_known ? kAtMost
      : parts_.is_sampled_exact                  ? kExact
                                                 : kEstimate);
  Add(LineKind::kFreeRegions, parts_.free_regions, kExact);
  Add(LineKind::kThreadCaches, parts_.thread_caches,
      counts_caches ? kExact : kEstimate);
  Add(LineKind::kSampledExtents, parts_.sampled_extents, kAtMost,
      parts_.sampled_objects == 0
          ? ""
          : Counted(parts_.sampled_objects, "sampled object"));
  Add(LineKind::kPads, parts_.pads, kAtMost);
  Add(LineKind::kUnlisted, parts_.unlisted, kExact,
      parts_.has_classes ? "" : "free regions, spare pages");
  Add(LineKind::kDirty, parts_.dirty, kAtMost);
  Add(LineKind::kInternal, parts_.internal, kExact);
  Add(LineKind::kBase, parts_.base, kAtMost,
      parts_.has_dirty ? "" : "with unused dirty pages");
}

std::string Builder::DescribeStacks() const {
  const uint64_t count = (*inputs_.memory->regions)[RegionKind::kGuarded].count;
  const auto& other = inputs_.other_memory;
  return Counted(count, "region") +
         (other && other->threads ? ", " + Counted(*other->threads, "thread")
                                  : "");
}

// Adds the mappings of the kinds that smaps tells apart.
void Builder::AddRegionLines(bool with_other) {
  const RegionSums& regions = *inputs_.memory->regions;
  const auto add = [&](LineKind line, RegionKind kind, Certainty certainty,
                       std::string detail = {}) {
    Add(line, static_cast<int64_t>(regions[kind].resident), certainty,
        std::move(detail));
  };
  using enum Certainty;
  if (with_other && !mappings_.includes_arenas)
    add(LineKind::kMallocArenas, RegionKind::kMallocArena, kEstimate);
  add(LineKind::kFiles, RegionKind::kFile, kExact);
  add(LineKind::kShared, RegionKind::kShared, kExact);
  add(LineKind::kGuarded, RegionKind::kGuarded, kEstimate, DescribeStacks());
  add(LineKind::kMainStack, RegionKind::kMainStack, kExact);
  add(LineKind::kProgramBreak, RegionKind::kProgramBreak, kExact);
  add(LineKind::kGeneratedCode, RegionKind::kGeneratedCode, kExact);
  if (with_other)
    add(LineKind::kOther, RegionKind::kOther,
        mappings_.match == Match::kExact ? kExact : kEstimate);
}

void Builder::AddRegions() {
  const auto resident = static_cast<int64_t>(mappings_.resident);
  waterfall_.is_rss = true;
  waterfall_.total = static_cast<int64_t>(inputs_.memory->rss);
  waterfall_.jemalloc = resident;
  waterfall_.is_jemalloc_exact = mappings_.match == Match::kExact;
  const auto swapped = static_cast<int64_t>(mappings_.swapped);
  const Certainty certainty =
      waterfall_.is_jemalloc_exact ? Certainty::kExact : Certainty::kEstimate;
  Add(LineKind::kSwapped, -swapped, certainty);
  const int64_t uncounted = resident + swapped - parts_.resident;
  Add(uncounted < 0 ? LineKind::kUntouched : LineKind::kGivenBack, uncounted,
      certainty);
  AddRegionLines(/*with_other=*/true);
}

// Adds what is left if jemalloc's mappings cannot be told apart.
void Builder::AddUntold() {
  const ResidentMemory& memory = *inputs_.memory;
  waterfall_.is_rss = true;
  waterfall_.total = static_cast<int64_t>(memory.rss);
  waterfall_.jemalloc = parts_.resident;
  if (memory.regions) {
    int64_t resident = 0, swapped = 0;
    for (const RegionKind kind :
         {RegionKind::kUnreserved, RegionKind::kMallocArena,
          RegionKind::kOther}) {
      const RegionSum& sum = (*memory.regions)[kind];
      resident += static_cast<int64_t>(sum.resident);
      swapped += static_cast<int64_t>(sum.swapped);
    }
    Add(LineKind::kSwapped, -swapped, Certainty::kExact);
    Add(LineKind::kUntold, resident + swapped - parts_.resident,
        Certainty::kExact);
    AddRegionLines(/*with_other=*/false);
    return;
  }
  const auto anonymous =
      static_cast<int64_t>(memory.anonymous.value_or(memory.rss));
  const auto swapped = static_cast<int64_t>(memory.swapped.value_or(0));
  Add(LineKind::kSwapped, -swapped, Certainty::kExact);
  Add(LineKind::kUntold, anonymous + swapped - parts_.resident,
      Certainty::kExact, memory.anonymous ? "" : "with files");
  Add(LineKind::kFiles, waterfall_.total - anonymous, Certainty::kExact,
      "with shared memory");
}

void Builder::AddAdvice() {
  for (WaterfallLine& line : waterfall_.lines)
    if (IsWorthAdvice(line.bytes, waterfall_.total))
      line.advice = AdviceFor(line.kind, inputs_);
}

void Builder::AddClasses() {
  const AllocatorStats& stats = inputs_.stats;
  const bool is_sampled = stats.profiling.value_or(false) &&
                          stats.lg_sample.value_or(64) <= kMostlySampled;
  if (!parts_.has_classes || is_sampled) return;
  for (const SmallClass& small : *stats.total->small)
    if (small.free_bytes() != 0)
      waterfall_.classes.push_back(
          {.small = small,
           .used = static_cast<double>(small.regions) /
                   static_cast<double>(small.capacity())});
  std::ranges::stable_sort(
      waterfall_.classes, std::greater<>(),
      [](const ClassWaste& waste) { return waste.small.free_bytes(); });
}

}  // namespace

Result<Waterfall> MakeWaterfall(const WaterfallInputs& inputs) {
  const AllocatorStats& stats = inputs.stats;
  if (!stats.allocated || !stats.active || !stats.resident)
    return Fail(ErrorKind::kNoData,
                "the stats lack 'allocated', 'active' or 'resident'; was "
                "jemalloc built with --disable-stats?");
  return Builder(inputs).Build();
}

std::string_view LabelOf(LineKind kind) {
  return kLineNames[static_cast<size_t>(kind)].label;
}

std::string_view NameOf(LineKind kind) {
  return kLineNames[static_cast<size_t>(kind)].name;
}

std::string_view NameOf(Certainty certainty) {
  constexpr std::string_view kNames[] = {"exact", "at most", "estimate"};
  return kNames[static_cast<size_t>(certainty)];
}

std::string_view NameOf(RemarkKind kind) {
  return kRemarkNames[static_cast<size_t>(kind)];
}

}  // namespace heapprof
