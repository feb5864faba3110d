// SPDX-License-Identifier: Apache-2.0
//
// Applies the transforms that the options ask for, in order: from named stacks
// to the stacks that a report shows.
#pragma once

#include <string>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// True if a sample has a value that is not 0.
bool HasValue(const Profile& profile, Metric metric);

// Removes and shortens stacks, and subtracts the base unless the output shows
// `both_sides`. Returns a summary of what the filters did; notes what else the
// user should know.
Result<std::string> TransformProfile(Profile& profile, bool both_sides,
                                     const Options& options,
                                     Diagnostics& diagnostics);

}  // namespace heapprof
