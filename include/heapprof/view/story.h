// SPDX-License-Identifier: Apache-2.0
//
// Tells in a few chains of calls who holds the memory, through what, and for
// what. It finds what a person reads off a flame graph: the places where the
// heap divides into parts of some size, and where these parts are allocated.
//
//   main ─ Server::Run ┬ Session::Open ─ Cache::Insert ─ Arena::Grow ─ malloc
//                      └ Loader::Load ─ (many small ones)
//
// gives "Session::Open > Cache::Insert" and "Loader::Load": what all stacks
// share is left out, what does not divide is folded, and allocators are passed
// through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/metric_table.h"

namespace heapprof {

// What a call contributes to a story.
enum class StoryRole : uint8_t {
  kNone,          // standard libraries, allocators, code without a name
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

  double value() const { return Difference(cell.change); }
};

struct StoryOptions {
  Metric metric = Metric::kInuseSpace;
  NameForm names = NameForm::kShort;
  std::vector<StoryRole> roles = {};  // by index of Profile::lines
  size_t most_chains = 5;
};

// Returns disjoint parts of the heap, the largest first: where it divides into
// parts of at least an eighth, or what nearly all of such a part is for. With
// few samples, the smallest part is up to a quarter of the heap, so that
// samples do not decide what is told. In a comparison, returns the parts that
// grew. The result is empty if the heap has no such parts.
std::vector<StoryChain> MakeStory(const Profile& profile,
                                  const StoryOptions& options);

}  // namespace heapprof
