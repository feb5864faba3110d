// SPDX-License-Identifier: Apache-2.0
//
// The trend of what stacks hold, by function, file, group and so on.
#pragma once

#include <vector>

#include "cli/args/options.h"
#include "cli/commands/session.h"
#include "cli/inputs/read_series.h"
#include "heapprof/base/error.h"
#include "heapprof/report/trend.h"

namespace heapprof {

// Returns a series for each process that has several dumps, each with another
// name, and with its judgement if there is a limit.
Result<std::vector<TrendSeries>> ReadStackTrend(
    const SeriesArguments& arguments, Options& options, Session& session);

}  // namespace heapprof
