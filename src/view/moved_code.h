// SPDX-License-Identifier: Apache-2.0
//
// Finds code that was moved or renamed between the sides of a comparison.
#pragma once

#include "heapprof/view/comparison.h"

namespace heapprof {

// Finds pairs of a new and a gone entry that hold the same amount, as far as
// sampling can tell, and sets maybe_moved in both. Entries form a pair only if
// neither fits several others equally well; a match in the last part of the
// name takes precedence. Entries must be sorted, because only the largest ones
// are examined.
void MarkMoved(Comparison& comparison);

}  // namespace heapprof
