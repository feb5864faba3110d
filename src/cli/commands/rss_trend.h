// SPDX-License-Identifier: Apache-2.0
//
// The trend of the lines that `heapprof explain` divides the RSS into.
#pragma once

#include <string>
#include <vector>

#include "cli/args/options.h"
#include "cli/commands/session.h"
#include "heapprof/base/error.h"
#include "heapprof/report/trend.h"

namespace heapprof {

// Returns a series for each process that has several dumps, each with another
// name, and with its judgement if there is a limit. The files of jemalloc and
// of /proc are next to the dumps.
Result<std::vector<TrendSeries>> ReadRssTrend(std::vector<std::string> dumps,
                                              Options& options,
                                              Session& session);

}  // namespace heapprof
