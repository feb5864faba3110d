// SPDX-License-Identifier: Apache-2.0
#include "cli/system/default_jobs.h"

#include <algorithm>
#include <cmath>

#include "cli/system/control_groups.h"
#include "heapprof/demangle/demangle.h"

namespace heapprof {

unsigned DefaultJobs(unsigned processors, uint64_t memory_limit,
                     const std::string& root) {
  // A third of the limit, which counts the stacks as a whole, is left for them.
  constexpr uint64_t kMemoryPerJob = 3 * kDemangleStackSize;
  const double least = std::min(
      {static_cast<double>(processors), std::ceil(ProcessorsOfGroups(root)),
       static_cast<double>(memory_limit / kMemoryPerJob)});
  return std::max(1U, static_cast<unsigned>(least));
}

}  // namespace heapprof
