// SPDX-License-Identifier: Apache-2.0
//
// Tests whether the dumps that `heapprof check` compares have enough in them to
// be judged.
#pragma once

#include "cli/args/options.h"
#include "cli/inputs/load.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Fails if it is unclear which side a dump belongs to. Fails if a dump cannot
// be judged because it is damaged, holds next to nothing or has no sampling
// period. `diagnostics` holds what was found while the dumps were read.
Result<void> CheckSamples(const LoadedInputs& inputs, const Options& options,
                          const Diagnostics& diagnostics);

// Fails if the filters have left no samples, or if --own has found none of the
// user's code on one side.
Result<void> CheckFiltered(const Profile& profile, const Options& options);

}  // namespace heapprof
