// SPDX-License-Identifier: Apache-2.0
//
// The mean of several runs of a program.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Makes the sum of a side's samples the mean of its runs, so that three runs
// compared with one do not look like growth, and sets Profile::is_mean_of_runs.
// A value becomes a third; its variance becomes a ninth, because the sampling
// errors of the runs are independent.
void AverageRuns(Profile& profile);

// Does for runs without a base what CompareSides() does for those with one:
// equal stacks get one id, and the variation between runs is measured.
void JoinRuns(Profile& profile);

}  // namespace heapprof
