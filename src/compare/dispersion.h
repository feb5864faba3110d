// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Sets Profile::dispersions: how the runs of a side vary beyond sampling; see
// stats/run_variation.h. That of entries comes from all functions, each with
// what it and its callees hold, because a single entry has too few runs.
//
// A stack that varies far more, such as that of a buffer which doubles when it
// is full, gets the variance between its own runs as that of its samples. So
// each sum with this stack has it, whichever report adds it up. The same holds
// for the stacks of a function that only some runs have. On a side whose runs
// counted every allocation, no other samples have a variance.
//
// Call this after MatchStacks() and AverageRuns().
void MeasureDispersion(Profile& profile);

}  // namespace heapprof
