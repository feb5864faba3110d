// SPDX-License-Identifier: Apache-2.0
//
// What the trends of stacks and of the RSS have in common.
#pragma once

#include <string>
#include <vector>

#include "cli/args/options.h"
#include "cli/commands/session.h"
#include "cli/inputs/read_series.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/view/trend_table.h"

namespace heapprof {

// The process, the program or else the first dump, without folders.
std::string NameOf(const CollectedSeries& series);

// Returns what rates refer to. Adds a note if the times of the files are
// unlikely to be those of the dumps.
Result<TrendAxis> AxisOf(const std::vector<TrendDump>& dumps,
                         const TrendChoices& choices, Diagnostics& notes);

// Says which processes have only one dump, and removes these from `all`, unless
// no other is left.
void NoteSingles(std::vector<CollectedSeries>& all, Session& session);

}  // namespace heapprof
