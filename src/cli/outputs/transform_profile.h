// SPDX-License-Identifier: Apache-2.0
//
// Turns the stacks of the input, whose frames have names by then, into the
// stacks that a report shows. The options say which transforms are applied.
#pragma once

#include <vector>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/filter_stacks.h"

namespace heapprof {

// Compares the sides of a comparison, and removes and shortens stacks as the
// options say. Returns what each filter did. Other facts that the
// user should know go to `diagnostics`.
Result<std::vector<FilterEffect>> TransformProfile(Profile& profile,
                                                   const Options& options,
                                                   Diagnostics& diagnostics);

}  // namespace heapprof
