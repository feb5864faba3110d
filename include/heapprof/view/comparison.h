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

// What an entry is, in the order of the enumerators. The plurals end with "s".
inline constexpr std::string_view kByChoices =
    "function|stack|file|module|thread|group";
std::string_view CompareByName(CompareBy by);

// Compares the two sides of a profile that CompareSides() has prepared.
Comparison Compare(const Profile& profile, const ComparisonOptions& options);

// Returns the sum of the entries for which HasChanged() is false. Call this
// only if no sample counts in several entries (see Comparison::is_cumulative).
ComparisonEntry SumOfUnchanged(const Comparison& comparison);

// An entry of a comparison, and which samples count in it.
struct EntrySamples {
  size_t index = 0;            // of the entry
  std::vector<bool> has = {};  // by sample
};

// Returns these entries with their samples, in one pass over all samples.
std::vector<EntrySamples> FindSamplesOf(std::span<const size_t> entries,
                                        const Comparison& comparison);

// Returns the growth of an entry without the stacks that contain any of
// `callees` (indexes of entries) leafward of that entry. This shows whether the
// growth of a caller is only that of its callees. `profile` is the one that was
// compared.
Growth GrowthWithout(const Profile& profile, const Comparison& comparison,
                     const EntrySamples& entry,
                     std::span<const size_t> callees);

// Returns the names of the callers through which an entry changed most, root
// first. They are found by going from the entry towards the root, each time to
// the caller with the largest change. Empty if stacks or threads are compared.
std::vector<std::string> PathTo(const Profile& profile,
                                const Comparison& comparison,
                                const EntrySamples& entry);

}  // namespace heapprof
