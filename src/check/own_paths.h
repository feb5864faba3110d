// SPDX-License-Identifier: Apache-2.0
//
// Shortens the paths to findings, which begin with _start and the like.
#pragma once

#include <vector>

#include "heapprof/check/judge.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

// Removes what comes before the first function of one's own code in the paths
// to findings. Keeps paths without own code. `is_own` is indexed like
// Profile::lines.
void BeginPathsWithOwnCode(const Profile& profile, const Comparison& comparison,
                           const std::vector<bool>& is_own,
                           CheckResult& result);

}  // namespace heapprof
