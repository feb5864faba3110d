// SPDX-License-Identifier: Apache-2.0
//
// Tells in a few chains of calls who holds the memory, through what, and for
// what. It finds what a person reads off a flame graph: where the heap divides
// for the first time into parts of some size, and the pieces of these parts.
//
//   main ─ Server::Run ┬ Session::Open ─ Cache::Insert ─ Arena::Grow ─ malloc
//                      └ Loader::Load ┬ Loader::Parse ─ (many small ones)
//                                     └ (many small ones)
//
// gives "Session::Open > Cache::Insert" and "Loader::Load, of it
// Loader::Parse": what all stacks share is left out, what does not divide is
// folded, and allocators are passed through.
//
// Samples decide what is just large enough. So a part is told as a whole,
// whatever pieces it has: one that is just too small changes only its own line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/metric_table.h"

namespace heapprof {

// What a call contributes to a story.
enum class StoryRole : uint8_t {
  kNone,          // standard libraries, allocators, most code without a name
  kLibrary,       // says what memory is for
  kOwnAllocator,  // own code that tells something only if a library calls it
  kOwn,           // says also who holds it
};

// A part of the heap: stacks with some functions, in this order.
struct StoryChain {
  // Names of functions, from caller to callee; at least one. Calls between them
  // are left out.
  std::vector<std::string> frames = {};
  // Where the last of them, in most of the memory, allocates or calls what
  // does. Empty and 0 if unknown.
  std::string file = {};
  uint32_t line = 0;
  // What the stacks hold or, in a comparison, by how much that has changed.
  // Their interval, if they have one.
  MetricCell cell = {};
  double percent = 0;  // of what all stacks hold
  // Of a piece of another part: the index of its chain.
  std::optional<size_t> whole = {};

  double value() const { return Difference(cell.change); }
};

struct StoryOptions {
  Metric metric = Metric::kInuseSpace;
  NameForm names = NameForm::kShort;
  std::vector<StoryRole> roles = {};  // by index of Profile::lines
  size_t most_chains = 5;
};

// Returns disjoint parts of the heap, the largest first, each followed by
// disjoint pieces of it, all of at least an eighth of the heap. With few
// samples, the smallest is up to a quarter of it. In a comparison, returns what
// grew. The result is empty if the heap has no such parts.
std::vector<StoryChain> MakeStory(const Profile& profile,
                                  const StoryOptions& options);

}  // namespace heapprof
