// SPDX-License-Identifier: Apache-2.0
//
// Shows the trends of several dumps: what `heapprof trend` does, and what
// heapprof does on a terminal if it gets several dumps of one process.
#pragma once

#include "cli/args/options.h"
#include "cli/commands/session.h"
#include "heapprof/base/error.h"

namespace heapprof {

// True if the command line names several dumps of which at least two may be of
// one process.
Result<bool> NamesASeries(const Options& options);

Result<void> ShowTrend(Options& options, Session& session);

}  // namespace heapprof
