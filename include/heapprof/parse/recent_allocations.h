// SPDX-License-Identifier: Apache-2.0
//
// The recent sampled allocations of jemalloc, one by one, as the mallctl
// experimental.prof_recent.alloc_dump writes them (5.3.0).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Times are in nanoseconds of a clock that is the same for all.
struct RecentAllocation {
  StackId stack = {};
  uint64_t thread_uid = 0;  // that allocated
  uint64_t size = 0;        // usable bytes
  uint64_t allocated = 0;
  uint64_t freed = 0;  // not before `allocated`; kNever for live objects

  static constexpr uint64_t kNever = UINT64_MAX;
  bool is_live() const { return freed == kNever; }
};

struct RecentLog {
  Profile profile = {};                            // has the stacks
  std::vector<RecentAllocation> allocations = {};  // oldest first
};

// Fails with kOtherFormat if the bytes are no such list, and with kBadFormat if
// it is cut short: what is missing would be taken for live. `maps`, which may
// be null, comes from a dump of the process. `name` is the input's name in
// messages.
Result<RecentLog> ParseRecentLog(std::string_view bytes,
                                 const std::string& name, const MemoryMap* maps,
                                 Diagnostics& diagnostics);

}  // namespace heapprof
