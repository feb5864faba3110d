// SPDX-License-Identifier: Apache-2.0
//
// The thresholds of a story; story.h explains the terms.
#pragma once

#include <cstddef>

#include "heapprof/base/nearly_all.h"
#include "heapprof/view/story.h"

namespace heapprof {

// The smallest subtree that becomes a part or a piece, as a fraction of the
// heap.
constexpr double kLeastShare = 1 - kNearlyAll;
// Samples decide which subtrees are that large. Another run of the same program
// should have the same parts. Therefore the limit is larger by this many
// standard errors of such a subtree, but at most kLargeShare.
constexpr double kMarginInErrors = 3;
constexpr double kLargeShare = 1.0 / 4;

// The same of a piece, of which a story rather says too little.
constexpr double kPieceMarginInErrors = 6;
constexpr double kLargePieceShare = 1.0 / 2;

// A drop of the value from caller to callee is clearly larger than another if
// it is this many times as large. Samples decide how large both are; another
// run of the same program should find the same one larger.
constexpr double kClearlyLarger = 2.5;

// Stories are found with this many chains, even if fewer are asked for, so that
// a shorter one has the same chains.
constexpr size_t kMostChains = StoryOptions().most_chains;

}  // namespace heapprof
