// SPDX-License-Identifier: Apache-2.0
#include "heapprof/explain/allocator_stats.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "explain/stats_fields.h"

namespace heapprof {
namespace {

// No machine has as much memory: sums of such numbers do not overflow.
constexpr uint64_t kMostBytes = uint64_t{1} << 50;
constexpr uint64_t kLargestPage = 1 << 20;

// Returns a * b; nothing if that is too much.
std::optional<uint64_t> Product(uint64_t a, uint64_t b) {
  if (b != 0 && a > kMostBytes / b) return std::nullopt;
  return a * b;
}

bool IsPlausible(const SmallClass& bin) {
  const auto capacity = Product(bin.slabs, bin.regions_per_slab);
  return capacity && Product(*capacity, bin.size) &&
         Product(bin.regions, bin.size) && bin.size != 0 &&
         Product(bin.sampled.value_or(0), bin.size) &&
         bin.regions_per_slab != 0;
}

bool IsPlausible(const LargeClass& large) {
  return Product(large.extents, large.size + kLargestPage) && large.size != 0 &&
         large.size <= kMostBytes;
}

bool IsUsed(const SmallClass& bin) {
  return bin.slabs != 0 || bin.regions != 0;
}
bool IsUsed(const LargeClass& large) { return large.extents != 0; }

// Leaves only what is in use, by size. Returns false for numbers that no
// process can have.
template <typename Class>
bool Tidy(std::optional<std::vector<Class>>& classes) {
  if (!classes) return true;
  std::erase_if(*classes, [](const Class& it) { return !IsUsed(it); });
  std::ranges::sort(*classes, {}, &Class::size);
  return std::ranges::all_of(*classes,
                             [](const Class& it) { return IsPlausible(it); });
}

bool IsPlausible(const std::optional<uint64_t>& number) {
  return number.value_or(0) <= kMostBytes;
}

bool TidyArena(ArenaStats& arena) {
  constexpr uint64_t kMostPages = kMostBytes >> 12;
  for (const auto& pages :
       {arena.active_pages, arena.dirty_pages, arena.muzzy_pages})
    if (pages.value_or(0) > kMostPages) return false;
  return std::ranges::all_of(kArenaFields,
                             [&](const auto& field) {
                               return IsPlausible(arena.*field.member);
                             }) &&
         Tidy(arena.small) && Tidy(arena.large);
}

bool TidyAll(AllocatorStats& stats) {
  constexpr uint64_t kLargestLgSample = 63;
  if (stats.page_size.value_or(4096) == 0 ||
      stats.page_size.value_or(0) > kLargestPage ||
      stats.lg_sample.value_or(0) > kLargestLgSample)
    return false;
  for (const auto& field : kProcessFields)
    if (!IsPlausible(stats.*field.member)) return false;
  for (auto& [number, arena] : stats.arenas)
    if (!TidyArena(arena)) return false;
  return !stats.total || TidyArena(*stats.total);
}

void AddKnown(const std::optional<uint64_t>& more,
              std::optional<uint64_t>& sum) {
  if (more && sum)
    *sum += *more;
  else
    sum.reset();
}

void AddClass(const SmallClass& more, SmallClass& sum) {
  sum.size = more.size;
  sum.regions_per_slab = more.regions_per_slab;
  sum.regions += more.regions;
  sum.slabs += more.slabs;
  if (more.sampled) sum.sampled = sum.sampled.value_or(0) + *more.sampled;
}

void AddClass(const LargeClass& more, LargeClass& sum) {
  sum.size = more.size;
  sum.extents += more.extents;
}

template <typename Class>
void AddClasses(const std::optional<std::vector<Class>>& more,
                std::optional<std::vector<Class>>& sum) {
  if (!more || !sum) {
    sum.reset();
    return;
  }
  std::map<uint64_t, Class> by_size;
  for (const Class& it : *more) AddClass(it, by_size[it.size]);
  for (const Class& it : *sum) AddClass(it, by_size[it.size]);
  sum->clear();
  for (const auto& [size, it] : by_size) sum->push_back(it);
}

// jemalloc prints no sum if only one arena is in use, or if its options leave
// it out.
ArenaStats SumOf(const std::vector<std::pair<uint64_t, ArenaStats>>& arenas) {
  ArenaStats sum = arenas.front().second;
  for (size_t i = 1; i < arenas.size(); ++i) {
    const ArenaStats& arena = arenas[i].second;
    AddKnown(arena.active_pages, sum.active_pages);
    AddKnown(arena.dirty_pages, sum.dirty_pages);
    AddKnown(arena.muzzy_pages, sum.muzzy_pages);
    for (const auto& field : kArenaFields)
      AddKnown(arena.*field.member, sum.*field.member);
    AddClasses(arena.small, sum.small);
    AddClasses(arena.large, sum.large);
  }
  return sum;
}

std::optional<uint64_t> Times(const std::optional<uint64_t>& number,
                              const std::optional<uint64_t>& factor) {
  if (!number || !factor) return std::nullopt;
  return *number * *factor;
}

// Sums of the classes, in bytes.
struct ListedBytes {
  uint64_t allocated = 0;
  uint64_t active = 0;  // at least
};

std::optional<ListedBytes> BytesListed(const AllocatorStats& stats) {
  if (!stats.total || !stats.total->small || !stats.total->large)
    return std::nullopt;
  ListedBytes sum = {.active = PadsOfLargeObjects(stats)};
  for (const SmallClass& bin : *stats.total->small) {
    sum.allocated += bin.regions * bin.size;
    sum.active += bin.capacity() * bin.size;
  }
  for (const LargeClass& large : *stats.total->large) {
    sum.allocated += large.extents * large.size;
    // Since 5.3.1, an object may be smaller than its class; the next smaller
    // class has four fifths of the size or more.
    sum.active +=
        large.extents *
        (stats.IsFrom(5, 3, 1) ? large.size - large.size / 5 : large.size);
  }
  return sum;
}

class Contradictions {
 public:
  void CheckEqual(const char* what, std::optional<uint64_t> said,
                  std::optional<uint64_t> sum) {
    if (said && sum && *said != *sum)
      found_.push_back(
          fmt::format("{}: {} said, {} in its parts", what, *said, *sum));
  }
  void CheckAtLeast(const char* what, std::optional<uint64_t> said,
                    std::optional<uint64_t> parts) {
    if (said && parts && *said < *parts)
      found_.push_back(fmt::format("{}: {} said, {} and more in its parts",
                                   what, *said, *parts));
  }
  std::vector<std::string> Finish() && { return std::move(found_); }

 private:
  std::vector<std::string> found_;
};

std::optional<uint64_t> Sum(
    std::initializer_list<std::optional<uint64_t>> all) {
  uint64_t sum = 0;
  for (const auto& number : all) {
    if (!number) return std::nullopt;
    sum += *number;
  }
  return sum;
}

void SetUnnamedVersion(AllocatorStats& stats) {
  if (!stats.version.starts_with("0.0.0") || !stats.total) return;
  if (stats.total->metadata_edata)
    stats.version = "5.3.1";
  else if (stats.total->tcache_stashed_bytes)
    stats.version = "5.3.0";
}

}  // namespace

bool AllocatorStats::IsFrom(int major, int minor, int patch) const {
  int numbers[3] = {};
  const char* at = version.data();
  const char* const end = at + version.size();
  for (int& number : numbers) {
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc()) return false;
    at = read.ptr;
    if (at != end && *at == '.') ++at;
  }
  return std::tie(numbers[0], numbers[1], numbers[2]) >=
         std::tie(major, minor, patch);
}

Result<AllocatorStats> ParseAllocatorStats(std::string_view bytes,
                                           const std::string& name) {
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  if (!LooksLikeAllocatorStats(bytes))
    return Fail(ErrorKind::kOtherFormat,
                fmt::format("{}: expected output of malloc_stats_print(), as "
                            "JSON or as text, found neither",
                            name));
  auto stats = bytes[first] == '{' ? ParseStatsJson(bytes.substr(first), name)
                                   : ParseStatsText(bytes, name);
  if (!stats) return stats;
  bool is_plausible = TidyAll(*stats);
  if (is_plausible && !stats->total && !stats->arenas.empty()) {
    stats->total = SumOf(stats->arenas);
    is_plausible = TidyArena(*stats->total);
  }
  if (!is_plausible)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: expected the statistics of a process, found "
                            "numbers that no process can have",
                            name));
  SetUnnamedVersion(*stats);
  return stats;
}

bool CountsThreadCaches(const AllocatorStats& stats) {
  const bool is_miscounted = stats.IsFrom(5, 1, 0) && !stats.IsFrom(5, 3, 0);
  return stats.total && stats.total->tcache_bytes && !is_miscounted;
}

uint64_t PadOfLargeObject(const AllocatorStats& stats) {
  return stats.cache_oblivious.value_or(true) ? stats.page_size.value_or(0) : 0;
}

uint64_t PadsOfLargeObjects(const AllocatorStats& stats) {
  // Before 5.0, objects of 2 MiB and more were in chunks of their own, without
  // a pad.
  constexpr uint64_t kChunk = 2 << 20;
  const bool has_chunks = stats.IsFrom(4, 0, 0) && !stats.IsFrom(5, 0, 0);
  uint64_t objects = 0;
  for (const LargeClass& large : *stats.total->large)
    if (!has_chunks || large.size < kChunk) objects += large.extents;
  return objects * PadOfLargeObject(stats);
}

std::vector<std::string> FindContradictions(const AllocatorStats& stats) {
  Contradictions found;
  const auto listed = BytesListed(stats);
  const ArenaStats total = stats.total.value_or(ArenaStats());
  const auto active_bytes = Times(total.active_pages, stats.page_size);
  const auto dirty_bytes = Times(total.dirty_pages, stats.page_size);
  if (listed) {
    // Since 5.3.1, sampled objects are not listed.
    const bool lists_all = !stats.IsFrom(5, 3, 1);
    if (lists_all)
      found.CheckEqual("allocated", stats.allocated, listed->allocated);
    if (stats.page_size && lists_all)
      found.CheckEqual("active", stats.active, listed->active);
    else if (stats.page_size)
      found.CheckAtLeast("active", stats.active, listed->active);
  }
  found.CheckEqual("active pages", stats.active, active_bytes);
  found.CheckEqual("metadata", stats.metadata,
                   Sum({total.base, total.internal}));
  found.CheckAtLeast("resident", stats.resident,
                     Sum({active_bytes, dirty_bytes}));
  found.CheckAtLeast("mapped", stats.mapped,
                     Sum({active_bytes, dirty_bytes,
                          Times(total.muzzy_pages, stats.page_size)}));
  return std::move(found).Finish();
}

}  // namespace heapprof
