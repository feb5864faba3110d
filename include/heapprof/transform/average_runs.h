// SPDX-License-Identifier: Apache-2.0
//
// Several runs of a program on one side of a comparison.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Replaces the runs of each side by their mean, so that three runs compared
// with one do not look like growth. A value becomes a third; its variance
// becomes a ninth, because the sampling errors of the runs are independent.
void AverageRuns(Profile& profile);

}  // namespace heapprof
