// SPDX-License-Identifier: Apache-2.0
//
// Step 2 of a story (story.h): finds the parts of the heap and their pieces.
//
// The search for parts starts at the root of the call tree and always divides
// the largest subtree. A subtree is not divided, but is a part, if
//   - its top is below the trunk and says who holds the memory,
//   - or no callee of its top is large enough.
// The part then goes down the largest callee, to the function from which most
// of its memory goes different ways (largest_drop.h). What leaves it on this
// way and is large enough becomes another part, as does what a function
// allocates itself.
#pragma once

#include <string_view>
#include <vector>

#include "view/path_tree.h"

namespace heapprof {

struct StoryParts {
  // Each disjoint, the largest first.
  std::vector<Subtree> parts = {};
  std::vector<Subtree> pieces = {};  // of any part
};

// False for main(), also for mysqld_main() and the like, and for what wraps a
// call into an object: lambdas, closures, functors.
bool SaysWho(std::string_view name);

// Returns the parts and pieces that have at least `least`; together, at most
// kMostChains.
StoryParts FindStoryParts(PathTree& tree, double least);

}  // namespace heapprof
