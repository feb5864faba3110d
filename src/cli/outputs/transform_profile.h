// SPDX-License-Identifier: Apache-2.0
//
// Turns the named stacks of the input into the stacks that a report shows, by
// the transforms that the options ask for.
#pragma once

#include <vector>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/filter_stacks.h"

namespace heapprof {

// True if a sample has a value that is not 0.
bool HasValue(const Profile& profile, Metric metric);

// Removes and shortens stacks, and subtracts the base unless the output shows
// `both_sides`. Returns what the filters did; notes what else the user should
// know.
Result<std::vector<FilterEffect>> TransformProfile(Profile& profile,
                                                   bool both_sides,
                                                   const Options& options,
                                                   Diagnostics& diagnostics);

}  // namespace heapprof
