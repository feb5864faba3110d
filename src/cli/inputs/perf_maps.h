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

// Names the generated code of the dump at `path` with `maps`. Without maps,
// uses perf-PID.map next to the dump, if it exists; PID comes from the dump's
// name.
void NameGeneratedCode(Profile& profile, const std::string& path,
                       const std::vector<PerfMap>& maps,
                       Diagnostics& diagnostics);

}  // namespace heapprof
