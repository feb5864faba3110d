// SPDX-License-Identifier: Apache-2.0
#include "cli/system/default_jobs.h"

#include <algorithm>
#include <cmath>

#include "cli/system/control_groups.h"
#include "heapprof/demangle/demangle.h"

namespace heapprof {

unsigned DefaultJobs(unsigned processors, uint64_t memory_limit,
                     const std::string& root) {
  // Stacks, which the limit counts as a whole, may take a third of it.
  constexpr uint64_t kMemoryPerJob = 3 * kDemangleStackSize;
  const uint64_t fit = memory_limit / kMemoryPerJob;
  const double least =
      std::min({static_cast<double>(processors),
                std::ceil(ProcessorsOfGroups(root)), static_cast<double>(fit)});
  return std::max(1U, static_cast<unsigned>(least));
}

}  // namespace heapprof
