// SPDX-License-Identifier: Apache-2.0
//
// What reports need to show the user's own functions: the calls to which stacks
// are charged, and the lines that are the user's own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/transform/own_code.h"
#include "heapprof/view/overview.h"
#include "heapprof/view/story.h"

namespace heapprof {

// Returns the calls in the user's own code to which stacks are charged, nothing
// for stacks without such a call; an empty list with --own=none.
CallsOfStacks OwnCalls(const Profile& profile, const OwnCode& own,
                       const Options& options);

// Returns how many chains of a story a terminal with this many rows shows; 0
// rows: no terminal.
size_t ChainsOnScreen(size_t rows);

// Returns the story of `profile`; an empty one with --own=none.
std::vector<StoryChain> StoryOf(const Profile& profile, const OwnCode& own,
                                const Options& options,
                                size_t most_chains = ChainsOnScreen(0));

// Returns the options of an overview of `profile`.
OverviewOptions OverviewOptionsOf(const Profile& profile, const OwnCode& own,
                                  const Options& options);

// Returns the calls that allocated: the leaves of stacks that have samples.
CallsOfStacks LeafCalls(const Profile& profile);

// The calls to which stacks are charged, and what a table calls them, such as
// "function of your code".
struct ChargedCalls {
  CallsOfStacks calls;
  std::string heading;
  bool is_own = false;  // to the user's own code
};

// Returns OwnCalls() or, if they have no samples, LeafCalls(). `noun` is what a
// row stands for: "function" or "file".
ChargedCalls OwnOrLeafCalls(const Profile& profile, const OwnCode& own,
                            const Options& options, std::string_view noun);

// Returns, for each of Profile::lines, whether it is the user's own code.
std::vector<bool> OwnLines(const Profile& profile, const OwnCode& own);

}  // namespace heapprof
