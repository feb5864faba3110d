// SPDX-License-Identifier: Apache-2.0
//
// The table of threads:
//
//     uid   estimate       from         to  samples name   most by
//       3    2.6 MiB    0.8 MiB    6.1 MiB        4 wrk 1  ns::parse@401380
//
// The true value is between "from" and "to" with 95 % confidence. If every
// allocation was sampled, both columns say "exact". In a comparison, the
// columns are called "change", "at least" and "at most": "from 1 MiB to 2 MiB"
// would look like the growth.
#pragma once

#include <string>
#include <vector>

#include "heapprof/report/rows_options.h"
#include "heapprof/view/thread_table.h"

namespace heapprof {

std::string WriteThreads(const std::vector<ThreadRow>& rows,
                         const RowsOptions& options);

}  // namespace heapprof
