// SPDX-License-Identifier: Apache-2.0
//
// Finds code that was moved or renamed between the sides of a comparison.
#pragma once

#include "heapprof/view/comparison_entries.h"

namespace heapprof {

// Finds pairs of a new and a gone entry that hold the same amount, as far as
// sampling can tell, and sets ComparisonEntry::maybe_moved in both. If an entry
// fits several others, those with the same last part of the name (such as "f"
// in "ns::f") take precedence. If there are still several, the entry is in no
// pair. Entries must be sorted, largest change first, because only the first
// ones are examined.
void MarkMoved(Comparison& comparison);

}  // namespace heapprof
