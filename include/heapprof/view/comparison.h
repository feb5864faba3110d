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
#include "heapprof/profile/samples_by_stack.h"
#include "heapprof/view/comparison_entries.h"

namespace heapprof {

// What an entry is, in the order of the enumerators. The plurals end with "s".
inline constexpr std::string_view kByChoices =
    "function|stack|file|module|thread|group";
std::string_view CompareByName(CompareBy by);

// Compares the two sides of a profile that CompareSides() has prepared.
Comparison Compare(const Profile& profile, const ComparisonOptions& options);

// True for the entry of the stacks that are in no group. Reports always give it
// a row of its own.
bool IsOtherGroup(const Comparison& comparison, const ComparisonEntry& entry);

// Returns "moved from f?" for a new entry that may be `f`, moved or renamed
// (see ComparisonEntry::maybe_moved); empty for any other.
std::string MovedText(const Comparison& comparison,
                      const ComparisonEntry& entry);

// An entry of a comparison, and which stacks count in it. Neither this nor the
// functions below are for comparisons of threads.
struct EntryStacks {
  size_t index = 0;            // of the entry
  std::vector<bool> has = {};  // by StackId
};

// Returns these entries with their stacks, in one pass over all stacks.
std::vector<EntryStacks> FindStacksOf(std::span<const size_t> entries,
                                      const Comparison& comparison);

// Returns the growth of an entry without the stacks that contain any of
// `callees` (indexes of entries) leafward of that entry. This shows whether the
// growth of a caller is only that of its callees. `profile` is the one that was
// compared, and `samples` are those of all its threads.
Growth GrowthWithout(const Profile& profile, const SamplesByStack& samples,
                     const Comparison& comparison, const EntryStacks& entry,
                     std::span<const size_t> callees);

// Returns the names of the callers through which an entry changed most, root
// first. They are found by going from the entry towards the root, each time to
// the caller with the largest change. A function that calls itself, or a module
// with several functions in a row, is named once. Empty if stacks are compared.
std::vector<std::string> PathTo(const Profile& profile,
                                const Comparison& comparison,
                                const EntryStacks& entry);

}  // namespace heapprof
