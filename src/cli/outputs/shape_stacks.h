// SPDX-License-Identifier: Apache-2.0
//
// The transforms that the options ask for, in order: from named stacks to those
// that a report shows.
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

// From here on stacks only get fewer and shorter. A comparison is subtracted
// unless `both_sides` are to be seen. Returns what the filters did; what else
// the user should know is noted.
Result<std::string> ShapeStacks(Profile& profile, bool both_sides,
                                const Options& options,
                                Diagnostics& diagnostics);

}  // namespace heapprof
