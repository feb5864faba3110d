// SPDX-License-Identifier: Apache-2.0
//
// Divides a profile that holds several runs, that is, the samples of several
// dumps (see Profile::runs).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Calls `f` with one profile after the other, for each run, in order. Each has
// the tables of all runs, but only the samples of its own.
void ForEachRun(Profile profile,
                const std::function<void(const Profile& run)>& f);

// Removes the names of the locations that no sample of the profile has. What
// names have in common is then what they have in common in these samples.
void DropUnusedNames(Profile& profile);

// Returns one profile for each run, in order, as if each had been read from a
// file of its own. A profile without a list of runs is returned as it is.
std::vector<Profile> SplitRuns(Profile profile);

// Keeps only these runs of the new side; `runs` are their numbers, in ascending
// order. They get new numbers, from 0.
void KeepRuns(std::span<const size_t> runs, Profile& profile);

}  // namespace heapprof
