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
  // The sum of all negative differences, as a positive number: a one-column
  // file cannot represent them.
  double shrunk = 0;
};

// One column: the growth of each stack or, without a base, its value. The
// values are integers and add up to the integer part of the total; rows of 0
// are left out.
CollapsedReport WriteCollapsed(const StackTable& table);

// "stack before now" per line, as difffolded.pl writes it.
std::string WriteTwoColumns(const StackTable& table);

}  // namespace heapprof
