// SPDX-License-Identifier: Apache-2.0
//
// What changed between the two sides of a profile, entry by entry: the numbers
// of `--base` on a terminal and of `heapprof check`.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/comparison_entries.h"

namespace heapprof {

// "function", "functions" ...
std::string_view CompareByName(CompareBy by);
std::string_view CompareByPlural(CompareBy by);

// Compares the two sides of a profile that CompareSides() has prepared.
Comparison Compare(const Profile& profile, const ComparisonOptions& options);

// Returns the sum of the entries for which HasChanged() is false. Call this
// only if no sample counts in several entries (see Comparison::is_cumulative).
ComparisonEntry SumOfUnchanged(const Comparison& comparison);

// Returns the growth of entry `index` without the stacks that contain any of
// `callees` (indexes of entries) leafward of that entry. This shows whether the
// growth of a caller is only that of its callees. `profile` is the one that was
// compared.
Growth GrowthWithout(const Profile& profile, const Comparison& comparison,
                     size_t index, std::span<const size_t> callees);

// Returns the names of the callers through which entry `index` changed most,
// root first. They are found by going from the entry towards the root, each
// time to the caller with the largest change. Empty if stacks or threads are
// compared.
std::vector<std::string> PathTo(const Profile& profile,
                                const Comparison& comparison, size_t index);

}  // namespace heapprof
