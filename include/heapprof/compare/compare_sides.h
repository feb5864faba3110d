// SPDX-License-Identifier: Apache-2.0
//
// The one engine of comparisons: it brings the two sides of a profile into a
// form in which every report can compare them by adding up samples. Afterwards,
// what is the same on both sides has one id or one name, and the sum of a
// side's samples is the mean of its runs (dumps). Values are not subtracted:
// reports need both, because the error of a change comes from both.
//
// The passes, each in a file of src/compare:
//   align_builds   one name for a function, file or module of several builds
//   nameless       code without names matches nothing in another build
//   match_stacks   one StackId for equal stacks
//   dispersion     how much runs vary beyond sampling
//   average_runs   the values of a run divided by the number of runs
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

struct CompareOptions {
  // Stacks that shrank count as unchanged: their base gets the new value.
  bool drop_negative = false;
};

// Prepares the comparison of the sides of `profile`, which Merge() has joined
// and whose frames have names, and sets Profile::is_comparison.
//
// Two stacks are the same if all of their frames are. If both sides ran the
// same build of a module, its frames are compared by module address. Otherwise,
// the base names of the modules and the function names are compared, after
// NormalizeName(); it does not matter whether a function is inlined. Stacks of
// one build that have the same names, but call from different lines, stay
// apart; a stack of the other build equals the one with the nearest lines.
// Equal stacks get the frames of the first one.
//
// Threads are matched by name, because the same thread has another uid in
// another process; those of one name are shown as one (Thread::shown_as). In
// dumps of one process, threads without a name are matched by uid; otherwise,
// they are called "[no name]", except for the main thread.
//
// Returns the values of the stacks that have no names and therefore match
// nothing in another build.
Sides<Values> CompareSides(Profile& profile, const CompareOptions& options);

}  // namespace heapprof
