// SPDX-License-Identifier: Apache-2.0
//
// Finds code that was moved or renamed between the sides of a comparison.
#pragma once

#include "heapprof/view/comparison.h"

namespace heapprof {

// Sets ComparisonEntry::maybe_moved of new and gone entries that hold the same,
// as far as sampling can tell. Two entries are a pair if they share the last
// part of their names or if neither fits any other entry. Only the largest
// entries, which must be sorted, are examined.
void MarkMoved(Comparison& comparison);

}  // namespace heapprof
