// SPDX-License-Identifier: Apache-2.0
//
// The story of a heap: a few chains of calls that say who holds the memory,
// through what, and for what. It is what a person reads off a flame graph:
// where the heap first divides into large parts, and how each part divides.
//
// Terms, which all files of the story use:
//   role     what a call tells: see StoryRole.
//   path     a stack without the calls that tell nothing, root first.
//   subtree  all paths that start with the same functions: a node of the call
//            tree, with everything below it.
//   trunk    the functions at the root that most of the heap shares, up to
//            where it divides. They do not say who holds which memory.
//   part     a subtree below the trunk that tells what a large part of the heap
//            is. Parts have no memory in common.
//   piece    a large subtree where a part divides.
//   chain    what the story says of a part or a piece: a few of its functions.
//
// An example. malloc() has no role, and Arena::Grow() is an allocator:
//
//  main ─ Server::Run ┬ Session::Open ─ Cache::Insert ─ Arena::Grow ─ malloc 60
//                     └ Loader::Load ┬ Loader::Parse ─ malloc 25
//                                    └ 15 other functions ─ malloc 15
//
// 1. call_paths.h makes paths of the stacks. Here, it leaves out Arena::Grow()
//    and malloc(). path_tree.h is the call tree of these paths.
// 2. story_parts.h finds the parts and pieces. Here, main() and Server::Run()
//    are the trunk, and the parts are found at Session::Open() with 60 and at
//    Loader::Load() with 40. A part goes down to the last function through
//    which nearly all of its memory goes: the first one to Cache::Insert(). The
//    second one has a piece, Loader::Parse(); the 15 others are too small.
// 3. story_names.h chooses the functions of each chain.
// 4. story.cc adds up all paths through the functions of each chain, adds error
//    bars, and orders the chains:
//
//      60  Session::Open → Cache::Insert
//      40  Loader::Load
//      25  of it: Loader::Parse
//
// Whether a subtree is large enough may depend on a few samples. Therefore a
// part has a chain of its own even if it has pieces: a piece that is just too
// small is one line less, and changes nothing else.
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

// What a call tells.
enum class StoryRole : uint8_t {
  kNone,          // nothing: standard libraries, allocators, and most code
                  // without a name
  kLibrary,       // what the memory is for
  kOwnAllocator,  // what it is for, but only if a library makes the call: own
                  // code that looks like an allocator
  kNameless,      // as kOwn, but a call with a name nearby says more of who
  kOwn,           // what it is for, and who holds it
};

// What a story says of a part or a piece.
struct StoryChain {
  // The names of some of its functions, from caller to callee; at least one.
  std::vector<std::string> frames = {};
  // The place in the last function where more than half of the memory is
  // allocated, or where the call is that leads there. Empty and 0 if unknown;
  // the line is also 0 if none has more than half.
  std::string file = {};
  uint32_t line = 0;
  // What its stacks hold or, in a comparison, by how much that has changed. Has
  // an interval if the metric has error bars.
  MetricCell cell = {};
  // Of what all stacks hold. In a comparison, of what they hold more or, if
  // others shrank, of what the function grew that grew most.
  double percent = 0;
  // The confidence interval of `percent`. Not set in a comparison, or if the
  // metric has no error bars.
  std::optional<Interval> percent_interval = {};
  std::optional<size_t> part_of = {};  // of a piece: index of the part's chain

  double value() const { return Difference(cell.change); }
};

struct StoryOptions {
  Metric metric = Metric::kInuseSpace;
  NameForm names = NameForm::kShort;
  std::vector<StoryRole> roles = {};  // by index of Profile::lines
  size_t most_chains = 5;
};

// Returns chains of disjoint parts of the heap, the largest first, each
// followed by those of its disjoint pieces. Each tells nearly all of a subtree
// that has an eighth of the heap or more; the fewer samples there are, the more
// it has: a part up to a quarter, a piece up to half of the heap. In a
// comparison, returns what grew, however much else shrank; `percent` says what
// stands for the heap there. Growth must be proven, with an error of the first
// kind of (1 - kConfidence)/2 for all chains together. Returns nothing if the
// heap has no such parts, or without roles.
std::vector<StoryChain> MakeStory(const Profile& profile,
                                  const StoryOptions& options);

}  // namespace heapprof
