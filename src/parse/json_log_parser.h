// SPDX-License-Identifier: Apache-2.0
//
// jemalloc's two JSON formats that list sampled allocations one by one:
//
//   prof_log     objects that were freed while the log was on, with the times
//                and stacks of allocation and release (jemalloc 5.2.0)
//   prof_recent  the most recent allocations, live or not, as the mallctl
//                experimental.prof_recent.alloc_dump writes them (5.3.0)
//
// With a sampling period of R bytes, an object of `usize` bytes was sampled
// with probability p = 1 - exp(-usize/R), so it represents 1/p objects. All
// objects count as allocated; live ones also count as in use.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Reads either format. Neither has a memory map: `maps`, which may be null,
// comes from another dump of the process.
Result<Profile> ParseJsonLog(std::string_view text, const std::string& name,
                             const MemoryMap* maps, Diagnostics& diagnostics);

}  // namespace heapprof
