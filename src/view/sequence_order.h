// SPDX-License-Identifier: Apache-2.0
//
// Sorts stacks, as sequences of numbers. A sort that compares two stacks at a
// time would read the frames that all share, near the root, again and again.
// This one looks at a group of stacks frame by frame: multikey quicksort
// (Bentley and Sedgewick, "Fast algorithms for sorting and searching strings",
// 1997).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heapprof {

// Returns the indices of the sequences in lexicographic order; those of equal
// sequences in their own order.
std::vector<uint32_t> OrderOf(
    std::span<const std::span<const uint32_t>> sequences);

}  // namespace heapprof
