// SPDX-License-Identifier: Apache-2.0
//
// Tests whether a run can write what the options ask for.
#pragma once

#include <string>

#include "cli/args/options.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Checks that `profile` has the data that the options ask for, and that no
// binary output goes to a terminal. `path` names the first dump in messages.
Result<void> CheckRequest(const Profile& profile, const std::string& path,
                          const Options& options);

}  // namespace heapprof
