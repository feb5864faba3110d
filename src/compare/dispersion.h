// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Sets Profile::dispersions: how much the runs of a side vary beyond sampling;
// see OverDispersion(). That of entries is pooled over the functions, each with
// what it and its callees hold, because a single entry has too few runs to
// estimate its own. Call this before AverageRuns().
void MeasureDispersion(Profile& profile);

}  // namespace heapprof
