// SPDX-License-Identifier: Apache-2.0
//
// What reports need to show the user's own functions: the calls to which stacks
// are charged, and the lines that are the user's own.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/overview.h"
#include "heapprof/view/stack_call.h"
#include "heapprof/view/story.h"

namespace heapprof {

// Returns, for each sample, the call in the user's own code to which it is
// charged; nothing for a sample without such a call. Returns an empty list with
// --own=none.
std::vector<std::optional<StackCall>> OwnCalls(const Profile& profile,
                                               const Options& options);

// The same for each stack of the profile.
std::vector<std::optional<StackCall>> OwnCallsOfStacks(const Profile& profile,
                                                       const Options& options);

// Returns how many chains of a story a terminal with this many rows shows; 0
// rows: no terminal.
size_t ChainsOnScreen(size_t rows);

// Returns the story of `profile`; an empty one with --own=none.
std::vector<StoryChain> StoryOf(const Profile& profile, const Options& options,
                                size_t most_chains = ChainsOnScreen(0));

// Returns the options of an overview of `profile`.
OverviewOptions OverviewOptionsOf(const Profile& profile,
                                  const Options& options);

// Returns, for each sample, the call that allocated: the leaf of its stack.
std::vector<std::optional<StackCall>> LeafCalls(const Profile& profile);

// Returns, for each of Profile::lines, whether it is the user's own code.
std::vector<bool> OwnLines(const Profile& profile);

}  // namespace heapprof
