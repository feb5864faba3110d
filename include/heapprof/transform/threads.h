// SPDX-License-Identifier: Apache-2.0
//
// One thread's part of a profile, and threads as part of the stacks.
#pragma once

#include <optional>
#include <string_view>

#include "heapprof/profile/profile.h"
#include "heapprof/transform/filter_stacks.h"

namespace heapprof {

// Leaves the samples of the threads that `selector` names: by uid if it is a
// number that a thread has as uid, else by name; several threads may share it.
// Returns what that took; nothing, and nothing is left, if there are none.
std::optional<FilterEffect> SelectThread(Profile& profile,
                                         std::string_view selector,
                                         Metric metric);

// Replaces the samples by those of all threads, each with its thread as the
// root of its stack: "[t3 wrk 1]".
void AddThreadRoots(Profile& profile);

}  // namespace heapprof
