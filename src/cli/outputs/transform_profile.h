// SPDX-License-Identifier: Apache-2.0
//
// Turns the stacks of the input, whose frames have names by then, into the
// stacks that a report shows. The options say which transforms are applied.
#pragma once

#include <vector>

#include "cli/args/options.h"
#include "cli/args/output_table.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/filter_stacks.h"

namespace heapprof {

// Returns true if any sample has a value of `metric` that is not 0.
bool HasValue(const Profile& profile, Metric metric);

// Brings the samples of a comparison into `form`, and removes and shortens
// stacks as the options say. Returns what each filter did. Other facts that the
// user should know go to `diagnostics`.
Result<std::vector<FilterEffect>> TransformProfile(Profile& profile,
                                                   ComparisonForm form,
                                                   const Options& options,
                                                   Diagnostics& diagnostics);

}  // namespace heapprof
