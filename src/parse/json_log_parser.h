// SPDX-License-Identifier: Apache-2.0
//
// The two JSON files of jemalloc that hold sampled allocations one by one:
//
//   prof_log     objects that were freed while the log was on, with when and
//                where they were allocated and freed (jemalloc 5.2.0)
//   prof_recent  the last allocations, live or not, as the mallctl
//                experimental.prof_recent.alloc_dump writes them (5.3.0)
//
// An entry of `usize` bytes was sampled with p = 1 - exp(-usize/R) and stands
// for 1/p objects. All count as allocated; as in use those that live.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Neither file has a memory map: `maps`, which may be null, is that of another
// dump of the process.
Result<Profile> ParseJsonLog(std::string_view text, const std::string& name,
                             const MemoryMap* maps, Diagnostics& diagnostics);

}  // namespace heapprof
