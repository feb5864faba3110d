// SPDX-License-Identifier: Apache-2.0
//
// What the readers of both forms of malloc_stats_print() share: the tables of
// numbers with their names, and the last steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heapprof/explain/allocator_stats.h"

namespace heapprof {

template <typename Owner, typename Value>
struct StatsField {
  std::string_view name;
  std::optional<Value> Owner::* member;
};

// Named alike in both forms.
inline constexpr StatsField<ArenaStats, uint64_t> kArenaFields[] = {
    {"mapped", &ArenaStats::mapped},
    {"retained", &ArenaStats::retained},
    {"base", &ArenaStats::base},
    {"internal", &ArenaStats::internal},
    {"tcache", &ArenaStats::tcache_bytes},  // 5.0
    {"tcache_bytes", &ArenaStats::tcache_bytes},
    {"tcache_stashed_bytes", &ArenaStats::tcache_stashed_bytes},
    {"resident", &ArenaStats::resident},
    {"metadata_edata", &ArenaStats::metadata_edata},
};
inline constexpr StatsField<AllocatorStats, uint64_t> kProcessFields[] = {
    {"allocated", &AllocatorStats::allocated},
    {"active", &AllocatorStats::active},
    {"metadata", &AllocatorStats::metadata},
    {"resident", &AllocatorStats::resident},
    {"mapped", &AllocatorStats::mapped},
    {"retained", &AllocatorStats::retained},
};
// Below "opt" in both forms.
inline constexpr StatsField<AllocatorStats, bool> kOptionFields[] = {
    {"prof", &AllocatorStats::profiling},
    {"cache_oblivious", &AllocatorStats::cache_oblivious},
    {"hpa", &AllocatorStats::hpa},
};

template <typename Owner, typename Value, size_t kCount>
void SetField(const StatsField<Owner, Value> (&fields)[kCount],
              std::string_view name, Value value, Owner& owner) {
  for (const auto& field : fields)
    if (field.name == name) owner.*field.member = value;
}

// Below "config". Before 5.3, it is only the build that decides.
inline void SetBuildField(std::string_view name, bool value,
                          AllocatorStats& stats) {
  if (name == "cache_oblivious" && !stats.cache_oblivious)
    stats.cache_oblivious = value;
}

// More than any jemalloc has. Files with more are damaged.
inline constexpr size_t kMostArenas = 1 << 12;
inline constexpr size_t kMostClasses = 1 << 10;

Result<AllocatorStats> ParseStatsJson(std::string_view bytes,
                                      const std::string& name);
Result<AllocatorStats> ParseStatsText(std::string_view bytes,
                                      const std::string& name);

}  // namespace heapprof
