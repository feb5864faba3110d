// SPDX-License-Identifier: Apache-2.0
//
// The tables of --tree, --peek, --callers, --callees and --traces. Their
// reports write them as text, and --json as JSON.
//
// All of these functions add notes on what the table leaves out because of a
// limit.
#pragma once

#include "cli/outputs/report_request.h"
#include "heapprof/view/call_tree.h"
#include "heapprof/view/callers_callees.h"
#include "heapprof/view/trace_table.h"

namespace heapprof {

CallersCalleesTable CallersCalleesOfAll(const ReportRequest& request);

// Returns the rows of the functions that match the pattern of the command line.
// Fails if there are none.
Result<CallersCalleesTable> CallersCalleesOfMatches(
    const ReportRequest& request);

// Returns the trees of the functions that match the pattern of the command
// line. Fails if there are none.
Result<CallTree> CallTreesOfMatches(CallDirection direction,
                                    const ReportRequest& request);

TraceTable LargestTraces(const ReportRequest& request);

}  // namespace heapprof
