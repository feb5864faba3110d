// SPDX-License-Identifier: Apache-2.0
//
// Who calls a function, all the way up to the roots of the stacks, or what it
// calls, all the way down: a tree for each function that is asked for, unless
// all of it is part of the trees of others. The callers of everything are thus
// trees of the functions that allocate, its callees trees of the stacks' roots.
//
// A stack counts once in the tree of a function, from the call of it that is
// nearest the root on. A function that calls itself directly is one node. What
// a node holds is what its children, the stacks that end at it, and the
// children that are left out hold together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

enum class CallDirection : uint8_t { kCallers, kCallees };

enum class CallTreeRowKind : uint8_t {
  kFunction,
  kEnd,   // the stacks that end at the parent, where others go on
  kRest,  // the children of the parent that have no row of their own
};

struct CallTreeRow {
  CallTreeRowKind kind = CallTreeRowKind::kFunction;
  uint32_t name = 0;  // in CallTree::names; of kFunction
  size_t count = 0;   // of functions; of kRest
  uint32_t depth = 0;
  double value = 0;
  double percent = 0;      // of CallTree::total_size
  bool continues = false;  // the only row below its parent, which is no root
  bool is_last = false;    // of the rows below its parent
};

struct CallTree {
  // Each parent before its children; these by absolute value, the largest
  // first, and then kEnd and kRest. Roots are functions that match.
  std::vector<CallTreeRow> rows;
  std::vector<std::string> names;
  double total = 0;  // of the stacks that filters left
  // The same without signs: in a difference, all that changed.
  double total_size = 0;
  double matched = 0;  // of the stacks with a match
  double matched_percent = 0;
  size_t matching = 0;         // functions that match
  size_t covered = 0;          // of these, in the trees of others only
  size_t hidden_roots = 0;     // of the rest, without a row
  size_t hidden_small = 0;     // nodes in no row, not even in a kRest
  bool has_more_rows = false;  // which most_rows leaves out
};

struct CallTreeOptions {
  Metric metric = Metric::kInuseSpace;
  LabelOptions labels = {};
  CallDirection direction = CallDirection::kCallers;
  // Nodes below this part of total_size get no row. Signs do not count: what
  // grew in one place and shrank in another is as large as both.
  double least_fraction = 0.01;
  size_t most_rows = 0;  // 0: no limit but one against absurd sizes
  // Asked for labels, and for the full names of their functions.
  std::function<bool(std::string_view name)> matches;
};

CallTree MakeCallTree(const Profile& profile, const CallTreeOptions& options);

}  // namespace heapprof
