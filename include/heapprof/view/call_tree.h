// SPDX-License-Identifier: Apache-2.0
//
// The callers of a function, up to the roots of the stacks, or its callees,
// down to the leaves. There is one tree for each selected function. A function
// gets no tree if all of its stacks are also in the trees of other selected
// functions. For example, if all functions are selected, there is a tree of
// callers for each function that allocates, or a tree of callees for each root
// of a stack.
//
// If a function is in a stack several times, the stack counts once in the tree
// of the function, starting from the occurrence nearest the root. Direct
// recursion makes only one node. The value of a node is the sum of its
// children, including those that are left out, and of the stacks that end at
// the node, except for rounding: values are whole, see WholeChange().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/call_tree_options.h"

namespace heapprof {

enum class CallTreeRowKind : uint8_t {
  kFunction,
  kEnd,   // the sum of the stacks that end at the parent, if not all of them do
  kRest,  // the sum of the parent's children without a row of their own
};

struct CallTreeRow {
  CallTreeRowKind kind = CallTreeRowKind::kFunction;
  uint32_t name = 0;  // index of CallTree::names; only for kFunction
  size_t count = 0;   // number of children that a kRest row sums up
  uint32_t depth = 0;
  double value = 0;
  double percent = 0;  // percentage of CallTree::total_size
  // True if this is the only child of a parent that is not a root. Reports do
  // not indent such rows further, so that a chain of calls stays readable.
  bool continues = false;
  bool is_last = false;  // true if this is the last child
};

struct CallTree {
  // A row comes before its children. Below each parent, functions are sorted by
  // absolute value, largest first; kEnd and kRest follow. Roots are functions
  // for which CallTreeOptions::matches is true.
  std::vector<CallTreeRow> rows;
  std::vector<std::string> names;
  double total = 0;  // sum of the stacks that filters left
  // The sum of the absolute values of all stacks. In a difference, this is how
  // much changed in total.
  double total_size = 0;
  bool has_both_signs = false;  // true if there are increases and decreases
  double matched = 0;  // the sum of the stacks with a matching function
  double matched_percent = 0;
  size_t matching = 0;  // number of matching functions
  size_t covered = 0;   // matching functions that are only in trees of others
  size_t hidden_roots = 0;  // matching functions whose trees are left out
  // Number of nodes in neither a row of their own nor a kRest row, because even
  // that row would be too small.
  size_t hidden_small = 0;
  bool has_more_rows = false;  // true if a limit left out rows
};

CallTree MakeCallTree(const Profile& profile, const CallTreeOptions& options);

}  // namespace heapprof
