// SPDX-License-Identifier: Apache-2.0
//
// Folded stacks, one per line, as flamegraph.pl reads them:
//   main;ns::parse(int) 1658822
#pragma once

#include <string>

#include "heapprof/view/stack_table.h"

namespace heapprof {

struct CollapsedReport {
  std::string text;
  // The sum of all decreases, as a positive number. The text leaves decreases
  // out, because flamegraph.pl cannot show negative values.
  double shrunk = 0;
};

// Writes one value per stack: its growth or, without a base, what it holds.
// Values are rounded to integers so that their sum is the integer part of the
// exact sum. Stacks whose value is not above 0 are left out.
CollapsedReport WriteCollapsed(const StackTable& table);

// Writes one line per stack with its values on both sides, in the form "stack
// before now", as difffolded.pl does.
std::string WriteTwoColumns(const StackTable& table);

}  // namespace heapprof
