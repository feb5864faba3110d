// SPDX-License-Identifier: Apache-2.0
//
// Which perf maps belong to a dump.
#pragma once

#include <string>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/perf_map.h"

namespace heapprof {

// Reads the files of --perf-map; each must be one.
Result<std::vector<PerfMap>> LoadPerfMaps(const std::vector<std::string>& paths,
                                          Diagnostics& diagnostics);

// Names the generated code of the dump at `path` with `maps`, or if there are
// none with the perf-PID.map next to it, PID being that in the dump's name.
void NameGeneratedCode(Profile& profile, const std::string& path,
                       const std::vector<PerfMap>& maps,
                       Diagnostics& diagnostics);

}  // namespace heapprof
