// SPDX-License-Identifier: Apache-2.0
//
// The thresholds of a story; story.h explains the terms.
#pragma once

#include <cstddef>

#include "heapprof/view/story.h"

namespace heapprof {

// The smallest subtree that becomes a part or a piece, as a fraction of the
// heap.
constexpr double kLeastShare = 1.0 / 8;
// Samples decide which subtrees are that large. Another run of the same program
// should have the same parts. Therefore the limit is larger by this many
// standard errors of such a subtree, but at most kLargeShare.
constexpr double kMarginInErrors = 3;
constexpr double kLargeShare = 1.0 / 4;

// A callee with this fraction of what its caller has is about the same memory:
// the rest of the caller is too small for a part.
constexpr double kNearlyAll = 1 - kLeastShare;

// A function with this fraction of the heap may belong to the trunk.
constexpr double kTrunkShare = 0.8;

// Stories are found with this many chains, even if fewer are asked for, so that
// a shorter one has the same chains.
constexpr size_t kMostChains = StoryOptions().most_chains;

}  // namespace heapprof
