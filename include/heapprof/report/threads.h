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

#include "heapprof/view/thread_table.h"
#include "heapprof/view/units.h"

namespace heapprof {

struct ThreadsOptions {
  Unit unit = Unit::kMegabytes;
  bool is_exact = false;  // every allocation was sampled
  bool is_comparison = false;
  size_t top = 0;  // rows to print; 0 = all
  // The width of lines in characters; longer names are shortened. 0 = no limit.
  size_t width = 0;
};

std::string WriteThreads(const std::vector<ThreadRow>& rows,
                         const ThreadsOptions& options);

}  // namespace heapprof
