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
  // What the rows with a negative difference add up to, as a positive number:
  // they have no place in a one-column file.
  double shrunk = 0;
};

// One column: what each stack grew by; without a base, what it holds. Values
// are whole and add up to the whole total, rows that come to 0 are left out.
CollapsedReport WriteCollapsed(const StackTable& table);

// "stack before now" per line: what difffolded.pl writes.
std::string WriteTwoColumns(const StackTable& table);

}  // namespace heapprof
