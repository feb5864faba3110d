// SPDX-License-Identifier: Apache-2.0
//
// Divides a profile that holds several runs, that is, the samples of several
// dumps (see Profile::runs).
#pragma once

#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Returns one profile for each run, in order, as if each had been read from a
// file of its own. A profile without a list of runs is returned as it is.
std::vector<Profile> SplitRuns(Profile profile);

}  // namespace heapprof
