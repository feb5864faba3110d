// SPDX-License-Identifier: Apache-2.0
//
// A series of dumps as a comparison of its last dump with its first one.
#pragma once

#include "heapprof/profile/snapshots.h"

namespace heapprof {

// Returns the profile of the series with the samples of its first dump as the
// base and those of its last dump as the new side. The series must have a dump.
Profile CompareEnds(Snapshots snapshots);

}  // namespace heapprof
