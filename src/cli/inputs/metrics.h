// SPDX-License-Identifier: Apache-2.0
//
// Tests whether inputs have values of the metrics that the options ask for.
#pragma once

#include <span>
#include <string>

#include "cli/args/options.h"
#include "cli/inputs/load.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/merge.h"

namespace heapprof {

// `path` names the profile in messages.
Result<void> CheckMetrics(const Profile& profile, const std::string& path,
                          const Options& options);

// Checks that each input has the data that the options ask for. The merged
// profile does not show this: an input without counters would count as 0, so
// that everything would seem to have grown or shrunk. But a dump without
// samples really counts as 0, and does not show which counters it would have.
Result<void> CheckEachInput(const LoadedInputs& inputs, const Options& options);

// Switches to --alloc_space, and notes it.
void ShowAllocations(Options& options, Diagnostics& diagnostics);

// Calls ShowAllocations() if the user chose no metric, and an input has no
// live values.
void ChooseMetric(std::span<const MergeInput> inputs, Options& options,
                  Diagnostics& diagnostics);

}  // namespace heapprof
