// SPDX-License-Identifier: Apache-2.0
//
// How many threads a run uses unless --jobs says so.
#pragma once

#include <cstdint>
#include <string>

namespace heapprof {

// Returns a thread for each of `processors`, those that the process may run on.
// Returns fewer if its control groups give it the time of fewer, or if the
// stacks of more could take much of the memory that it is limited to:
// `memory_limit` bytes. `root` is as in control_groups.h.
unsigned DefaultJobs(unsigned processors, uint64_t memory_limit,
                     const std::string& root = "");

}  // namespace heapprof
