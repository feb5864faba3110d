// SPDX-License-Identifier: Apache-2.0
//
// For reports that never add up several snapshots of one process.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "cli/outputs/report_request.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct LatestDumps {
  Profile profile;
  // How many dumps are skipped because the program was exiting and had freed
  // its memory (see CountBeforeTheEnd()).
  size_t at_end = 0;
};

// Returns the profile of a request with only the last dump of each process:
// its other dumps are older snapshots of the same memory. Returns nothing if
// there are none, and for runs that a comparison or a baseline averages.
std::optional<LatestDumps> LatestSnapshots(const ReportRequest& request);

// Returns the index of the last dump that LatestSnapshots() keeps.
size_t LastShownDump(std::span<const InputFacts> inputs);

}  // namespace heapprof
