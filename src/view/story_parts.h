// SPDX-License-Identifier: Apache-2.0
//
// The parts of the heap that a story tells, and what they are called.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "heapprof/view/frame_labels.h"
#include "heapprof/view/story.h"

namespace heapprof {

// A function that all parts share does not say who holds them if this fraction
// of the heap is below it.
constexpr double kMostOfTheHeap = 0.8;

// A function below which the paths of a part go, and what is below it.
struct PathNode {
  uint32_t label = UINT32_MAX;
  StoryRole role = StoryRole::kNone;
  double value = 0;
};

// Some paths, whose first calls are the same functions.
struct StoryPart {
  std::vector<uint32_t> paths = {};
  std::vector<PathNode> nodes = {};  // these functions
  double value = 0;                  // of the paths
  bool is_shared = false;            // by all that is told
  size_t shared_depth = 0;           // how many of its functions are
  // Of a piece: the index of its whole, and how many functions that has.
  uint32_t whole = UINT32_MAX;
  size_t depth_of_whole = 0;
};

// False for main() and for what wraps a call into an object: lambdas, closures,
// functors.
bool SaysWho(std::string_view name);

// Returns by part which of its nodes name it: who holds it, where it parts from
// the others, what of a library the program calls, and the last function; of a
// piece, only functions that its whole does not have. `total` is what the heap
// has.
std::vector<std::vector<bool>> NamedNodes(const std::vector<StoryPart>& parts,
                                          const FrameLabels& labels,
                                          double total);

}  // namespace heapprof
