// SPDX-License-Identifier: Apache-2.0
//
// Finds perf maps, the files in which a JIT compiler lists the functions that
// it generated, and uses their names for a dump.
#pragma once

#include <string>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/perf_map.h"

namespace heapprof {

// Reads the files of --perf-map; fails if one is not a perf map.
Result<std::vector<PerfMap>> LoadPerfMaps(const std::vector<std::string>& paths,
                                          Diagnostics& diagnostics);

// Names generated code in `profile`, which was read from the dump at `path`.
// The names come from `maps`. If there are no maps, they come from the file
// perf-PID.map next to the dump or, if there is none, in /tmp. PID is part of
// the dump's name. The file in /tmp must belong to the user or to the owner of
// the dump, and must be about as old as the dump.
void NameGeneratedCode(Profile& profile, const std::string& path,
                       const std::vector<PerfMap>& maps,
                       Diagnostics& diagnostics);

}  // namespace heapprof
