// SPDX-License-Identifier: Apache-2.0
//
// Folded stacks, one per line, as flamegraph.pl reads them:
//   main;ns::parse(int) 1658822
#pragma once

#include "heapprof/base/byte_sink.h"
#include "heapprof/view/stack_table.h"

namespace heapprof {

// Writes one value per stack: how much it has grown or, without a base, what it
// holds. Values are rounded to integers so that their sum is the integer part
// of the exact sum. Stacks whose value is not above 0 are left out, because
// flamegraph.pl cannot show negative values. Returns the sum of all decreases,
// as a positive number.
double WriteCollapsed(const StackTable& table, ByteSink& out);

// Writes one line per stack with its values in the base and in the new dump:
// "stack before now", as difffolded.pl does. Each column adds up to the integer
// part of the total of its side, and a stack that has not changed has the same
// value in both.
void WriteTwoColumns(const StackTable& table, ByteSink& out);

}  // namespace heapprof
