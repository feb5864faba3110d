// SPDX-License-Identifier: Apache-2.0
//
// Step 2 of a story (story.h): finds the parts of the heap and their pieces.
//
// The trunk goes from the root of the call tree down the largest callee, to the
// function from which most of the heap goes different ways (largest_drop.h).
// The search for parts starts there and always divides the largest subtree. A
// subtree is not divided, but is a part, if
//   - its top says who holds the memory,
//   - or no callee of its top is large enough.
// The part then goes down to the last function through which nearly all of its
// memory goes, and so does a piece. What leaves the trunk or a part on this way
// and is large enough becomes another part, as does what a function allocates
// itself.
//
// The trunk thus ends where the heap clearly divides. If it ended below some
// share of the heap, samples would decide where that is: often, many functions
// on the way have nearly the same share.
#pragma once

#include <span>
#include <vector>

#include "view/path_tree.h"

namespace heapprof {

struct StoryParts {
  // Each disjoint, the largest first.
  std::vector<Subtree> parts = {};
  std::vector<Subtree> pieces = {};  // of any part
};

// True if the last of `nodes`, a way through the tree, says who holds the
// memory. False for main(), also for mysqld_main(), optMain() and the like, and
// for what wraps a call into an object: lambdas, closures, functors. But Rust's
// closure "f::{{closure}}" says who if f() does not call it: it may be the body
// of f(), an async function, which an executor calls.
bool SaysWho(const PathTree& tree, std::span<const TreeNode> nodes);

// Returns the parts that have at least `least_part`, and the pieces that have
// at least `least_piece`; together, at most kMostChains.
StoryParts FindStoryParts(PathTree& tree, double least_part,
                          double least_piece);

}  // namespace heapprof
