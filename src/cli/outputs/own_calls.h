// SPDX-License-Identifier: Apache-2.0
//
// The calls to which stacks are charged in reports that show the user's own
// functions.
#pragma once

#include <optional>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/stack_call.h"

namespace heapprof {

// For each sample, the own call to which it is charged; empty with --own=none.
std::vector<std::optional<StackCall>> OwnCalls(const Profile& profile,
                                               const Options& options);

// For each sample, the call that allocated.
std::vector<std::optional<StackCall>> LeafCalls(const Profile& profile);

}  // namespace heapprof
