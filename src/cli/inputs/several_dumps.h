// SPDX-License-Identifier: Apache-2.0
//
// Several dumps that should not be added up or averaged: snapshots of one
// process, and dumps that are named twice.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "cli/inputs/load.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/base/sides.h"

namespace heapprof {

// True if a report shows the sum of several dumps.
bool AddsUp(const Options& options);

// Removes dumps from a side of a comparison that repeat another one: as further
// runs, they would make the mean look more exact than it is.
void DropRepeated(std::vector<std::string>& paths, std::string_view side,
                  Diagnostics& diagnostics);

// Warns if a dump is compared with itself: it has not grown, whatever happened.
void WarnOfBothSides(std::vector<std::string> paths,
                     const std::vector<std::string>& bases,
                     Diagnostics& diagnostics);

// Fails if a side of a comparison has several dumps of one process. A side is
// the mean of its dumps, and that of snapshots of a process that grows is no
// state that the process was in.
Result<void> RefuseSeries(std::span<const std::string> dumps,
                          std::string_view side);

// Does the same or, if the dumps are shown without a base, only warns if they
// are added up. Also warns of dumps that are then added up twice. `are_runs` is
// LoadRules::are_runs.
Result<void> CheckSeries(const LoadedInputs& inputs, const Options& options,
                         bool are_runs, Diagnostics& diagnostics);

// Warns if different dumps of a side have the same memory map, and their names
// do not tell their processes. Workers of a server have its map, too, so the
// dumps are not refused. `what` is what is shown of them: "sum" or "mean".
void WarnOfOneMap(const LoadedInputs& inputs, Side side, std::string_view what,
                  Diagnostics& diagnostics);

}  // namespace heapprof
