// SPDX-License-Identifier: Apache-2.0
//
// The callers of a function, all the way up to the roots of the stacks, or its
// callees, all the way down: one tree for each selected function, unless other
// trees contain all of it. If all functions are selected, there is therefore a
// tree of callers for each function that allocates, or a tree of callees for
// each root of a stack.
//
// A stack counts once in the tree of a function, starting from its call nearest
// the root. A function that calls itself directly is one node. The value of a
// node is the sum of its children, of the stacks that end at it, and of the
// children that are left out.
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
  kEnd,   // the stacks that end at the parent, if others go on
  kRest,  // the children of the parent without their own row
};

struct CallTreeRow {
  CallTreeRowKind kind = CallTreeRowKind::kFunction;
  uint32_t name = 0;  // index of CallTree::names; only for kFunction
  size_t count = 0;   // number of functions; only for kRest
  uint32_t depth = 0;
  double value = 0;
  double percent = 0;      // percentage of CallTree::total_size
  bool continues = false;  // the only row below its parent, which is not a root
  bool is_last = false;    // the last row below its parent
};

struct CallTree {
  // Each parent comes before its children. Children are sorted by absolute
  // value, largest first, followed by kEnd and kRest. Roots are functions that
  // match.
  std::vector<CallTreeRow> rows;
  std::vector<std::string> names;
  double total = 0;  // after filters
  // The sum of absolute values: in a difference, everything that changed.
  double total_size = 0;
  double matched = 0;  // the sum of the stacks with a match
  double matched_percent = 0;
  size_t matching = 0;         // number of matching functions
  size_t covered = 0;          // matching, but only in trees of others
  size_t hidden_roots = 0;     // the other matching functions without a row
  size_t hidden_small = 0;     // nodes in no row, not even in a kRest
  bool has_more_rows = false;  // true if a limit left out rows
};

struct CallTreeOptions {
  Metric metric = Metric::kInuseSpace;
  LabelOptions labels = {};
  CallDirection direction = CallDirection::kCallers;
  // Nodes below this fraction of total_size get no row. Signs do not count: a
  // node that grew in one place and shrank in another is as large as both
  // changes together.
  double least_fraction = 0.01;
  size_t most_rows = 0;  // 0: only limited against absurd sizes
  // Called with labels and with the full names of their functions.
  std::function<bool(std::string_view name)> matches;
};

CallTree MakeCallTree(const Profile& profile, const CallTreeOptions& options);

}  // namespace heapprof
