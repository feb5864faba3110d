// SPDX-License-Identifier: Apache-2.0
//
// What filters did: `transform` measures it, and reports show it.
#pragma once

#include <cstddef>
#include <string>

#include "heapprof/base/sides.h"

namespace heapprof {

// What one filter did. Values are in the metric of the report.
struct FilterEffect {
  std::string filter;  // "--focus=PATTERN"
  size_t removed_stacks = 0;
  // Of removed stacks; --thread also removes a part of stacks that remain.
  double removed_value = 0;
  // On each side: stacks without a name (nameless_stack.h) that --focus or the
  // like removed. They may be what the filter asks for.
  Sides<double> removed_nameless = {};
  // In a comparison: removed or changed stacks whose values are equal on both
  // sides. They count nowhere else.
  size_t equal_stacks = 0;
  // The absolute values of what was removed, as a percentage of those of all
  // stacks. In a comparison, decreases thus count as much as increases.
  double removed_percent = 0;
  size_t cut_stacks = 0;  // stacks that lost frames but remain
  // Stacks that --own gave the leaf "[outside your code]".
  size_t not_own_stacks = 0;
  // True for a side with samples if --own gave all of them that leaf.
  Sides<bool> lacks_own = {};
  // The path of a program, if the pattern of --own matches it and thus all the
  // program's code.
  std::string own_binary = {};
  size_t left_stacks = 0;  // after this filter
};

}  // namespace heapprof
