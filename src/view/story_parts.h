// SPDX-License-Identifier: Apache-2.0
//
// Step 2 of a story (story.h): finds the parts of the heap and their pieces.
//
// The search for parts starts at the root of the call tree and always divides
// the largest subtree. A subtree is not divided, but a part, if
//   - it starts with a function below the trunk that says who holds the memory,
//   - or its top allocates much itself,
//   - or no callee of its top is large enough.
// From there, it follows the callee that has nearly all of the memory.
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

// False for main() and for what wraps a call into an object: lambdas, closures,
// functors.
bool SaysWho(std::string_view name);

// Returns the parts and pieces that have at least `least`; together, at most
// kMostChains.
StoryParts FindStoryParts(PathTree& tree, double least);

}  // namespace heapprof
